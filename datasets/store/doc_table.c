// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/doc_table.h"

#include "core/base/json.h"

static bool has_column(const DocTable *table, int i) {
    return i < DOC_TABLE_COLUMNS && table->keys[i];
}

void doc_table_begin(const DocTable *table) {
    if (table->json) return;
    text_add(table->text, "|");
    for (int i = 0; has_column(table, i); i++) {
        text_add(table->text, " ");
        for (const char *at = table->keys[i]; *at; at++) {
            text_add(table->text, "%c", *at == '_' ? ' ' : *at);
        }
        text_add(table->text, " |");
    }
    text_add(table->text, "\n|");
    for (int i = 0; has_column(table, i); i++) text_add(table->text, "---|");
    text_add(table->text, "\n");
}

static void add_json(const DocTable *table, const char *const *values) {
    for (int i = 0; has_column(table, i); i++) {
        text_add(table->text, i ? "," : "{");
        json_add_string(table->text, table->keys[i]);
        text_add(table->text, ":");
        json_add_string(table->text, values[i]);
    }
    text_add(table->text, "}\n");
}

void doc_table_row(const DocTable *table, const char *const *values) {
    if (table->json) {
        add_json(table, values);
        return;
    }
    text_add(table->text, "|");
    for (int i = 0; has_column(table, i); i++) {
        const char *tick = table->code && i == 0 ? "`" : "";
        const char *blank = *values[i] ? " " : "";
        text_add(table->text, " %s%s%s%s|", tick, values[i], tick, blank);
    }
    text_add(table->text, "\n");
}

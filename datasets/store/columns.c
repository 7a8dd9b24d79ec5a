// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/columns.h"

#include <string.h>

#include "core/base/json.h"
#include "datasets/store/record.h"

#define COLUMN_ROW(row, name, type, packing, unit, description)                                    \
    {#name, COLUMN_##type, PACKING_##packing, offsetof(row, name), sizeof(((row *)0)->name),       \
     unit,  description},

static const Column game_columns[] = {
#define GAME_COLUMN(name, type, packing, unit, description)                                        \
    COLUMN_ROW(GameRecord, name, type, packing, unit, description)
#include "datasets/store/columns.def"
};
static const Column ply_columns[] = {
#define PLY_COLUMN(name, type, packing, unit, description)                                         \
    COLUMN_ROW(PlyRecord, name, type, packing, unit, description)
#include "datasets/store/columns.def"
};
static const Column position_columns[] = {
#define POSITION_COLUMN(name, type, packing, unit, description)                                    \
    COLUMN_ROW(PositionRecord, name, type, packing, unit, description)
#include "datasets/store/columns.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const ColumnGroup groups[ROW_GROUP_COUNT] = {
    [GROUP_GAMES] = {"games", game_columns, COUNT(game_columns), sizeof(GameRecord)},
    [GROUP_PLIES] = {"plies", ply_columns, COUNT(ply_columns), sizeof(PlyRecord)},
    [GROUP_POSITIONS] = {"positions", position_columns, COUNT(position_columns),
                         sizeof(PositionRecord)},
};

const ColumnGroup *column_group(GroupId id) {
    return &groups[id];
}

const Column *column_find(GroupId id, const char *name) {
    const Column *column = groups[id].columns;
    while (strcmp(column->name, name) != 0) column++;
    return column;
}

uint16_t move_to_stored(Move move) {
    const unsigned from = (unsigned)move_from(move), to = (unsigned)move_to(move);
    return move == MOVE_NONE ? 0 : (uint16_t)(from | ((to - from) & 255) << 8);
}

Move move_from_stored(uint16_t stored) {
    const int from = stored & 255, to = (from + (stored >> 8)) & 255;
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT || from == to) return MOVE_NONE;
    return move_make(from, to);
}

static void add_values(const char *unit, Text *text) {
    if (strcmp(unit, "enum side") == 0) {
        text_add(text, "%d red\n%d black\n", RED, BLACK);
    } else if (strcmp(unit, "enum result") == 0) {
        text_add(text, "1 red wins\n0 draw\n-1 black wins\n");
    } else if (strcmp(unit, "enum reason") == 0) {
#define END_REASON(id, name, meaning) text_add(text, "%d %s: %s\n", END_##id, name, meaning);
#include "core/rules/reasons.def"
#undef END_REASON
    }
}

void column_add_values(const Column *column, Text *text) {
    add_values(column->unit, text);
}

// ---- tables of the documentation ---------------------------------------------------------------

enum { DOC_TABLE_COLUMNS = 4 };

typedef struct DocTable {
    Text *text; // where it is written to
    bool json;
    bool code;                           // the first column is something to type
    const char *keys[DOC_TABLE_COLUMNS]; // "data_set"; NULL behind the last
} DocTable;

static bool has_column(const DocTable *table, int i) {
    return i < DOC_TABLE_COLUMNS && table->keys[i];
}

// The heading; nothing in JSON.
static void doc_table_begin(const DocTable *table) {
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

// One value for each key.
static void doc_table_row(const DocTable *table, const char *const *values) {
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

static void add_columns(bool json, Text *text) {
    static const char *const type_names[] = {
        [COLUMN_U8] = "uint8",    [COLUMN_I8] = "int8",           [COLUMN_U16] = "uint16",
        [COLUMN_I16] = "int16",   [COLUMN_U32] = "uint32",        [COLUMN_U64] = "uint64",
        [COLUMN_MOVE] = "uint16", [COLUMN_SQUARES] = "uint8[32]", [COLUMN_NAME] = "char[24]",
    };
    const DocTable table = {text, json, true, {"data_set", "type", "unit", "meaning"}};
    Text path = {0};
    doc_table_begin(&table);
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        for (size_t i = 0; i < groups[id].column_count; i++) {
            const Column *column = &groups[id].columns[i];
            text_reset(&path);
            text_add(&path, "/%s/%s", groups[id].name, column->name);
            doc_table_row(&table, (const char *[]){path.data, type_names[column->type],
                                                   column->unit, column->description});
        }
    }
    text_clear(&path);
}

static void add_units(bool json, Text *text) {
    static const char *const lists[] = {"enum side", "enum result", "enum reason"};
    const DocTable table = {text, json, false, {"unit", "values"}};
    doc_table_begin(&table);
    for (size_t i = 0; i < COUNT(lists); i++) {
        Text values = {0}, joined = {0};
        add_values(lists[i], &values);
        for (char *line, *cursor = values.data;
             cursor && *(line = text_next_field(&cursor, '\n'));) {
            text_add(&joined, "%s%s", line == values.data ? "" : "; ", line);
        }
        doc_table_row(&table, (const char *[]){lists[i], text_get(&joined)});
        text_clear(&values);
        text_clear(&joined);
    }
}

void columns_add_table(bool json, Text *text) {
    add_columns(json, text);
    if (!json) text_add(text, "\n");
    add_units(json, text);
}

void provenance_add_table(bool json, Text *text) {
    const DocTable table = {text, json, true, {"attribute", "meaning"}};
    doc_table_begin(&table);
#define PROVENANCE(name, value, meaning) doc_table_row(&table, (const char *[]){#name, meaning});
#include "datasets/store/provenance.def"
#undef PROVENANCE
}

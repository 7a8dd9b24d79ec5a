// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/peers/compare_peers.h"
#include "core/base/json.h"

static const char *const kind_names[] = {[COMPARE_PERFT] = "perft", [COMPARE_SEARCH] = "search"};

static int decimals(double ratio) {
    return ratio < 10 ? 2 : 1;
}

// "12.345 ~2% x60.1", "-" for nothing.
static void cell_text(const CompareCell *cell, bool self, Text *text) {
    text_reset(text);
    if (!cell->count) {
        text_add(text, "-");
        return;
    }
    text_add(text, "%.3f%s ~%.0f%%", cell->nps * 1e-6, cell->other_nodes ? "!" : "",
             (cell->q3 - cell->q1) / cell->nps * 100);
    if (!self) text_add(text, " x%.*f", decimals(cell->ratio), cell->ratio);
}

static void print_table(const Compare *compare, FILE *out) {
    Text text = {0};
    fprintf(out, "%-18s", "Mnodes/s of CPU");
    for (int i = 0; i < compare->program_count; i++) {
        fprintf(out, "  %24s", compare->programs[i].name);
    }
    fputc('\n', out);
    for (int at = 0, searches = 0; at < compare->item_count; at++) {
        const CompareItem *item = &compare->items[at];
        if (item->kind == COMPARE_PERFT) {
            text_reset(&text);
            text_add(&text, "%s %d", item->name, item->depth);
            fprintf(out, "%-18s", text.data);
        } else {
            fprintf(out, "search %-11d", ++searches);
        }
        for (int i = 0; i < compare->program_count; i++) {
            cell_text(compare_cell(compare, at, i), i == 0, &text);
            fprintf(out, "  %24s", text.data);
        }
        fputc('\n', out);
    }
    for (int at = 0; at < compare->item_count; at++) {
        const CompareItem *item = &compare->items[at];
        for (int i = 0; i < compare->program_count; i++) {
            const uint64_t other = compare_cell(compare, at, i)->other_nodes;
            if (!other) continue;
            fprintf(out, "! %s %d: %s counts %llu, not %llu\n", item->name, item->depth,
                    compare->programs[i].name, (unsigned long long)other,
                    (unsigned long long)item->nodes);
        }
    }
    text_clear(&text);
}

static void print_cell(const Compare *compare, int at, int program, FILE *out) {
    const CompareItem *item = &compare->items[at];
    const CompareCell *cell = compare_cell(compare, at, program);
    Record record;
    record_begin(&record, out, true);
    record_text(&record, "kind", kind_names[item->kind]);
    record_text(&record, "program", compare->programs[program].name);
    record_text(&record, "fen", item->fen);
    if (item->kind == COMPARE_PERFT) {
        record_text(&record, "position", item->name);
        record_int(&record, "depth", item->depth);
        record_int(&record, "nodes",
                   (long long)(cell->other_nodes ? cell->other_nodes : item->nodes));
        record_int(&record, "expected", (long long)item->nodes);
    }
    record_int(&record, "runs", cell->count);
    if (cell->count) {
        record_real(&record, "nps", cell->nps, 0);
        record_real(&record, "nps_q1", cell->q1, 0);
        record_real(&record, "nps_q3", cell->q3, 0);
    } else {
        record_unknown(&record, "nps");
    }
    if (cell->ratio > 0) record_real(&record, "ratio", cell->ratio, 3);
    record_end(&record);
}

static void print_summary(const Compare *compare, CompareKind kind, bool json, FILE *out) {
    bool measured = false;
    for (int at = 0; at < compare->item_count; at++) {
        measured = measured || compare->items[at].kind == kind;
    }
    for (int i = 1; measured && i < compare->program_count; i++) {
        double mean, least;
        const bool known = compare_ratios(compare, kind, i, &mean, &least);
        const char *name = compare->programs[i].name, *note = compare->programs[i].note;
        if (json) {
            Record record;
            record_begin(&record, out, true);
            record_text(&record, "kind", kind_names[kind]);
            record_text(&record, "against", name);
            if (known) {
                record_real(&record, "ratio", mean, 3);
                record_real(&record, "ratio_least", least, 3);
            } else {
                record_unknown(&record, "ratio");
            }
            if (note[0]) record_text(&record, "note", note);
            record_end(&record);
        } else if (known) {
            fprintf(out, "%s: %.*f times %s in geometric mean, at least %.*f times\n",
                    kind_names[kind], decimals(mean), mean, name, decimals(least), least);
        } else {
            fprintf(out, "%s: - %s%s%s\n", kind_names[kind], name, note[0] ? ": " : "", note);
        }
    }
}

void compare_print(const Compare *compare, bool json, FILE *out) {
    if (json) {
        for (int at = 0; at < compare->item_count; at++) {
            for (int i = 0; i < compare->program_count; i++) print_cell(compare, at, i, out);
        }
    } else {
        print_table(compare, out);
    }
    print_summary(compare, COMPARE_PERFT, json, out);
    print_summary(compare, COMPARE_SEARCH, json, out);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/terms.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"

int row_term_count(const RowSet *rows) {
    return rows->names ? rows->pairs : WEIGHT_TERM_COUNT;
}

RowTerm row_term(const RowSet *rows, int number) {
    if (rows->names) return (RowTerm){rows->names[number], number, 1};
    const WeightTerm *term = &weight_terms[number];
    return (RowTerm){term->name, term->first, term->count};
}

int row_term_of(const RowSet *rows, int weight) {
    return rows->names ? weight / 2 : (int)(weight_term_of(weight / 2) - weight_terms);
}

void row_weight_name(const RowSet *rows, int weight, char *text) {
    char pair[TERM_NAME_SIZE];
    if (!rows->names) weight_pair_name(weight / 2, pair, sizeof pair);
    snprintf(text, WEIGHT_NAME_SIZE, "%s.%s", rows->names ? rows->names[weight / 2] : pair,
             weight % 2 ? "eg" : "mg");
}

void row_entry_name(const WeightTerm *term, int entry, char text[WEIGHT_NAME_SIZE]) {
    int square = 0;
    if (term->shape == SHAPE_NONE) {
        weight_entry_name(term, entry, text, WEIGHT_NAME_SIZE);
        return;
    }
    while (eval_table_entry(term->shape, RED, square) != entry) square++;
    snprintf(text, WEIGHT_NAME_SIZE, "%c%d", 'a' + square_file(square), square_rank(square));
}

// Sets chosen[i] = value for the weights that match one pattern. Returns the number of matches.
static int apply(const RowSet *rows, const char *pattern, bool value, bool *chosen) {
    int named = 0;
    for (int t = 0; t < 2 * row_term_count(rows); t++) {
        const RowTerm term = row_term(rows, t / 2);
        const int phase = t % 2;
        char name[WEIGHT_NAME_SIZE];
        snprintf(name, sizeof name, "%s.%s", term.name, phase ? "eg" : "mg");
        // Compare literally first, because brackets are special in patterns but may be part of a
        // name.
        const bool same = strcmp(pattern, term.name) == 0 || strcmp(pattern, name) == 0;
        if (!same && fnmatch(pattern, term.name, 0) != 0 && fnmatch(pattern, name, 0) != 0)
            continue;
        for (int i = 0; i < term.count; i++) chosen[2 * (term.first + i) + phase] = value;
        named += term.count;
    }
    return named;
}

Status row_choose_weights(const RowSet *rows, const char *patterns, bool value, bool *chosen,
                          Err *err) {
    AUTO_FREE char *copy = memory_copy_text(patterns);
    char *cursor = copy;
    for (const char *pattern; (pattern = text_next_field(&cursor, ','));) {
        if (apply(rows, pattern, value, chosen) > 0) continue;
        return err_set(err, STATUS_USAGE, "no term %smatches '%s'%s",
                       rows->names ? "of the file " : "", pattern,
                       rows->names ? "" : "; 'paotai weights show classic' lists the terms");
    }
    return STATUS_OK;
}

Status row_check_own_patterns(const char *patterns, Err *err) {
    const RowSet ours = {.pairs = WEIGHT_COUNT};
    bool chosen[2 * WEIGHT_COUNT];
    return row_choose_weights(&ours, patterns, true, chosen, err);
}

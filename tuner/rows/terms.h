// SPDX-License-Identifier: GPL-3.0-or-later
// The terms that rows are about, and their weights by name: ours as weights.def has them; of a file
// of somebody else's terms each pair of weights is a term.
#pragma once

#include "tuner/rows/rows.h"

typedef struct RowTerm {
    const char *name;
    int first, count; // pairs
} RowTerm;

int row_term_count(const RowSet *rows);
RowTerm row_term(const RowSet *rows, int number);
// The number of the term that a weight (0 .. 2 * rows->pairs - 1) belongs to.
int row_term_of(const RowSet *rows, int weight);

// "table_horse[12].mg", "their term.eg"; text holds WEIGHT_NAME_SIZE bytes.
enum { WEIGHT_NAME_SIZE = TERM_NAME_SIZE + 16 };
void row_weight_name(const RowSet *rows, int weight, char *text);

// The name of an entry of one of our terms: its point, or what weights.def calls it.
void row_entry_name(const WeightTerm *term, int entry, char text[WEIGHT_NAME_SIZE]);

// Sets chosen[i] = value for the weights that a comma list of patterns names. A pattern is a term's
// name with `*` and `?`, for both phases, or with `.mg` or `.eg` behind it for one: "table_*,
// material_horse.eg". chosen holds 2 * rows->pairs flags. STATUS_USAGE when a pattern names
// nothing.
Status row_choose_weights(const RowSet *rows, const char *patterns, bool value, bool *chosen,
                          Err *err);
// Refuses patterns that name no term of ours, before any rows are read.
Status row_check_own_patterns(const char *patterns, Err *err);

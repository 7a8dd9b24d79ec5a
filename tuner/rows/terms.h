// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of rows and the names of their weights. Built-in terms are those of weights.def. In a
// file with external terms, each pair of weights is a term.
#pragma once

#include "tuner/rows/rows.h"

typedef struct RowTerm {
    const char *name;
    int first, count; // pairs
} RowTerm;

int row_term_count(const RowSet *rows);
RowTerm row_term(const RowSet *rows, int number);
// Returns the number of the term of a weight (0 .. 2 * rows->pairs - 1).
int row_term_of(const RowSet *rows, int weight);

// Writes the name of a weight, such as "table_horse[12].mg" or "their term.eg"; text holds
// WEIGHT_NAME_SIZE bytes.
enum { WEIGHT_NAME_SIZE = TERM_NAME_SIZE + 16 };
void row_weight_name(const RowSet *rows, int weight, char *text);

// Writes the name of an entry of a built-in term: its square, or its name in weights.def.
void row_entry_name(const WeightTerm *term, int entry, char text[WEIGHT_NAME_SIZE]);

// Sets chosen[i] = value for the weights that match a comma-separated list of patterns. A pattern
// is the name of a term, with `*` and `?`, for both phases; `.mg` or `.eg` after it selects one
// phase: "table_*,material_horse.eg". chosen holds 2 * rows->pairs flags. Returns STATUS_USAGE if a
// pattern matches nothing.
Status row_choose_weights(const RowSet *rows, const char *patterns, bool value, bool *chosen,
                          Err *err);
// Returns an error if a pattern matches no built-in term; it needs no rows.
Status row_check_own_patterns(const char *patterns, Err *err);

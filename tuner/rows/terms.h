// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of training positions and the names of their weights. Built-in terms are listed in
// weights.def. If a file of sparse rows defines the terms, each pair of weights (middlegame,
// endgame) is a term.
#pragma once

#include "tuner/rows/rows.h"

typedef struct RowTerm {
    const char *name;
    int first, count; // index of the term's first pair of weights, and number of its pairs
} RowTerm;

int row_term_count(const RowSet *rows);
RowTerm row_term(const RowSet *rows, int number);
// Returns the number of the term to which a weight (0 .. 2 * rows->pairs - 1) belongs.
int row_term_of(const RowSet *rows, int weight);

// Writes the name of a weight to `text`, which has WEIGHT_NAME_SIZE bytes: "table_horse[12].mg", or
// "NAME.eg" for a term that a file of sparse rows defines.
enum { WEIGHT_NAME_SIZE = TERM_NAME_SIZE + 16 };
void row_weight_name(const RowSet *rows, int weight, char *text);

// Writes the name of an entry of a built-in term: for a piece-square table its square, such as "b3"
// (the left one of two mirrored squares, as Red sees the board), otherwise the name given in
// weights.def.
void row_entry_name(const WeightTerm *term, int entry, char text[WEIGHT_NAME_SIZE]);

// Sets chosen[i] = value for the weights that match a comma-separated list of patterns. A pattern
// is the name of a term, which may contain the wildcards `*` and `?`. It matches both phases unless
// `.mg` or `.eg` follows: "table_*,material_horse.eg". `chosen` holds 2 * rows->pairs flags.
// Returns STATUS_USAGE if a pattern matches nothing.
Status row_choose_weights(const RowSet *rows, const char *patterns, bool value, bool *chosen,
                          Err *err);
// Returns an error if a pattern matches no built-in term. Can be called before positions are
// loaded.
Status row_check_own_patterns(const char *patterns, Err *err);

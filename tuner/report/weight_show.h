// SPDX-License-Identifier: GPL-3.0-or-later
// Names weights, and prints weight sets and their differences for `paotai weights`.
#pragma once

#include "tuner/fit/fit_record.h"

// Appends the name of an entry. An entry of a table is named by its squares: "e4", or "c4 g4" for
// two mirrored squares.
void weight_show_entry(const WeightTerm *term, int entry, Text *text);
// Appends a pair of weights in words: "a horse on c4 g4", "mobility chariot, 7 points to go to".
void weight_show_name(int pair, Text *text);
// Returns true if, by the weight file, the share of a weight that the games determined is below
// BOARD_UNSURE. The prior determined the rest.
bool weight_show_is_prior(const FitRecord *record, int weight);
// Appends the weights of a term as text. `errors` has their 95 % errors (ERROR_PRIOR: the prior
// determined the weight; ERROR_UNKNOWN); NULL: all are unknown.
void weight_show_term(const Weights *weights, const Weights *errors, const WeightTerm *term,
                      Text *text);
// Prints a term as a JSON object, with its entries in the order of the weight file. If `errors` is
// not NULL, a list tells for each weight whether the prior of the fit determined it (1) or not (0).
void weight_show_term_json(const Weights *weights, const Weights *errors, const FitRecord *fit,
                           const WeightTerm *term, FILE *out);
// Stores the 95 % errors of the weights in *errors, rounded but at least 1, and returns `errors`.
// Stores ERROR_UNKNOWN for unknown errors and, if `mark_prior` is set, ERROR_PRIOR for weights that
// the prior determined. Returns NULL if the record contains no standard errors.
const Weights *weight_show_errors(const FitRecord *record, bool mark_prior, Weights *errors);
// Prints the pairs of weights that differ between two sets, and returns their number.
long long weight_show_differences(const Weights *a, const Weights *b, bool json, FILE *out);

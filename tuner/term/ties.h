// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a group of weights other weights explain: the regression of the group's coefficients
// on theirs over the rows that are fitted, each row weighted as in the fit (its game's weight times
// the curvature of the loss).
//
// With H the loss's part of the Hessian, J the group and X the others, the share of J that X
// explains is R2 = tr(H_JX Hxx^-1 H_XJ) / tr(H_JJ). The means of tables and mobility, which the
// prior holds (prior.h), are held here too: else every material would be a copy of its table.
#pragma once

#include "tuner/fit/fit.h"

enum { TIES_MOST = 3 };

typedef struct Ties {
    double r2;              // 0..1; NAN: the group does not occur in the rows that are fitted
    int count;              // terms that explain most of it, the first one most
    int term[TIES_MOST];    // numbers of row_term()
    double part[TIES_MOST]; // parts of the r2; the parts of all terms add up to it
} Ties;

// A group with a larger r2 is a copy: no row tells it from the others.
#define TIES_COPY_R2 0.9999
// One with a larger r2 has little of its own: its error is 1 / sqrt(1 - r2) times as large.
#define TIES_NEAR_R2 0.9
// Below this share an explanation is not worth a word.
#define TIES_SOME_R2 0.5

// The weights that explain, factorised once for any number of groups.
typedef struct TieBasis TieBasis;
// Prepares the weights of `by` [n] as those that explain. The fit is borrowed and must be solved.
// The caller frees the result with tie_basis_free().
TieBasis *tie_basis_new(const Fit *fit, const bool *by);
void tie_basis_free(TieBasis *basis);
AUTO_HANDLE(TieBasis, tie_basis_free)
// chosen [n]: the group, none of which is among those that explain.
void ties_measure(const TieBasis *basis, const bool *chosen, Ties *ties);

// Measures a group against all other weights of the fit.
void ties_of_group(const Fit *fit, const bool *chosen, Ties *ties);

// Writes r2[t] of each term t against the others, [row_term_count()]: NAN for one that does not
// occur, or has no weight in by [n]. Only the weights of `by` are looked at. Costs one
// factorisation and a solution for each weight of the `wanted` terms [terms]; the others are NAN.
void ties_scan(const Fit *fit, const bool *by, const bool *wanted, double *r2);

// Appends "NAME 0.91, NAME 0.02", the terms that explain most.
void ties_add_names(const Ties *ties, const RowSet *rows, Text *text);
// Appends the same as one word, "NAME:0.91,NAME:0.02".
void ties_add_list(const Ties *ties, const RowSet *rows, Text *text);
// Returns "copy", "near copy", or NULL.
const char *ties_word(const Ties *ties);
// Appends a clause about what explains the group and what is left of it; nothing below
// TIES_SOME_R2. Returns whether anything was appended.
bool ties_describe(const Ties *ties, const RowSet *rows, Text *text);
static inline bool ties_copy(const Ties *ties) {
    return ties->r2 > TIES_COPY_R2;
}

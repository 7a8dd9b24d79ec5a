// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a group of weights other weights explain. This is a regression of the group's
// coefficients on those of the others, over the fitted rows. Rows are weighted as in the fit: by
// the weight of the game times the curvature of the loss.
//
// With H the loss's part of the Hessian, J the group and X the others, the explained share of J is
// R2 = tr(H_JX Hxx^-1 H_XJ) / tr(H_JJ). The means of tables are held as in the prior (prior.h).
// Otherwise each material term would be a copy of its tables.
#pragma once

#include "tuner/fit/fit.h"

enum { TIES_MOST = 3 };

typedef struct Ties {
    double r2;              // 0..1; NAN: the group does not occur in the fitted rows
    int count;              // number of terms below, those that explain most first
    int term[TIES_MOST];    // their numbers, see row_term()
    double part[TIES_MOST]; // their parts of r2
} Ties;

// A group with a larger r2 is a copy: no row distinguishes it from the others.
#define TIES_COPY_R2 0.9999
// A group with a larger r2 is a near copy: its errors are 1 / sqrt(1 - r2) > 3 times as large.
#define TIES_NEAR_R2 0.9
// Groups with a smaller r2 are not reported.
#define TIES_SOME_R2 0.5

// The explaining weights, factorised once for any number of groups.
typedef struct TieBasis TieBasis;
// Prepares the weights marked in `by` [n] as explaining weights. The fit must be solved, and must
// live as long as the result. Free with tie_basis_free().
TieBasis *tie_basis_new(const Fit *fit, const bool *by);
void tie_basis_free(TieBasis *basis);
AUTO_HANDLE(TieBasis, tie_basis_free)
// Measures the group marked in `chosen` [n], which must not contain explaining weights.
void ties_measure(const TieBasis *basis, const bool *chosen, Ties *ties);

// Measures a group against all other weights of the fit.
void ties_of_group(const Fit *fit, const bool *chosen, Ties *ties);

// Sets r2[t] for each wanted term t [row_term_count()]: the share that the other weights of `by`
// [n] explain. NAN: the term is not wanted, does not occur, or has no weight in `by`. Costs one
// factorisation, and one solution per weight of a wanted term.
void ties_scan(const Fit *fit, const bool *by, const bool *wanted, double *r2);

// Appends the terms that explain most: "NAME 0.91, NAME 0.02".
void ties_add_names(const Ties *ties, const RowSet *rows, Text *text);
// Appends these terms as one word: "NAME:0.91,NAME:0.02".
void ties_add_list(const Ties *ties, const RowSet *rows, Text *text);
// Returns "copy", "near copy", or NULL.
const char *ties_word(const Ties *ties);
// Appends a clause that says which terms explain the group and how much is unexplained. Returns
// false, and appends nothing, if r2 is below TIES_SOME_R2.
bool ties_describe(const Ties *ties, const RowSet *rows, Text *text);
static inline bool ties_copy(const Ties *ties) {
    return ties->r2 > TIES_COPY_R2;
}

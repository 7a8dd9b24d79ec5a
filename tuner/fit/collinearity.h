// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well other weights can replace a group of weights: a linear regression of the
// group's coefficients on the coefficients of the other weights, over the fitted positions. The
// result is R2, the share of the squared coefficients that the regression explains. A position
// counts with the weight of its game times the curvature of its loss, as in the Hessian of the fit.
//
// Let H be the part of the Hessian that comes from the loss. H_JX is its block with the rows of the
// group J and the columns of the other weights X. Then R2 = tr(H_JX H_XX^-1 H_XJ) / tr(H_JJ). The
// means of tables are constrained as in the prior (prior.h). Without these constraints, each
// material term would be a copy of the table of its piece.
#pragma once

#include "tuner/fit/fit.h"

enum { COLLINEARITY_MOST = 3 };

typedef struct Collinearity {
    // R2: the share of the group's squared coefficients that other weights explain, 0..1; NAN: the
    // group does not occur in the fitted positions, or the factorisation failed.
    double r2;
    // The terms whose weights contribute most to r2, the largest contribution first: number of
    // terms, index of each in row_term(), and its contribution.
    int count;
    int term[COLLINEARITY_MOST];
    double part[COLLINEARITY_MOST];
} Collinearity;

// A group of weights is called a copy if its r2 (Collinearity) exceeds this value. In every fitted
// position, other weights can then replace the group almost exactly.
#define COLLINEARITY_COPY_R2 0.9999
// A group of weights is called a near copy if its r2 exceeds this value. Its standard errors are
// then more than 3 times (1 / sqrt(1 - 0.9)) as large as without the other terms.
#define COLLINEARITY_NEAR_R2 0.9
// Sentences about a group of weights name the terms that explain it only if its r2 exceeds this
// value.
#define COLLINEARITY_SOME_R2 0.5

// The regressors: the weights on which the coefficients of a group are regressed. Their Hessian is
// factorised once for any number of groups.
typedef struct Regressors Regressors;
// Prepares the weights marked in `by` [n] as regressors. Weights that never occur are left out. The
// fit must be finished; fit->rows must live as long as the result. The caller frees it with
// regressors_free().
Regressors *regressors_new(const Fit *fit, const bool *by);
void regressors_free(Regressors *regressors);
AUTO_HANDLE(Regressors, regressors_free)
// Sets *collinearity to the share of a group of weights that the regressors explain. `chosen` [n]
// marks the weights of the group, which must not be regressors.
void collinearity_measure(const Regressors *regressors, const bool *chosen,
                          Collinearity *collinearity);

// Like collinearity_measure(), but with all other weights of the fit as regressors.
void collinearity_of_group(const Fit *fit, const bool *chosen, Collinearity *collinearity);

// Like collinearity_of_group(), but only weights of terms that play are regressors: terms with a
// start weight (fit->start) other than 0. Another new term, which no player uses, explains nothing.
void collinearity_of_playing(const Fit *fit, const bool *chosen, Collinearity *collinearity);

// For each term t marked in `wanted`, sets r2[t] to R2 of a linear regression of the term's
// coefficients on the coefficients of all other terms. Only weights that are marked in `by` [n] and
// occur in the positions take part in the regressions. r2[t] is NAN if the term is not wanted, if
// none of its weights takes part, or if the factorisation fails. Factorises one matrix, and solves
// one triangular system for each weight of a wanted term.
void collinearity_scan(const Fit *fit, const bool *by, const bool *wanted, double *r2);

// Appends the terms in *collinearity with their contributions to r2: "NAME 0.91, NAME 0.07".
void collinearity_add_names(const Collinearity *collinearity, const RowSet *rows, Text *text);
// Like collinearity_add_names(), but appends one word: "NAME:0.91,NAME:0.07".
void collinearity_add_list(const Collinearity *collinearity, const RowSet *rows, Text *text);
// Returns "copy" if r2 exceeds COLLINEARITY_COPY_R2, "near copy" if it exceeds
// COLLINEARITY_NEAR_R2, otherwise NULL.
const char *collinearity_word(const Collinearity *collinearity);
// Appends a part of a sentence that says which terms explain the group of weights, and how much of
// it. Unless r2 is above COLLINEARITY_SOME_R2, returns false and appends nothing.
bool collinearity_describe(const Collinearity *collinearity, const RowSet *rows, Text *text);
static inline bool collinearity_is_copy(const Collinearity *collinearity) {
    return collinearity->r2 > COLLINEARITY_COPY_R2;
}

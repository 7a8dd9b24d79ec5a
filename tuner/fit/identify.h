// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows can tell about the weights, without any prior: rank, condition, terms that cannot
// be told apart, weights that never occur, and those that no finite value is large enough for.
#pragma once

#include "tuner/fit/fit.h"

typedef struct Identity {
    int weights;      // numbers
    int active;       // of them occur in the rows that are fitted
    int rank;         // independent directions among those
    double condition; // largest eigenvalue over the smallest that is not 0, Hessian scaled to a
                      // unit diagonal
    // Ties: terms with combinations of weights that change no prediction, numbered from 1.
    int ties;
    int *tie;        // [terms]: the tie that a term belongs to; 0: none
    int *directions; // [ties + 1]: independent combinations, both phases together
    bool *silent;    // [weights]: never occurs
    // [weights]: every row with it ends as its sign says, or every one the other way: the larger
    // the weight, the better, and the prior alone holds it.
    bool *separable;
    // Every row with a sum of fitted weights other than 0 ends as its sign says: the larger all of
    // them, the better.
    bool separated;
} Identity;

// Studies the loss's part of the Hessian at the fitted weights: eigenvalues below 1e-9 of the
// largest count as 0. Terms whose weights share such directions are tied. Free it with
// identity_clear(), also on failure.
Status identify(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                const FitResult *result, Identity *identity, Err *err);
void identity_clear(Identity *identity);

// Two weights whose estimates move together.
typedef struct CorrelatedPair {
    int a, b; // weights, middlegame and endgame apart
    double correlation;
} CorrelatedPair;

// The `count` pairs with the largest |correlation| in a covariance [n][n], largest first; fewer
// when there are not so many. Returns how many.
int correlated_pairs(const double *covariance, int n, CorrelatedPair *pairs, int count);

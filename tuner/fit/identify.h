// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows can tell about the weights, without any prior: rank, condition, terms that cannot
// be told apart, weights that never occur.
#pragma once

#include "tuner/fit/fit.h"

// Terms with combinations of weights that change no prediction.
typedef struct TiedTerms {
    int terms[WEIGHT_TERM_COUNT]; // indices into weight_terms
    int count;
    int directions; // independent combinations, both phases together
} TiedTerms;

typedef struct Identity {
    int weights;      // numbers, 2 * WEIGHT_COUNT
    int active;       // of them occur in the rows that are fitted
    int rank;         // independent directions among those
    double condition; // largest eigenvalue over the smallest that is not 0, Hessian scaled to a
                      // unit diagonal
    TiedTerms tied[WEIGHT_TERM_COUNT];
    int tied_count;
    int silent[2 * WEIGHT_COUNT]; // weights that never occur
    int silent_count;
} Identity;

// Studies the loss's part of the Hessian at the fitted weights: eigenvalues below 1e-9 of the
// largest count as 0. Terms whose weights share such directions are listed together.
Status identify(const Prior *prior, const FitResult *result, Identity *identity, Err *err);

// Two weights whose estimates move together.
typedef struct CorrelatedPair {
    int a, b; // weights, middlegame and endgame apart
    double correlation;
} CorrelatedPair;

// The `count` pairs with the largest |correlation| in a covariance [n][n], largest first; fewer
// when there are not so many. Returns how many.
int correlated_pairs(const double *covariance, int n, CorrelatedPair *pairs, int count);

// "table_horse[12].mg" for weight i; text holds WEIGHT_NAME_SIZE bytes.
enum { WEIGHT_NAME_SIZE = 64 };
void weight_name(int i, char *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds weights that the games do not determine without a prior: terms that cannot be separated
// from each other, weights that never occur, and weights whose likelihood grows without limit.
#pragma once

#include "tuner/fit/fit.h"

typedef struct Identity {
    int active; // number of weights that occur in the fitted positions
    int rank;   // number of independent directions among the weights that occur
    // A tie is a set of terms with combinations of weights that change no prediction. Ties are
    // numbered from 1.
    int set_count;
    int *set; // number of the tie to which each term belongs; 0: the term belongs to no tie
    // For each tie [ties + 1], the number of independent combinations, over both phases.
    int *directions;
    bool *silent; // true for each of the n weights that never occurs
    // True for a weight if every position in which it occurs ends as its sign predicts, or every
    // such position ends the other way. A larger weight then always fits better, and only the prior
    // keeps it finite.
    bool *separable;
    // True if every position ends as the sum of its fitted weights predicts, unless that sum is 0.
    // Larger weights then always fit better.
    bool separated;
} Identity;

// Finds ties and weights that never occur, from the part of the Hessian that comes from the loss,
// at the solution. Factorises the Hessian once. The caller frees with identity_clear().
void identify(const Fit *fit, Identity *identity);
// Finds separable weights (`separable`, `separated`) with one pass over all positions, which must
// all belong to this process.
void identify_separable(const Fit *fit, Identity *identity);
void identity_clear(Identity *identity);
AUTO_VALUE(Identity, identity_clear)

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds weights that the rows do not determine without a prior: terms that cannot be separated from
// each other, weights that never occur, and weights whose likelihood grows without limit.
#pragma once

#include "tuner/fit/fit.h"

typedef struct Identity {
    int active; // number of weights that occur in the fitted rows
    int rank;   // number of independent directions among the active weights
    // A tie is a set of terms with combinations of weights that change no prediction. Ties are
    // numbered from 1.
    int ties;
    int *tie;        // [terms]: number of the tie of a term; 0: no tie
    int *directions; // [ties + 1]: number of independent combinations, over both phases
    bool *silent;    // [n]: true if the weight never occurs
    // [n]: true if every row with this weight ends as its sign predicts, or every row the other
    // way. A larger weight then always fits better, and only the prior keeps it finite.
    bool *separable;
    // True if every row whose sum of fitted weights is not 0 ends as that sum predicts. Larger
    // weights then always fit better.
    bool separated;
} Identity;

// Finds ties and silent weights from the loss's part of the Hessian at the solution. It factorises
// the Hessian once. The caller frees with identity_clear().
void identify(const Fit *fit, Identity *identity);
// Finds separable weights with one pass over all rows, which must all belong to this process.
void identify_separable(const Fit *fit, Identity *identity);
void identity_clear(Identity *identity);
AUTO_VALUE(Identity, identity_clear)

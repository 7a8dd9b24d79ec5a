// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that the rows do not determine without a prior: terms that cannot be separated,
// weights that never occur, and those that no finite value is large enough for.
#pragma once

#include "tuner/fit/fit.h"

typedef struct Identity {
    int active; // weights that occur in the rows that are fitted
    int rank;   // independent directions among those
    // Ties: terms with combinations of weights that change no prediction, numbered from 1.
    int ties;
    int *tie;        // [terms]: the tie that a term belongs to; 0: none
    int *directions; // [ties + 1]: independent combinations, both phases together
    bool *silent;    // [n]: never occurs
    // [n]: every row with it ends as its sign says, or every one the other way: the larger the
    // weight, the better, and the prior alone holds it.
    bool *separable;
    // Every row with a sum of fitted weights other than 0 ends as its sign says: the larger all of
    // them, the better.
    bool separated;
} Identity;

// Finds ties and silent weights, from the loss's part of the Hessian at the solution. Free it with
// identity_clear(). Costs a factorisation of the Hessian.
void identify(const Fit *fit, Identity *identity);
// Finds what is separable, with one pass over all rows, which must be of this process.
void identify_separable(const Fit *fit, Identity *identity);
void identity_clear(Identity *identity);
AUTO_VALUE(Identity, identity_clear)

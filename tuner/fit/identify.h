// SPDX-License-Identifier: GPL-3.0-or-later
// Finds weights that the games do not determine without a prior: terms that cannot be separated
// from each other, weights that never occur, and weights whose likelihood grows without limit.
#pragma once

#include "tuner/fit/fit.h"

typedef struct Identity {
    int active; // number of weights that occur in the fitted positions
    // number of linearly independent combinations of these weights that change predictions
    int rank;
    // Number of collinear sets. A collinear set is a set of terms whose weights can be changed
    // together without changing any prediction. The sets are numbered from 1.
    int set_count;
    int *set; // number of the collinear set to which each term belongs; 0: the term is in no set
    // For each collinear set, the number of linearly independent combinations of its middlegame and
    // endgame weights that change no prediction. The index is the number of the set, from 1 to
    // set_count; directions[0] is not used.
    int *directions;
    bool *silent; // true for each of the n weights that never occurs
    // True for a fitted weight if raising it improves the prediction of every position in which it
    // occurs, or if lowering it does. Only the prior then keeps the weight finite.
    bool *separable;
    // True if the score by the fitted weights, without frozen weights and offsets, predicts the
    // winner of every position whose score is not 0, and at least one score is not 0. Larger
    // weights then always fit better.
    bool separated;
} Identity;

// Finds collinear sets of terms, and weights that never occur. Uses the Hessian of the loss at the
// solution. The caller frees with identity_clear().
void identify(const Fit *fit, Identity *identity);
// Finds out whether only the prior keeps weights finite (members `separable` and `separated`), in
// one pass over all positions. Call it after identify(). All positions must be in this process.
void identify_separable(const Fit *fit, Identity *identity);
void identity_clear(Identity *identity);
AUTO_VALUE(Identity, identity_clear)

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
    int *set; // number of the collinear set to which each term belongs; 0: to none
    // For each collinear set, the number of linearly independent combinations of its weights,
    // middlegame and endgame, that change no prediction. The index is the number of the set, from 1
    // to set_count; directions[0] is not used.
    int *directions;
    bool *silent; // true for each of the n weights that never occurs
    // True for a fitted weight if every position in which it occurs is predicted better by a larger
    // weight, or every one by a smaller weight. The fit then always improves further in this
    // direction, and only the prior keeps the weight finite.
    bool *separable;
    // True if the score by the fitted weights alone, without frozen weights and offsets, predicts
    // the winner of every position in which it is not 0, and if there is such a position. Larger
    // weights then always fit better.
    bool separated;
} Identity;

// Finds collinear sets and weights that never occur, from the part of the Hessian that comes from
// the loss, at the solution. The caller frees with identity_clear().
void identify(const Fit *fit, Identity *identity);
// Finds out whether only the prior keeps weights finite (members `separable` and `separated`), in
// one pass over all positions. Call it after identify(). All positions must be in this process.
void identify_separable(const Fit *fit, Identity *identity);
void identity_clear(Identity *identity);
AUTO_VALUE(Identity, identity_clear)

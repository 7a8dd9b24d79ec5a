// SPDX-License-Identifier: GPL-3.0-or-later
// Computes ratings of players from the games between them, by maximum likelihood. The rating of one
// player, the anchor, is given.
#pragma once

#include "selfplay/stats/stats.h"

// Results of the games between two players, from the first player's side.
typedef struct PairingCounts {
    int first, second;
    long long wins, draws, losses;
    long long pairs[5]; // opening pairs with 0, 1/2, 1, 1 1/2 and 2 points
    long long alike;    // number of pairs with the same moves in both games
} PairingCounts;

// Converts to the counts of a match of the first player against the second. The counts have pairs
// only if every game belongs to a pair.
void pairing_match_counts(const PairingCounts *pairing, MatchCounts *counts);

typedef struct Rating {
    double elo, error95; // error relative to the anchor, whose own error is 0
    bool prior;          // draws were added, because the results alone give no finite rating
    double points;       // 1 for a win, 1/2 for a draw
    long long games;
} Rating;

// Fits the Elo ratings that maximise the likelihood of the results, by Newton's method. The
// expected score of a game is 1/(1 + 10^((b - a)/400)), and a draw counts as half a win and half a
// loss (Bradley and Terry 1952; Zermelo 1929). Two players get the Elo and the error of
// strength_of_match(), unless one of them won every game.
//
// A prior is added only if the likelihood has no finite maximum (Ford 1957). This happens if the
// players can be divided into groups such that all games between two groups were won by the same
// group. Each pairing between such groups then gets one draw. Players outside the anchor's group
// have `prior` set.
//
// The errors come from the sandwich estimator I^-1 J I^-1. I is the Fisher information. J is the
// variance of the points, estimated from the scatter of the opening pairs. The model alone would
// overestimate it: a draw scatters less than half a win and half a loss, and the two games of a
// pair often have opposite results. One pair with the variance of the model is added to J, so that
// few pairs with equal results still have an error. Games that are in no pair get the variance of
// the model.
//
// Returns STATUS_NUMERIC if some player is not connected to the anchor by a chain of games. *loose
// is then the index of such a player, else -1; the caller knows its name.
Status ratings_fit(const PairingCounts *counts, size_t pairings, int players, int anchor,
                   double anchor_elo, Rating *ratings, int *loose, Err *err);

// Fills order[players] with the players, highest rating first. Players with equal ratings keep
// their order.
void ratings_order(const Rating *ratings, int players, int *order);

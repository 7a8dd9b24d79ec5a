// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of players from the games between them, by maximum likelihood with an anchor.
#pragma once

#include "selfplay/stats/stats.h"

// Games between two players, from the first one's side.
typedef struct PairingCounts {
    int first, second;
    long long wins, draws, losses;
    long long pairs[5]; // of these games, opening pairs whose points are 0, 1/2, 1, 1 1/2, 2
    long long alike;    // of these pairs, those with the same moves in both games
} PairingCounts;

// Converts to the counts of a match of the first player against the second. Single games count
// where some games are in no pair.
void pairing_match_counts(const PairingCounts *pairing, MatchCounts *counts);

typedef struct Rating {
    double elo, error95; // against the anchor, which has its given rating and error 0
    bool prior;          // the results alone give no finite rating: a draw was added, see below
    double points;       // 1 a win, 1/2 a draw
    long long games;
} Rating;

// Fits the Elo that make the results likeliest when a game's expected score is
// 1/(1 + 10^((b - a)/400)) and a draw counts as half a win and half a loss (Bradley and Terry 1952;
// Zermelo 1929), by Newton's method. Two players get the Elo and the error of strength_of_match().
//
// A prior is added only where the results have no finite maximum (Ford 1957): where players can be
// parted into groups of which one won every game against the other, each pairing between the groups
// gets one draw. Players of other groups than the anchor's have `prior` set.
//
// The errors are those of the sandwich I^-1 J I^-1 with the Fisher information I and the variance J
// of the points as the opening pairs scatter: a draw scatters less than the half win and loss it
// counts as, and the two games of a pair mostly decide against each other. One pair with the
// model's own variance is added to J alone, so that few pairs which end alike have errors. Games
// that are in no pair scatter as the model has it. STATUS_NUMERIC when the games do not tie all
// players to the anchor: the names of the players are the caller's, *loose is the index of one
// without a tie.
Status ratings_fit(const PairingCounts *counts, size_t pairings, int players, int anchor,
                   double anchor_elo, Rating *ratings, int *loose, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Computes ratings of players from the games between them, by maximum likelihood. The rating of one
// player, the anchor, is given.
#pragma once

#include "selfplay/stats/stats.h"

// Results of the games between two players, from the point of view of the first player.
typedef struct PairingCounts {
    int first, second;
    long long wins, draws, losses;
    long long pairs[5]; // number of opening pairs in which the first player scored 0, 1/2, 1, 1 1/2
                        // and 2 points
    long long alike;    // number of opening pairs in which both games have the same moves and no
                        // player failed to play
} PairingCounts;

// Converts the results of a pairing into the counts of a match of the first player against the
// second. Sets counts->has_pairs only if every game belongs to an opening pair: two games with the
// same opening and colours reversed.
void pairing_match_counts(const PairingCounts *pairing, MatchCounts *counts);

typedef struct Rating {
    double elo;     // rating of the player
    double error95; // half the 95 % interval of the difference between the player's rating and that
                    // of the anchor, the player whose rating is fixed; 0 for the anchor
    bool prior; // draws were added as a prior, because the results alone give the player no finite
                // rating
    double points; // points that the player scored: 1 for each win, 1/2 for each draw
    long long games;
} Rating;

// Fits the Elo ratings that maximise the likelihood of the results, by Newton's method. Under the
// model, the expected score of a player with rating a in a game against a player with rating b is
// 1/(1 + 10^((b - a)/400)). A draw counts as half a win and half a loss (Bradley and Terry 1952;
// Zermelo 1929). If there are only two players, strength_of_match() computes the Elo and the error
// instead, unless one player won every game.
//
// A prior is added only if the likelihood has no finite maximum (Ford 1957). This happens if the
// players can be divided into groups so that one group won all games against another. Each pairing
// with games between two such groups then gets one additional draw. Rating.prior is set for players
// outside the anchor's group, because their ratings depend on these draws.
//
// The errors come from the sandwich estimator I^-1 J I^-1. I is the Fisher information. J is the
// variance of the points, estimated from the scatter of the opening pairs. The model alone would
// overestimate this variance for two reasons. The points of a draw vary less than those of half a
// win and half a loss. The two games of a pair often have opposite results. For each pairing with
// opening pairs, one pair with the variance of the model is added to J. Without this pair, the
// error would be 0 after a few pairs with equal results. Games that belong to no pair contribute
// the variance of the model.
//
// Returns STATUS_NUMERIC if a player is not connected to the anchor by any chain of games.
// *unconnected is then the index of such a player; in all other cases it is -1. The message does
// not contain the player's name, which the caller knows. Also returns STATUS_NUMERIC if the
// information matrix is singular, so that the errors are unknown.
Status ratings_fit(const PairingCounts *counts, size_t pairings, int players, int anchor,
                   double anchor_elo, Rating *ratings, int *unconnected, Err *err);

// Fills order[players] with the indices of the players, highest rating first. Players with equal
// ratings stay in the order of their indices.
void ratings_order(const Rating *ratings, int players, int *order);

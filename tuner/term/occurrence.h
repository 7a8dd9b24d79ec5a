// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the positions and games in which a group of weights occurs. A game in which the
// group does not occur contains no information about its weights.
#pragma once

#include "tuner/fit/piece_table.h"
#include "tuner/rows/rows.h"

typedef struct Occurrence {
    uint64_t all_positions, all_games; // numbers of all positions and games
    // Number of positions in which a weight of the group counts differently for both sides, and of
    // games with such a position.
    uint64_t positions, games;
    bool both_alike; // true if the group occurs, but always equally often for both sides
    // Number of positions in which a weight of the group counts differently for both sides, in each
    // stage of the game.
    uint64_t by_stage[STAGE_ALL];
    // Number of positions in which the side with more of the group won the game, and in which it
    // lost. Draws and games without a result are in neither number.
    uint64_t winner, loser;
} Occurrence;

// Counts where the weights marked in chosen [2 * rows->pairs], the group, occur. All positions must
// be in this process.
void occurrence_measure(const RowSet *rows, const bool *chosen, Occurrence *occurrence);

// Smallest number of games with a term from which the term can be measured.
enum { OCCURRENCE_FEW_GAMES = 30 };
// Returns true if no position can measure the group: it never occurs, or always equally often for
// both sides.
bool occurrence_never(const Occurrence *occurrence);
// Appends "occurs in P of N positions and in G of M games". If the group never occurs, also appends
// why nothing was measured; if it occurs in few games, that these are too few.
void occurrence_describe(const Occurrence *occurrence, Text *text);

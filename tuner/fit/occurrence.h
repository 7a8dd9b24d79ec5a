// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the positions and games in which a group of weights occurs. A game in which the group does
// not occur contains no information about its weights.
#pragma once

#include "tuner/fit/piece_table.h"
#include "tuner/rows/rows.h"

typedef struct Occurrence {
    uint64_t all_positions, all_games; // numbers of all positions and games
    // Number of positions in which a weight of the group occurs more often for one side than for
    // the other, and number of games with such a position.
    uint64_t positions, games;
    bool both_alike; // true if the group occurs, but in each position equally often for both sides
    // `positions`, counted separately for each stage of the game
    uint64_t by_stage[STAGE_ALL];
    // Number of positions in which the side with more occurrences of the weights of the group won
    // the game, and number in which this side lost. Neither number contains positions with equal
    // counts, draws, or games without a result.
    uint64_t winner, loser;
} Occurrence;

// Counts the positions and games in which a group of weights occurs; `chosen` [2 * rows->pairs]
// marks the weights of the group. *rows must have all positions (not
// only the share of one MPI process).
void occurrence_measure(const RowSet *rows, const bool *chosen, Occurrence *occurrence);

// Least number of games with a term that is enough to measure the term.
enum { OCCURRENCE_FEW_GAMES = 30 };
// Returns true if no position contains information about the value of the group: its weights never
// occur, or occur in each position equally often for both sides.
bool occurrence_never(const Occurrence *occurrence);
// Appends "occurs in P of N positions and in G of M games". If the group never occurs, also appends
// why nothing was measured; if it occurs in few games, that these are too few.
void occurrence_describe(const Occurrence *occurrence, Text *text);

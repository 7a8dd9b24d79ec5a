// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the rows and games in which a group of weights occurs. Other games say nothing about it.
#pragma once

#include "tuner/fit/piece_table.h"
#include "tuner/rows/rows.h"

typedef struct Occurrence {
    uint64_t all_positions, all_games; // all rows and games
    // Positions in which one side has more of the group than the other, and games with such a
    // position.
    uint64_t positions, games;
    bool both_alike;              // the group occurs, but always equally often for both sides
    uint64_t by_stage[STAGE_ALL]; // positions by Stage
    // Positions in which the side with more of the group won or lost the game. Draws and games
    // without a result are in neither.
    uint64_t winner, loser;
} Occurrence;

// chosen [2 * rows->pairs] marks the weights of the group. All rows must be in this process.
void occurrence_measure(const RowSet *rows, const bool *chosen, Occurrence *occurrence);

// With fewer games, almost nothing can be said about a term.
enum { OCCURRENCE_FEW_GAMES = 30 };
// Returns true if the group counts in no position, so that nothing can be measured.
bool occurrence_never(const Occurrence *occurrence);
// Appends "occurs in P of N positions and G of M games"; if the group never occurs, also the reason
// why nothing was measured.
void occurrence_describe(const Occurrence *occurrence, Text *text);

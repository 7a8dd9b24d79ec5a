// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the rows in which a group of weights occurs: games say nothing about it elsewhere.
#pragma once

#include "tuner/fit/piece_table.h"
#include "tuner/rows/rows.h"

typedef struct Occurrence {
    uint64_t all_positions, all_games; // all rows and games
    // Positions, and games with such a position, in which a weight of the group counts: one side
    // has more of it than the other.
    uint64_t positions, games;
    bool both_alike;              // it occurs, but always as often for both sides
    uint64_t by_stage[STAGE_ALL]; // positions by Stage
    // Positions in which the side with more of it won and lost the game; draws and games without a
    // result are in neither.
    uint64_t winner, loser;
} Occurrence;

// chosen holds 2 * rows->pairs flags: the weights of the group. The rows must be of this process.
void occurrence_measure(const RowSet *rows, const bool *chosen, Occurrence *occurrence);

// Fewer games than these say next to nothing of a term.
enum { OCCURRENCE_FEW_GAMES = 30 };
// Returns true if no position has the group, so that nothing can be measured.
bool occurrence_never(const Occurrence *occurrence);
// Appends "occurs in P of N positions and G of M games", and why nothing was measured if it never
// does.
void occurrence_describe(const Occurrence *occurrence, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// Checks whether the scores and results of positions make sense together: do sides with high scores
// win, and is the unit of the scores plausible? The check finds files and engines whose scores or
// results were read from another view, or in another unit.
#pragma once

#include "core/base/json.h"
#include "datasets/store/record.h"

enum {
    SENSE_SCORE = 300,       // a side is ahead if its score is above this limit, units
    SENSE_LOW_MEDIAN = 5,    // a median of absolute scores below this looks like points, not units
    SENSE_HIGH_MEDIAN = 5000 // a median above this looks like internal units of an engine
};

// Positions with a result of one side to move, in which one side is ahead.
typedef struct SenseCell {
    uint64_t positions, wins; // number of positions, and of those whose game Red won
    uint64_t here;            // number of positions in the current game
} SenseCell;

// The lead of Red in a game: the share of the positions in which Red is ahead minus the share in
// which Black is ahead, among those in which one of them is. Sums over the games that one side won.
typedef struct SenseLead {
    double games, sum, squares; // number of games, sum of the leads, and sum of their squares
} SenseLead;

// Sums over positions. Initialise with zeros, call sense_add() for each position, game by game,
// then sense_finish().
typedef struct Sense {
    SenseCell cells[SIDE_COUNT][2]; // [side to move][0: Red is ahead, 1: Black is ahead]
    SenseLead leads[SIDE_COUNT][2]; // [side to move][0: Red won the game, 1: Black won]
    uint64_t scored, mates;         // positions with an ordinary score, and those with a mate
    uint32_t sizes[INT16_MAX + 2];  // number of ordinary scores by absolute value
    uint64_t game;                  // number of the current game
    int8_t result;                  // result of the current game
} Sense;

// Adds a position. `game` identifies its game; positions of a game come one after the other.
// Positions without a score are ignored.
void sense_add(Sense *sense, uint64_t game, Side stm, int score_red, int mate_red, int result);
// Adds the sampled positions of a batch of games. Records of a group count as one game.
void sense_add_batch(Sense *sense, const GameBatch *batch);
// Ends the last game. Call it once, after the last position.
void sense_finish(Sense *sense);

// Adds the shares of Red wins, the least, median and largest absolute score, and the share of mates
// to a record. Adds nothing if no position has a score.
void sense_record(const Sense *sense, Record *record);
// Prints what sense_complain() finds.
void sense_print(const Sense *sense, FILE *out);
// Appends a line for each fault that was found, such as "scores or results are from another view".
// Appends nothing if the data make sense, or if they are too few to tell.
void sense_complain(const Sense *sense, Text *text);

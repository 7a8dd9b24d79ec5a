// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the signs of a program's scores with the results of the games and with our static
// evaluation, for each colour. A program that reports scores from Red's point of view has the wrong
// signs as Black. No position is searched.
#pragma once

#include "core/base/json.h"
#include "core/eval/weights.h"
#include "datasets/store/record.h"
#include "selfplay/engines/player_spec.h"

// Number of games after which the signs are judged.
enum { SCORE_SIGNS_GAMES = 20 };

// Numbers of positions in which the signs are equal or opposite, for the scores of one colour.
// Scores near 0, positions that our evaluation calls level, and drawn games are not counted.
typedef struct SideSigns {
    uint64_t eval_equal, eval_opposite;     // score and our static evaluation
    uint64_t result_equal, result_opposite; // score and result of the game
} SideSigns;

// Zero-initialise.
typedef struct ScoreSigns {
    uint64_t games;
    SideSigns sides[SIDE_COUNT]; // indexed by the side to move, whose score it is
} ScoreSigns;

// Counts the scores of a game that belong to the program: those of the sides in `wanted`. Games
// with a handicap are not counted. Our evaluation uses these weights.
void score_signs_count(ScoreSigns *signs, const GameRecord *record, const PlyRecord *plies,
                       const bool wanted[SIDE_COUNT], const Weights *weights);
void score_signs_add(ScoreSigns *signs, const ScoreSigns *more);
// Returns true if there are SCORE_SIGNS_GAMES games and the scores of at least one colour have
// opposite signs. Appends a sentence about the player that says so and names the remedy.
bool score_signs_remark(const ScoreSigns *signs, const PlayerSpec *player, Text *text);

// Faults in the scores of a player that is a program.
typedef struct ScoreFaults {
    uint64_t bounds; // number of searches with only bounds of the score
    uint64_t unread; // number of searches with a score that has decimals and was not read
    const ScoreSigns *signs;
} ScoreFaults;

// Adds the faults to a record, in members whose names begin with `prefix`. Adds nothing if the
// player is our engine.
void score_faults_record(const ScoreFaults *faults, const PlayerSpec *player, const char *prefix,
                         Record *record);

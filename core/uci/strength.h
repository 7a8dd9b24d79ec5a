// SPDX-License-Identifier: GPL-3.0-or-later
// Results of measurements: the chances of win, draw and loss for a score and a game phase, and the
// playing strength for a number of nodes and a percentage of random moves.
#pragma once

#include "core/search/search.h"

// Chances of the side to move, in permille. Their sum is 1000.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

// Returns the chances of the side to move, from its search score and the phase (eval_phase()):
// win = 1 / (1 + exp(width - slope * score)), loss = 1 / (1 + exp(width + slope * score)).
// Slope and width depend on the phase. They were fitted by maximum likelihood to the results of
// 1,200 self-play games, whose positions were scored by searches of 1,000 nodes (E-026). A score of
// at least SCORE_EVAL_MAX, such as a mate, is a certain win, and a score of at most -SCORE_EVAL_MAX
// a certain loss.
Wdl wdl_of_score(int score, int phase);

// Settings that weaken the engine, and their effect.
typedef struct Strength {
    uint64_t nodes; // node limit of each move
    int slips;      // percentage of moves that are chosen at random among the legal moves
    int elo;        // measured strength of these settings in Elo; strength_of_elo() sets it to 0
} Strength;

// The levels of strengths.def: level n is strength_levels[n - 1].
enum {
#define STRENGTH(level, elo, error, nodes, slips) STRENGTH_ELO_##level = (elo),
#include "core/uci/strengths.def"
    STRENGTH_ELO_MIN = STRENGTH_ELO_1,
    STRENGTH_ELO_MAX = STRENGTH_ELO_11,
    STRENGTH_LEVELS = 11,
};
extern const Strength strength_levels[STRENGTH_LEVELS];

// Returns the settings for an Elo value from STRENGTH_ELO_MIN to STRENGTH_ELO_MAX. Between two
// measured levels the nodes are interpolated geometrically, the percentage of random moves
// linearly.
Strength strength_of_elo(int elo);

// Decides whether a weakened player makes a random move, with a probability of Strength.slips
// percent. Returns a random element of `moves`, or MOVE_NONE if the player shall play the move that
// its search found, or if `moves` is empty. `seed` and `index` determine the random numbers.
Move strength_slip(const Strength *strength, const MoveList *moves, uint64_t seed, uint64_t index);

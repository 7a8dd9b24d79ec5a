// SPDX-License-Identifier: GPL-3.0-or-later
// Measured tables: the chances of win, draw and loss for a score, and the playing strength for a
// number of nodes.
#pragma once

#include "core/search/search.h"

// Chances of the side to move, in permille. Their sum is 1000.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

// Returns the chances for a score of the search at a phase (eval_phase()):
// win = 1 / (1 + exp(width - slope * score)), loss = 1 / (1 + exp(width + slope * score)).
// Slope and width depend on the phase. They were fitted by maximum likelihood to 1,500 games of
// self-play at 1,000 nodes per move (E-026).
Wdl wdl_of_score(int score, int phase);

// The limits that weaken the engine.
typedef struct Strength {
    uint64_t nodes; // node limit of each move
    int slips;      // percentage of moves that are chosen at random
    int elo;        // measured playing strength in Elo; not set by strength_of_elo()
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

// Returns the limits for an Elo value. Between two measured levels the nodes are interpolated
// geometrically, the percentage of random moves linearly.
Strength strength_of_elo(int elo);

// Lets a weaker player make a random move in Strength.slips percent of the calls. Returns this
// random move of `moves`, or MOVE_NONE if the player shall make the move that it found. `seed`
// and `index` determine the result.
Move strength_slip(const Strength *strength, const MoveList *moves, uint64_t seed, uint64_t index);

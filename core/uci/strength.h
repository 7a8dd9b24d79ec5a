// SPDX-License-Identifier: GPL-3.0-or-later
// Measured tables: chances of win, draw and loss by score, and playing strength by nodes.
#pragma once

#include "core/search/search.h"

// Chances of the side to move in permille; their sum is 1000.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

// Returns the chances for a score of the search at a phase (eval_phase()): win = 1 / (1 + exp(d - s
// score)), loss = 1 / (1 + exp(d + s score)). Slope s and width d depend on the phase. They were
// fitted by maximum likelihood to 1,500 games of self-play at 1,000 nodes (E-026).
Wdl wdl_of_score(int score, int phase);

// The limits of a weaker player.
typedef struct Strength {
    uint64_t nodes; // nodes a move
    int slips;      // percentage of random moves
    int elo;        // measured strength
} Strength;

// The measured levels of strengths.def: level n is strength_levels[n - 1].
enum {
#define STRENGTH(level, elo, error, nodes, slips) STRENGTH_ELO_##level = (elo),
#include "core/uci/strengths.def"
    STRENGTH_ELO_MIN = STRENGTH_ELO_1,
    STRENGTH_ELO_MAX = STRENGTH_ELO_11,
    STRENGTH_LEVELS = 11,
};
extern const Strength strength_levels[STRENGTH_LEVELS];

// Returns the limits for an Elo. Between two levels nodes are interpolated geometrically, random
// moves linearly.
Strength strength_of_elo(int elo);

// Returns a random move of `moves`, or MOVE_NONE if the player makes no random move here. Seed and
// index decide both.
Move strength_slip(const Strength *strength, const MoveList *moves, uint64_t seed, uint64_t index);

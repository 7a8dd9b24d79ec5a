// SPDX-License-Identifier: GPL-3.0-or-later
// The results that scores promise, and the strength of searches of few nodes: both measured.
#pragma once

#include "core/search/search.h"

// Chances of the side to move, in permille; they sum to 1000.
typedef struct Wdl {
    int win, draw, loss;
} Wdl;

// Of a score of the search at a phase (eval_phase()): win = 1 / (1 + exp(d - s score)), loss = 1 /
// (1 + exp(d + s score)), with a slope s and a width d that depend on the phase; by maximum
// likelihood on 1,500 games of self-play at 1,000 nodes (E-026).
Wdl wdl_of_score(int score, int phase);

// The search of a weaker player.
typedef struct Strength {
    uint64_t nodes; // of each move
    int slips;      // percent of the moves that are drawn at random
    int elo;        // where it was measured
} Strength;

// The measured steps, strengths.def: level n is strength_levels[n - 1].
enum {
#define STRENGTH(level, elo, error, nodes, slips) STRENGTH_ELO_##level = (elo),
#include "core/uci/strengths.def"
    STRENGTH_ELO_MIN = STRENGTH_ELO_1,
    STRENGTH_ELO_MAX = STRENGTH_ELO_11,
    STRENGTH_LEVELS = 11,
};
extern const Strength strength_levels[STRENGTH_LEVELS];

// Between the steps the nodes grow geometrically, the slips evenly.
Strength strength_of_elo(int elo);

// The move of `moves` that a player makes by mistake, MOVE_NONE where it does not slip: drawn by
// the two numbers.
Move strength_slip(const Strength *strength, const MoveList *moves, uint64_t seed, uint64_t index);

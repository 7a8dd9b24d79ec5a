// SPDX-License-Identifier: GPL-3.0-or-later
// What scores are worth in results, and how strong a search of few nodes is: both measured.
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

// How a weaker player searches.
typedef struct Strength {
    uint64_t nodes; // of each move
    int slips;      // percent of the moves that are drawn at random
} Strength;

enum {
    STRENGTH_ELO_MIN = 693, // the ends of strengths.def
    STRENGTH_ELO_MAX = 2694,
};

// Between the measured steps of strengths.def the nodes grow geometrically, the slips evenly.
Strength strength_of_elo(int elo);

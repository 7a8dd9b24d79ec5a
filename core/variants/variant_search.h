// SPDX-License-Identifier: GPL-3.0-or-later
// One search for all games: iterative deepening, alpha-beta with a transposition table, quiescence
// of captures, and chance nodes with Star1 bounds (B. W. Ballard, "The *-minimax search procedure
// for trees containing chance nodes", Artificial Intelligence 21 (1983)).
#pragma once

#include <stdatomic.h>

#include "core/variants/variant.h"

// Draws that a game's rules leave to the one who plays.
typedef struct VariantDraws {
    int max_plies;  // length of a game; 0: no limit
    int no_capture; // plies without capture and uncovering; 0: no limit
} VariantDraws;

typedef struct VariantLimits {
    uint64_t nodes;          // 0: no limit. The first iteration is always completed
    int depth;               // 0: no limit
    double movetime_s;       // 0: no limit
    const atomic_bool *stop; // ends the search when it becomes true; may be NULL
    uint64_t seed;           // decides between turns that are equal so far
} VariantLimits;

typedef struct VariantReply {
    Move move; // 0: there is no turn
    int score; // for the team to move, in units; beyond +-VARIANT_WIN_LEAST a win or a loss
    int depth; // completed iterations
    uint64_t nodes;
} VariantReply;

typedef struct VariantSearch VariantSearch;

// A search with its own table of `hash_mb`; game and weights are borrowed.
VariantSearch *variant_search_new(const Variant *game, const VariantWeights *weights,
                                  double hash_mb);
void variant_search_free(VariantSearch *search); // NULL is fine
AUTO_HANDLE(VariantSearch, variant_search_free)

// Searches a position. `keys` are the `count` keys of the game's positions, this one is the last.
void variant_search(VariantSearch *search, const VariantState *state, const uint64_t *keys,
                    size_t count, const VariantDraws *draws, const VariantLimits *limits,
                    VariantReply *reply);

// Returns the reason why a game is drawn, NULL if it is not: the last of its `count` positions
// occurred `most` times since the last turn that cannot be taken back, or a limit was reached.
const char *variant_draw_reason(const VariantDraws *draws, const uint64_t *keys, size_t count,
                                int quiet, int most);

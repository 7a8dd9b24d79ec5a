// SPDX-License-Identifier: GPL-3.0-or-later
// The search of the games other than xiangqi (supply chess, banqi): iterative deepening, alpha-beta
// with a transposition table, quiescence search of captures, and chance nodes with Star1 bounds (B.
// W. Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial
// Intelligence 21, 1983).
#pragma once

#include <stdatomic.h>

#include "core/variants/variant.h"

// Limits that end a game as a draw.
typedef struct VariantDraws {
    int max_plies;  // number of plies after which the game is a draw; 0: no limit
    int no_capture; // number of plies in a row without a capture, a drop (supply chess) or the
                    // uncovering of a face-down piece (banqi) after which the game is a draw; 0: no
                    // limit
} VariantDraws;

typedef struct VariantLimits {
    uint64_t nodes;  // node limit; 0: no limit. It never interrupts the first iteration
    int depth;       // depth limit in plies; 0: 45 plies
    int movetime_ms; // time limit in milliseconds; 0: no limit. It never interrupts the first
                     // iteration
    const atomic_bool *stop; // flag that ends the search at once, even in the first iteration; may
                             // be NULL
    uint64_t seed; // seed of the random order of the root's turns. In this way the choice among
                   // turns with equal scores is random
} VariantLimits;

typedef struct VariantReply {
    Move move; // best turn; 0 if no turn is legal
    int score; // score for the team to move; beyond +-VARIANT_WIN_LEAST it is a win or a loss.
               // -VARIANT_WIN if no turn is legal, or if `stop` ended the first iteration
} VariantReply;

// A search with its transposition table of `hash_mb` mebibytes. Game and weights are borrowed.
typedef struct VariantSearch VariantSearch;
VariantSearch *variant_search_new(const Variant *game, const VariantWeights *weights,
                                  double hash_mb);
void variant_search_free(VariantSearch *search); // accepts NULL

// Searches a position. `keys` has the hash keys of all `count` positions of the game, from the
// start position to the searched one.
VariantReply variant_search(VariantSearch *search, const VariantState *state, const uint64_t *keys,
                            size_t count, const VariantDraws *draws, const VariantLimits *limits);

// Returns the reason why a game is drawn, or NULL if it is not. `keys` has the hash keys of the
// `count` positions of the game, and `quiet` is VariantState.quiet of the last one. The game is
// drawn if the last position has occurred `most` times among the last quiet + 1 positions, or if a
// limit was reached.
const char *variant_draw_reason(const VariantDraws *draws, const uint64_t *keys, size_t count,
                                int quiet, int most);

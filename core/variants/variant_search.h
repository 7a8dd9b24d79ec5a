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
    int max_plies;  // the game is a draw after this number of plies; 0: no limit
    int no_capture; // the game is a draw after this number of plies in a row in which nothing is
                    // captured, dropped (supply chess) or uncovered (banqi); 0: no limit
} VariantDraws;

typedef struct VariantLimits {
    uint64_t nodes;  // node limit, which never interrupts the first iteration; 0: no limit
    int depth;       // depth limit in plies; 0: 45 plies
    int movetime_ms; // time limit in milliseconds, which never interrupts the first iteration; 0:
                     // no limit
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
// `count` positions of the game, and `quiet` is VariantState.quiet of the last position. The game
// is drawn if a limit was reached, or if the last position occurs at least `most` times among the
// last quiet + 1 positions.
const char *variant_draw_reason(const VariantDraws *draws, const uint64_t *keys, size_t count,
                                int quiet, int most);

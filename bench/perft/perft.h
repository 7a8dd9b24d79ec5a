// SPDX-License-Identifier: GPL-3.0-or-later
// Perft: counting the leaves of the tree of legal moves, by the generator that plays.
#pragma once

#include "core/base/progress.h"
#include "core/board/position.h"

typedef struct PerftOptions {
    int threads; // at least 1
    int hash_mb; // mebibytes for counts of positions already met; 0: none
} PerftOptions;

typedef struct Perft Perft; // the options and the hash

Perft *perft_new(const PerftOptions *options);
void perft_free(Perft *perft);

// The number of legal move sequences of `depth` plies from a position; 1 for depth 0. A zeroed or
// unwanted progress may be NULL. False when the user interrupted it: *nodes is then incomplete.
bool perft_count(Perft *perft, const Position *position, int depth, Progress *progress,
                 uint64_t *nodes);

// The same by first moves: moves->moves[i] leads to nodes[i] sequences; depth at least 1.
bool perft_divide(Perft *perft, const Position *position, int depth, Progress *progress,
                  MoveList *moves, uint64_t nodes[MAX_MOVES]);

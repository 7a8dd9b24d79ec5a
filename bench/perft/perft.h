// SPDX-License-Identifier: GPL-3.0-or-later
// Perft: counting the leaves of the tree of legal moves, by the generator that plays.
#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/board/position.h"

typedef struct PerftOptions {
    int threads; // at least 1
    int hash_mb; // mebibytes for counts of positions already met; 0: none
} PerftOptions;

typedef struct Perft Perft; // the options and the hash

Perft *perft_new(const PerftOptions *options);
void perft_free(Perft *perft);
AUTO_HANDLE(Perft, perft_free)

// Stands for every count beyond 64 bits.
#define PERFT_OVERFLOW UINT64_MAX

// Counts the legal move sequences of `depth` plies from a position; 1 for depth 0. `progress` may
// be NULL. Returns false if the user interrupted it: *nodes is then incomplete.
bool perft_count(Perft *perft, const Position *position, int depth, Progress *progress,
                 uint64_t *nodes);

// The same by first moves: moves->moves[i] leads to nodes[i] sequences; depth at least 1.
bool perft_divide(Perft *perft, const Position *position, int depth, Progress *progress,
                  MoveList *moves, uint64_t nodes[MAX_MOVES]);

// One row of a file of known counts: `fen<TAB>depth<TAB>nodes`, a header line allowed, more columns
// ignored. fen is valid until the next row is read.
typedef struct PerftRow {
    size_t line; // number in the file
    const char *fen;
    Position position;
    int depth;      // 1..20
    uint64_t nodes; // the known count
    Err err;        // what is wrong with a row that cannot be used; the rest is then undefined
} PerftRow;
// True while there is a row, good or bad (row->err.status).
bool perft_read_row(LineReader *reader, PerftRow *row);

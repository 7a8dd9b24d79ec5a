// SPDX-License-Identifier: GPL-3.0-or-later
// Perft: counts the legal move sequences of a given length with the engine's move generator.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"
#include "core/command/progress.h"
#include "core/system/in_file.h"

typedef struct PerftOptions {
    int threads; // number of threads, at least 1
    int hash_mb; // size of the hash table in MiB; 0: no table
} PerftOptions;

// The options of perft and its hash table.
typedef struct Perft Perft;

Perft *perft_new(const PerftOptions *options);
void perft_free(Perft *perft);
AUTO_HANDLE(Perft, perft_free)

// The result of a count that does not fit into 64 bits.
#define PERFT_OVERFLOW UINT64_MAX

// Counts the legal move sequences of `depth` plies (at least 1) from a position. `progress` may be
// NULL. If the user interrupts the count, returns false, and *nodes is then incomplete.
bool perft_count(Perft *perft, const Position *position, int depth, Progress *progress,
                 uint64_t *nodes);

// Like perft_count(), but counts separately for each first move: nodes[i] is the number of
// sequences that begin with moves->moves[i].
bool perft_divide(Perft *perft, const Position *position, int depth, Progress *progress,
                  MoveList *moves, uint64_t nodes[MAX_MOVES]);

// One row of a file of known counts: `fen<TAB>depth<TAB>nodes`. A header line at the start of the
// file is skipped; further columns are ignored. `fen` is valid until the next row is read.
typedef struct PerftRow {
    size_t line; // line number of the row in the file
    const char *fen;
    Position position;
    int depth;      // depth of the count in plies, 1..20
    uint64_t nodes; // known perft count of the position at this depth
    Err err; // err.status is STATUS_OK if the row is valid. Otherwise err.text says why not, and
             // only `line` and `err` are valid
} PerftRow;
// Reads the next row, valid or not. Returns false at the end of the file.
bool perft_read_row(LineReader *reader, PerftRow *row);

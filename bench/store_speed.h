// SPDX-License-Identifier: GPL-3.0-or-later
// What the store costs: bytes and time, on games that somebody has.
#pragma once

#include "datasets/shard.h"

typedef struct StoreSpeed {
    uint64_t games, plies, positions;
    uint64_t file_bytes;   // of the whole shard
    double ply_bytes;      // moves, scores and mates, a ply, on disk
    double position_bytes; // all of /positions, a position, on disk
    double derive_s;       // games replayed into rows
    double hash_s;         // content hash
    double write_s;        // packed, written, closed, synced; the hash is in it
    double read_rows_s;    // everything back as rows
    double read_squares_s; // all of /positions as rows: the squares of the pieces, and the outcome
    double
        read_positions_s; // the same into PositionRecords: bitboards, keys, every position checked
    uint64_t row_bytes;   // of all rows, uncompressed, as the columns count
} StoreSpeed;

// Writes the games as one shard at `path` with every keep-th position sampled (0: those that are),
// reads it back, and removes it. One thread.
Status store_speed_measure(GameBatch *batch, int keep, const char *path, StoreSpeed *speed,
                           Err *err);

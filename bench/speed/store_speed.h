// SPDX-License-Identifier: GPL-3.0-or-later
// What the store costs: bytes and time, on games that somebody has.
#pragma once

#include "datasets/store/chunk.h"
#include "datasets/store/shard.h"

typedef struct StoreSpeed {
    uint64_t games, plies, positions;
    uint64_t file_bytes;     // of the whole shard
    double ply_bytes;        // moves, scores and mates, a ply, on disk
    double position_bytes;   // all of /positions, a position, on disk
    double derive_s;         // games replayed into rows
    double hash_s;           // content hash
    double write_s;          // packed, written, closed, synced; the hash is in it
    double read_rows_s;      // everything back as rows
    double read_boards_s;    // boards with outcomes: the squares of the pieces, side, result
    double read_positions_s; // all of /positions as rows
    double read_records_s;   // ... and as PositionRecords: bitboards, keys, every position checked
    uint64_t row_bytes;      // of all rows, uncompressed, as the columns count
} StoreSpeed;

// One column, packed and unpacked by itself.
typedef struct ColumnSpeed {
    const char *group;
    const char *name;
    uint64_t raw_bytes, bytes;
    double pack_s, unpack_s;
} ColumnSpeed;
enum { COLUMN_SPEEDS_MAX = 64 };

// Every column of the games' rows at a level of chunk.h, with one thread; returns their number.
int store_speed_columns(const GameBatch *batch, int level, ColumnSpeed speeds[COLUMN_SPEEDS_MAX],
                        Err *err);

// Samples one position in `keep`, at random; 0: leaves the samples as they are.
void store_speed_sample(GameBatch *batch, int keep);

// Writes the games as one shard at `path` packed at a level of chunk.h, reads it back, and removes
// it. One thread.
Status store_speed_measure(const GameBatch *batch, int level, const char *path, StoreSpeed *speed,
                           Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// One shard file: writing it whole, and reading it with every check.
#pragma once

#include "datasets/store/content_hash.h"
#include "datasets/store/store.h"

// What the head of a shard says.
typedef struct ShardHead {
    OptionRange range; // the games it answers for
    size_t counts[ROW_GROUP_COUNT];
    char content_hash[SHA256_HEX_SIZE];
} ShardHead;

// Writes derived games to `path` (any name), through the disk: closed and fsynced when it returns.
Status shard_write_file(const char *path, const GameBatch *batch, OptionRange range,
                        const Provenance *provenance, Err *err);

// Reads and checks the head of a shard: schema, lengths of all columns.
Status shard_read_head(const char *path, ShardHead *head, Err *err);
// The names of what is in /provenance, `seed` first; returns how many there are.
size_t provenance_names(const char *const **names);

// Reads a shard from its beginning in blocks of whole games.
typedef struct ShardReader ShardReader;
Status shard_reader_open(const char *path, ShardReader **reader, Err *err);
void shard_reader_close(ShardReader *reader);
const ShardHead *shard_reader_head(const ShardReader *reader);
// The next games, with about max_plies plies (at least one game; 0: all the rest), their plies and
// positions; game_batch_check() is left to the caller. The batch is filled anew, the caller clears
// it; no games: the end.
Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err);
// Positions first..first+count-1, whatever was read before.
Status shard_reader_positions(ShardReader *reader, size_t first, size_t count,
                              PositionRecord *records, Err *err);
// The same, but only squares, side to move and result: boards with outcomes and nothing else.
Status shard_reader_boards(ShardReader *reader, size_t first, size_t count, PositionRecord *records,
                           Err *err);
// One value of the provenance as text; the caller frees *value.
Status shard_reader_provenance(ShardReader *reader, const char *name, char **value, Err *err);
Status shard_reader_seed(ShardReader *reader, uint64_t *seed, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// One shard file: writing it whole, and reading it with every check.
#pragma once

#include "datasets/rows.h"
#include "datasets/store.h"

// What the head of a shard says.
typedef struct ShardHead {
    OptionRange range; // the games it answers for
    size_t counts[GROUP_COUNT];
    char content_hash[SHA256_HEX_SIZE];
} ShardHead;

// Writes rows to `path` (any name), through the disk: closed and fsynced when it returns.
Status shard_write_rows(const char *path, const ShardRows *rows, OptionRange range,
                        const Provenance *provenance, Err *err);

// Reads and checks the head of a shard: schema, lengths of all columns.
Status shard_read_head(const char *path, ShardHead *head, Err *err);
Status shard_read_provenance(const char *path, char **text, Err *err);

// Reads whole groups; what is not asked for stays empty. The caller clears the rows.
Status shard_read_rows(const char *path, bool games, bool positions, ShardRows *rows, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a run game after game: shards are cut and written on the way.
#pragma once

#include "datasets/store/store.h"

typedef struct RunWriter RunWriter;

// The directory is created; it must not hold games. *provenance must live as long as the writer.
Status run_writer_open(const char *dir, const Provenance *provenance, size_t shard_games,
                       RunWriter **writer, Err *err);

// The games that follow are those of this range of the run; the shards answer for all of it. Ranges
// ascend; between two that do not touch, no shard answers.
Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err);

// Adds a game of the covered range (its plies are copied); indices ascend.
Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies, Err *err);

// Writes what is left and frees the writer. Without this call the last games are not written:
// run_writer_abandon() frees alone. NULL is fine for both.
Status run_writer_close(RunWriter *writer, Err *err);
void run_writer_abandon(RunWriter *writer);

typedef struct RunWriterCounts {
    uint64_t games, plies, positions, shards;
} RunWriterCounts;
RunWriterCounts run_writer_counts(const RunWriter *writer);

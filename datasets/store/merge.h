// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs, or ranges of one run, as one.
#pragma once

#include "core/base/progress.h"
#include "datasets/store/record.h"
#include "datasets/store/run.h"

typedef struct MergeSpec {
    const char *const *paths; // run directories and shards
    int path_count;
    const char *out;    // run directory without games
    size_t shard_games; // of the copy
    bool any;      // runs of different options, seeds or weights too; the rules must be the same
    bool renumber; // games get new numbers in the order of the sources (implies any)
    const char *command, *options, *identity;
} MergeSpec;

typedef struct MergeReport {
    uint64_t games, plies, positions, shards;
    char content_hash[SHA256_HEX_SIZE];
} MergeReport;

// Copies all games into new shards. Sources whose ranges overlap or that were not made alike are
// refused, with the shard and the value named. What comes out has the provenance of the sources.
Status store_merge(const MergeSpec *spec, Progress *progress, MergeReport *report, Err *err);

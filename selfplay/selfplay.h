// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play: game i of a run is a function of the seed, i, the options, the weights and the rules
// alone, whoever plays it and when.
#pragma once

#include "core/base/progress.h"
#include "selfplay/opening.h"
#include "selfplay/scheduler.h"

typedef struct SelfplaySpec {
    OptionRange games;
    uint64_t seed;
    int threads;
    Weights weights;
    SearchParams params;
    double hash_mb; // table of each worker
    OpeningSource openings;
    PlaySpec play;
    const char *out;      // run directory
    uint64_t shard_games; // games of a full shard
    Provenance provenance;
} SelfplaySpec;

typedef struct SelfplaySummary {
    uint64_t games, plies, positions, nodes; // played now
    uint64_t already;                        // games that were there before
    bool interrupted;
} SelfplaySummary;

// Called under a lock after a shard is safe on disk.
typedef void SelfplayShardDone(void *context, const char *name, OptionRange range);

// Plays the games of spec->games that the run directory does not hold yet.
Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplayShardDone *done,
                    void *context, SelfplaySummary *summary, Err *err);

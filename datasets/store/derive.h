// SPDX-License-Identifier: GPL-3.0-or-later
// Making runs out of a run: every game is handed to a function that may change what is sampled of
// it and says where it goes. Games and their order stay; what the new runs hold is again a view of
// games.
#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "datasets/store/run.h"

enum { DERIVE_MAX_OUTPUTS = 3, DERIVE_DROP = -1 };

// Returns the number of the output, or DERIVE_DROP. May change plies[].sampled and nothing else.
typedef int DeriveGame(void *context, const GameRecord *game, PlyRecord *plies);

typedef struct DeriveSpec {
    const char *path;                     // run directory or shard
    const char *outs[DERIVE_MAX_OUTPUTS]; // directories without games; NULL ends the list
    size_t shard_games;
    bool drop_empty; // leave games out of which nothing is sampled
    const char *command, *options, *identity;
    uint64_t seed;
    DeriveGame *game;
    void *context;
} DeriveSpec;

typedef struct DeriveReport {
    uint64_t games, plies, positions; // read
    RunWriterCounts out[DERIVE_MAX_OUTPUTS];
} DeriveReport;

// Rules and weights of the source are handed on; what made it goes into the new runs' source text.
Status store_derive(const DeriveSpec *spec, Progress *progress, DeriveReport *report, Err *err);

// What provenance keeps of a run that another one is made of. The texts are the caller's to clear;
// STATUS_MISMATCH when the shards were not judged by the same rules.
typedef struct SourceTexts {
    Text rules, weights, source;
} SourceTexts;
Status source_texts_add(SourceTexts *texts, const char *path, Err *err);
void source_texts_clear(SourceTexts *texts);

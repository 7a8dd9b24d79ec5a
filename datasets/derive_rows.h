// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that make runs out of a run have in common: their rows, their call, their
// summary.
#pragma once

#include "core/base/common_rows.h"
#include "datasets/store/derive.h"

// Members every such settings struct begins with.
typedef struct DeriveSettings {
    const char *out;
    int shard_games;
    bool drop_empty, json, quiet;
} DeriveSettings;

#define ROW_DERIVE_OUT(S)                                                                          \
    OPT_TEXT("out", S, derive.out, NULL, "DIR", "run directory without games",                     \
             OPTION_REQUIRED | OPTION_NEUTRAL)
#define ROWS_DERIVE(S)                                                                             \
    OPT_INT("shard-games", S, derive.shard_games, 1, 10000000, "4096", "N", "games of one file",   \
            OPTION_NEUTRAL),                                                                       \
        OPT_FLAG("drop-empty", S, derive.drop_empty, "leave out games without positions"),         \
        OPT_FLAG("json", S, derive.json, "one JSON object a line", OPTION_NEUTRAL),                \
        OPT_FLAG("quiet", S, derive.quiet, "no progress line", OPTION_NEUTRAL)

// Runs the derivation of call->args[0] with the given function: into settings->out, or into its
// sub-directories `parts` (a list that NULL ends; NULL: none). Prints the summary; returns the exit
// status.
int derive_command(const CommandCall *call, const DeriveSettings *settings, uint64_t seed,
                   DeriveGame *game, void *context, const char *const *parts);

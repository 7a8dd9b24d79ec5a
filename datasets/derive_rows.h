// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that make runs out of a run have in common: their rows, their call, their
// summary.
#pragma once

#include "core/base/common_rows.h"
#include "datasets/store/derive.h"

// Members every such settings struct begins with.
typedef struct DeriveSettings {
    const char *out;
    int shard_games, level;
    bool drop_empty, json, quiet;
} DeriveSettings;

#define ROW_DERIVE_OUT(S)                                                                          \
    {                                                                                              \
        "out", OPTION_TEXT, offsetof(S, derive.out), 0, 0, NULL, "DIR",                            \
            "run directory without games (required)"                                               \
    }
#define ROWS_DERIVE(S)                                                                               \
    {"shard-games", OPTION_INT,         offsetof(S, derive.shard_games), 1, 10000000, "4096",        \
     "N",           "games of one file"},                                                            \
        {"level",                                                                                    \
         OPTION_CHOICE,                                                                              \
         offsetof(S, derive.level),                                                                  \
         0,                                                                                          \
         0,                                                                                          \
         "fast",                                                                                     \
         "fast|small",                                                                               \
         "how hard files are packed: small takes many times longer for some percent"},               \
        {"drop-empty", OPTION_FLAG, offsetof(S, derive.drop_empty),     0, 0,                        \
         NULL,         NULL,        "leave out games without positions"},                            \
        {"json", OPTION_FLAG, offsetof(S, derive.json), 0, 0, NULL, NULL, "one JSON object a line"}, \
    {                                                                                                \
        "quiet", OPTION_FLAG, offsetof(S, derive.quiet), 0, 0, NULL, NULL, "no progress line"        \
    }

// Runs the derivation of call->args[0] with the given function: into settings->out, or into its
// sub-directories `parts` (a list that NULL ends; NULL: none). Prints the summary; returns the exit
// status.
int derive_command(const CommandCall *call, const DeriveSettings *settings, uint64_t seed,
                   DeriveGame *game, void *context, const char *const *parts);

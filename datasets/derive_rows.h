// SPDX-License-Identifier: GPL-3.0-or-later
// Options and functions that the commands in cmd_derive.c and cmd_filter.c share.
#pragma once

#include "core/command/common_rows.h"
#include "datasets/store/derive.h"

typedef struct DeriveSettings {
    DeriveSpec spec; // the new run to derive; each command has options for the members that it
                     // uses, and derive_run() sets `kind` in a copy
    bool json, quiet;
} DeriveSettings;

#define ROW_DERIVE_OUT(help)                                                                       \
    OPT_TEXT("out", DeriveSettings, spec.out, NULL, "DIR", help, OPTION_REQUIRED | OPTION_NEUTRAL)
#define ROW_SHARD_GAMES                                                                            \
    OPT_INT("shard-games", DeriveSettings, spec.shard_games, 1, 10000000, "4096", "N",             \
            "write at most this number of games to each shard", OPTION_NEUTRAL)
#define ROW_DROP_EMPTY                                                                             \
    OPT_FLAG("drop-empty", DeriveSettings, spec.drop_empty,                                        \
             "drop games in which no position is sampled")

#define ROWS_DERIVE_END                                                                            \
    ROW_SHARD_GAMES, ROW_DROP_EMPTY, ROW_JSON(DeriveSettings), ROW_QUIET(DeriveSettings), OPTION_END
// Initialises those members of a Command that are common to all commands that derive_run() runs.
// `table` is the array of options. max_arguments is the largest number of arguments (-1: no limit).
#define DERIVE_COMMAND(table, max_arguments)                                                       \
    .rows = table, .settings_size = sizeof(DeriveSettings), .min_args = 1,                         \
    .max_args = max_arguments, .run = derive_run

// Runs the command that `call` names: derives the runs and prints the counts.
Status derive_run(const CommandCall *call, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data dedup: each position once.
#include "datasets/commands.h"
#include "datasets/derive_rows.h"
#include "datasets/store/subset.h"

typedef struct DedupSettings {
    DeriveSettings derive;
    bool mirrored, games;
} DedupSettings;

static const OptionRow dedup_rows[] = {
    ROW_DERIVE_OUT(DedupSettings),
    OPT_FLAG("mirrored", DedupSettings, mirrored,
             "a position and its left-right mirror image are one"),
    OPT_FLAG("games", DedupSettings, games,
             "drop games with the start and moves of an earlier one, too"),
    ROWS_DERIVE(DedupSettings),
    OPTION_END,
};

static int run_dedup(const CommandCall *call) {
    const DedupSettings *settings = call->settings;
    Dedup dedup = {.mirrored = settings->mirrored, .games = settings->games};
    const int exit_status = derive_command(call, &settings->derive, 0, derive_dedup, &dedup, NULL);
    dedup_clear(&dedup);
    return exit_status;
}

const Command command_data_dedup = {
    .name = "data dedup",
    .summary = "keep each sampled position once, the first time it comes",
    .usage = "DIR|FILE",
    .details = "paotai data dedup --mirrored --games --out build/once build/games",
    .rows = dedup_rows,
    .settings_size = sizeof(DedupSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_dedup,
};

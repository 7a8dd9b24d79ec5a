// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data split: training, validation and test games.
#include "datasets/commands.h"
#include "datasets/derive_rows.h"
#include "datasets/store/subset.h"

typedef struct SplitSettings {
    DeriveSettings derive;
    uint64_t seed;
    double valid, test;
} SplitSettings;

static const OptionRow split_rows[] = {
    OPT_TEXT("out", SplitSettings, derive.out, NULL, "DIR",
             "the parts become DIR/train, DIR/valid and DIR/test",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_REAL("valid", SplitSettings, valid, 0, 1, "0.1", "P",
             "fraction of the games for validation"),
    OPT_REAL("test", SplitSettings, test, 0, 1, "0.1", "P",
             "fraction of the games for the final test"),
    ROW_SEED(SplitSettings),
    ROWS_DERIVE(SplitSettings),
    OPTION_END,
};

static int run_split(const CommandCall *call) {
    static const char *const parts[] = {"train", "valid", "test", NULL};
    const SplitSettings *settings = call->settings;
    SplitParts split = {settings->seed, settings->valid, settings->test};
    if (settings->valid + settings->test > 1) {
        Err err = {0};
        err_set(&err, STATUS_USAGE, "--valid %g and --test %g are more than all", settings->valid,
                settings->test);
        return command_fail(call, &err);
    }
    return derive_command(call, &settings->derive, settings->seed, derive_split, &split, parts);
}

const Command command_data_split = {
    .name = "data split",
    .summary = "training, validation and test parts, by game",
    .usage = "DIR|FILE",
    .details =
        "Each game goes to one part as a whole, which depends on the seed and its number alone.\n\n"
        "paotai data split --valid 0.1 --test 0.1 --out build/parts build/games",
    .rows = split_rows,
    .settings_size = sizeof(SplitSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_split,
};

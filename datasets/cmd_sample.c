// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data sample: fewer positions, by chance.
#include "datasets/commands.h"
#include "datasets/derive_rows.h"
#include "datasets/store/subset.h"

typedef struct SampleSettings {
    DeriveSettings derive;
    uint64_t seed, positions, per_game;
    double fraction;
} SampleSettings;

static const OptionRow sample_rows[] = {
    ROW_DERIVE_OUT(SampleSettings),
    OPT_U64("positions", SampleSettings, positions, "0", "N",
            "so many positions, each set of them equally likely"),
    OPT_REAL("fraction", SampleSettings, fraction, 0, 1, "0", "P",
             "each position with this probability"),
    OPT_U64("per-game", SampleSettings, per_game, "0", "N", "at most so many of each game"),
    ROW_SEED(SampleSettings),
    ROWS_DERIVE(SampleSettings),
    OPTION_END,
};

static int run_exactly(const CommandCall *call, const SampleSettings *settings) {
    SampleExactly sample = {.wanted = settings->positions};
    Store *store = NULL;
    Err err = {0};
    if (store_open(call->args[0], &store, &err) != STATUS_OK) return command_fail(call, &err);
    sample.total = store_position_count(store);
    store_close(store);
    if (sample.wanted > sample.total) {
        err_set(&err, STATUS_USAGE, "--positions %llu: there are only %llu",
                (unsigned long long)sample.wanted, (unsigned long long)sample.total);
        return command_fail(call, &err);
    }
    random_init(&sample.random, settings->seed, 0);
    return derive_command(call, &settings->derive, settings->seed, derive_sample_exactly, &sample,
                          NULL);
}

static int run_sample(const CommandCall *call) {
    const SampleSettings *settings = call->settings;
    const int ways = command_given(call, "positions") + command_given(call, "fraction") +
                     command_given(call, "per-game");
    if (ways != 1) {
        Err err = {0};
        err_set(&err, STATUS_USAGE, "want one of --positions, --fraction and --per-game");
        return command_fail(call, &err);
    }
    if (command_given(call, "positions")) return run_exactly(call, settings);
    SampleFraction fraction = {settings->seed, settings->fraction};
    SamplePerGame per_game = {settings->seed, settings->per_game};
    const bool by_fraction = command_given(call, "fraction");
    return derive_command(call, &settings->derive, settings->seed,
                          by_fraction ? derive_sample_fraction : derive_sample_per_game,
                          by_fraction ? (void *)&fraction : (void *)&per_game, NULL);
}

const Command command_data_sample = {
    .name = "data sample",
    .summary = "keep some of the sampled positions, by chance",
    .usage = "DIR|FILE",
    .details = "The choice depends on the seed and the games, not on the shards.\n\n"
               "paotai data sample --positions 1000000 --seed 3 --out build/million build/games",
    .rows = sample_rows,
    .settings_size = sizeof(SampleSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_sample,
};

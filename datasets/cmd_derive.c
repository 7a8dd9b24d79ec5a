// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data sample, dedup, split and merge: derive runs from runs. 'data filter' has its own
// file.
#include <string.h>

#include "datasets/derive_rows.h"

#define ROW_DERIVE_SEED                                                                            \
    OPT_U64("seed", DeriveSettings, spec.seed, "1", "N", "set the seed of all random choices")

Status derive_run(const CommandCall *call, Err *err) {
    static const char *const names[] = {[DERIVE_MERGE] = "data merge",
                                        [DERIVE_FILTER] = "data filter",
                                        [DERIVE_SAMPLE] = "data sample",
                                        [DERIVE_DEDUP] = "data dedup",
                                        [DERIVE_SPLIT] = "data split"};
    const DeriveSettings *settings = call->settings;
    DeriveSpec spec = settings->spec;
    while (strcmp(names[spec.kind], call->command->name) != 0) spec.kind++;
    Progress progress;
    DeriveReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_derive(call, &spec, &progress, &report, err);
    progress_finish(&progress, report.games, "");
    TRY(status);
    derive_print(&spec, &report, settings->json, call->out);
    return STATUS_OK;
}

// ---- sample -------------------------------------------------------------------------------------

static const OptionRow sample_rows[] = {
    ROW_DERIVE_OUT("write to this run directory, which must not hold games"),
    OPT_U64("positions", DeriveSettings, spec.positions, NULL, "N",
            "keep exactly this number of sampled positions, chosen at random from the whole run"),
    OPT_REAL("fraction", DeriveSettings, spec.fraction, 0, 1, NULL, "P",
             "keep each position that is marked as sampled in DIR with this probability"),
    OPT_U64("per-game", DeriveSettings, spec.per_game, NULL, "N",
            "keep at most this number of sampled positions of each game, chosen at random"),
    ROW_DERIVE_SEED,
    ROWS_DERIVE_END,
};

const Command command_data_sample = {
    .name = "data sample",
    .summary = "keep a random selection of the sampled positions",
    .usage = "DIR|FILE",
    .details = "Give exactly one of --positions, --fraction and --per-game. Which positions "
               "are chosen depends on the seed and the games, not on how the games are divided "
               "into shards.\n\npaotai data sample --positions 1000000 --seed 3 --out "
               "build/million build/games",
    DERIVE_COMMAND(sample_rows, 1),
};

// ---- dedup --------------------------------------------------------------------------------------

static const OptionRow dedup_rows[] = {
    ROW_DERIVE_OUT("write to this run directory, which must not hold games"),
    OPT_FLAG("mirrored", DeriveSettings, spec.mirrored,
             "treat a position and its left-right mirror image as equal"),
    OPT_FLAG("games", DeriveSettings, spec.games,
             "also drop a game if an earlier game has the same start position and moves, or is its "
             "mirror image"),
    ROWS_DERIVE_END,
};

const Command command_data_dedup = {
    .name = "data dedup",
    .summary = "keep each sampled position once, at its first occurrence",
    .usage = "DIR|FILE",
    .details = "paotai data dedup --mirrored --games --out build/once build/games",
    DERIVE_COMMAND(dedup_rows, 1),
};

// ---- split --------------------------------------------------------------------------------------

static const OptionRow split_rows[] = {
    ROW_DERIVE_OUT("write three runs, to DIR/train, DIR/valid and DIR/test"),
    OPT_REAL("valid", DeriveSettings, spec.valid, 0, 1, "0.1", "P",
             "put about this fraction of the games, from 0 to 1, into DIR/valid"),
    OPT_REAL("test", DeriveSettings, spec.test, 0, 1, "0.1", "P",
             "put about this fraction of the games, from 0 to 1, into DIR/test"),
    ROW_DERIVE_SEED,
    ROWS_DERIVE_END,
};

const Command command_data_split = {
    .name = "data split",
    .summary = "split games into training, validation and test parts",
    .usage = "DIR|FILE",
    .details = "All positions of a game go to the same part. Copies, mirror images and variations "
               "of a game go to the part of that game. The part depends only on the seed, the "
               "start position and the moves of the game.\n\npaotai data split --valid 0.1 --test "
               "0.1 --out build/parts build/games",
    DERIVE_COMMAND(split_rows, 1),
};

// ---- merge -------------------------------------------------------------------------------------

static const OptionRow merge_rows[] = {
    ROW_DERIVE_OUT("write to this run directory, which must not hold games"),
    OPT_FLAG("any", DeriveSettings, spec.any,
             "also merge runs that have different options, seeds or weights; their rules must be "
             "the same"),
    OPT_FLAG("renumber", DeriveSettings, spec.renumber,
             "give the games new numbers, in the order of the sources; the runs may then have "
             "equal game numbers and, as with --any, different options, seeds or weights"),
    ROW_SHARD_GAMES,
    ROW_JSON(DeriveSettings),
    ROW_QUIET(DeriveSettings),
    OPTION_END,
};

const Command command_data_merge = {
    .name = "data merge",
    .summary = "join several runs, or parts of one run, into one run",
    .usage = "DIR|FILE...",
    .details = "If several machines played different games of one run (selfplay --games A:B), the "
               "merged run has the games and the content hash of a run on one machine. Without "
               "--renumber, merge refuses sources with equal game numbers. Without --any and "
               "--renumber, it refuses sources that were made with different settings. The message "
               "names the sources.\n\npaotai data merge --out build/all build/part1 build/part2",
    DERIVE_COMMAND(merge_rows, -1),
};

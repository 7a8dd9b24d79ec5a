// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data filter, sample, dedup, split and merge: derive runs from runs.
#include <stdio.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/eval/eval.h"
#include "datasets/store/derive.h"

typedef struct DeriveSettings {
    DeriveSpec spec; // all members except `kind`
    bool json, quiet;
} DeriveSettings;

#define ROW_OUT(help)                                                                              \
    OPT_TEXT("out", DeriveSettings, spec.out, NULL, "DIR", help, OPTION_REQUIRED | OPTION_NEUTRAL)
#define ROW_SHARD_GAMES                                                                            \
    OPT_INT("shard-games", DeriveSettings, spec.shard_games, 1, 10000000, "4096", "N",             \
            "games per shard", OPTION_NEUTRAL)
#define ROW_DROP_EMPTY                                                                             \
    OPT_FLAG("drop-empty", DeriveSettings, spec.drop_empty, "drop games without positions")
#define ROW_DERIVE_SEED                                                                            \
    OPT_U64("seed", DeriveSettings, spec.seed, "1", "N", "seed of all random choices")

#define ROWS_AT_END                                                                                \
    ROW_SHARD_GAMES, ROW_DROP_EMPTY, ROW_JSON(DeriveSettings), ROW_QUIET(DeriveSettings), OPTION_END
// The members of a Command except its texts.
#define DERIVE_COMMAND(table, max_arguments)                                                       \
    .rows = table, .settings_size = sizeof(DeriveSettings), .min_args = 1,                         \
    .max_args = max_arguments, .run = run_derive

// Sets the sampling method from the option that was given.
static Status choose_method(const CommandCall *call, DeriveSpec *spec, Err *err) {
    static const char *const options[] = {"positions", "fraction", "per-game"};
    int given = 0;
    for (int i = 0; i < 3; i++) {
        if (!command_given(call, options[i])) continue;
        spec->method = i;
        given++;
    }
    if (given == 1) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "give exactly one of --positions, --fraction and --per-game");
}

static Status run_derive(const CommandCall *call, Err *err) {
    static const char *const names[] = {[DERIVE_MERGE] = "data merge",
                                        [DERIVE_FILTER] = "data filter",
                                        [DERIVE_SAMPLE] = "data sample",
                                        [DERIVE_DEDUP] = "data dedup",
                                        [DERIVE_SPLIT] = "data split"};
    const DeriveSettings *settings = call->settings;
    DeriveSpec spec = settings->spec;
    while (strcmp(names[spec.kind], call->command->name) != 0) spec.kind++;
    if (spec.kind == DERIVE_SAMPLE) TRY(choose_method(call, &spec, err));
    if (spec.valid + spec.test > 1) {
        return err_set(err, STATUS_USAGE, "--valid %g plus --test %g is more than 1", spec.valid,
                       spec.test);
    }
    Progress progress;
    DeriveReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_derive(call, &spec, &progress, &report, err);
    progress_finish(&progress, report.games, "");
    TRY(status);
    derive_print(&spec, &report, settings->json, call->out);
    return STATUS_OK;
}

// ---- filter -------------------------------------------------------------------------------------

#define RULE_FLAG(name, member, help) OPT_FLAG(name, DeriveSettings, spec.rule.member, help)
#define RULE_INT(name, member, low, high, value, unit, help)                                       \
    OPT_INT(name, DeriveSettings, spec.rule.member, low, high, value, unit, help)

static const OptionRow filter_rows[] = {
    ROW_OUT("write to this run directory, which must not hold games"),
    OPT_CHOICE("from", DeriveSettings, spec.rule.from, "sampled", "sampled|plies",
               "choose among the sampled positions, or sample anew from all plies"),
    RULE_FLAG("quiet-positions", quiet,
              "keep positions that are not in check and whose move played is not a capture"),
    RULE_FLAG("no-check", no_check, "keep positions that are not in check"),
    RULE_FLAG("scored", scored, "keep positions with a score and without a mate"),
    RULE_INT("min-ply", min_ply, 0, 65535, "0", "N",
             "smallest number of plies before the position"),
    RULE_INT("max-ply", max_ply, 0, 65535, "65535", "N",
             "largest number of plies before the position"),
    RULE_INT("every", every, 1, 65535, "1", "N",
             "keep only each N-th ply of a game, counted from --min-ply"),
    RULE_INT("max-score", max_score, -1, 32767, "-1", "UNITS",
             "largest absolute score, and no mate; -1: any score"),
    RULE_INT("min-pieces", min_pieces, 0, 32, "0", "N", "smallest number of pieces on the board"),
    RULE_INT("max-pieces", max_pieces, 0, 32, "32", "N", "largest number of pieces on the board"),
    RULE_INT("min-phase", min_phase, 0, PHASE_MAX, "0", "N",
             "smallest phase of the evaluation, which is 48 with all pieces"),
    RULE_INT("max-phase", max_phase, 0, PHASE_MAX, "48", "N", "largest phase of the evaluation"),
    RULE_INT(
        "max-gap", max_gap, -1, 32767, "-1", "UNITS",
        "largest difference of score and static evaluation by --weights, and no mate; -1: any"),
    OPT_TEXT("weights", DeriveSettings, spec.rule.weights, "default", "NAME|FILE",
             "weights for --max-gap: classic, default or a weight file"),
    OPT_TEXT("player", DeriveSettings, spec.tags.player, NULL, "NAME",
             "keep games in which Red's or Black's name contains NAME"),
    OPT_TEXTS("tag", DeriveSettings, spec.tags.tags, NULL, "NAME=TEXT",
              "keep games whose tag NAME (Red, Event, ECCO ...) contains TEXT"),
    OPT_INT("min-elo", DeriveSettings, spec.tags.min_elo, 0, 10000, "0", "N",
            "keep games in which both players have at least this rating; 0: any"),
    OPT_INT("min-year", DeriveSettings, spec.tags.min_year, 0, 9999, "0", "YEAR",
            "keep games that are dated in this year or later; 0: any"),
    OPT_INT("max-year", DeriveSettings, spec.tags.max_year, 0, 9999, "0", "YEAR",
            "keep games that are dated in this year or earlier; 0: any"),
    ROWS_AT_END,
};

const Command command_data_filter = {
    .name = "data filter",
    .summary = "choose positions, and games, by a rule",
    .usage = "DIR|FILE",
    .details =
        "All given conditions must hold. The command keeps the games and drops positions that do "
        "not fit. It drops games with other players, tags, ratings or years. In an imported game, "
        "--from plies uses only the plies before the referee's end.\n\n"
        "paotai data filter --quiet-positions --max-score 1500 --out "
        "build/clean build/games\n"
        "paotai data filter --from plies --scored --min-ply 10 --out build/anew build/games\n"
        "paotai data filter --player 胡荣华 --tag ECCO=C --min-year 1980 --out build/hu "
        "build/real",
    DERIVE_COMMAND(filter_rows, 1),
    .reads_weights = true,
};

// ---- sample -------------------------------------------------------------------------------------

static const OptionRow sample_rows[] = {
    ROW_OUT("write to this run directory, which must not hold games"),
    OPT_U64("positions", DeriveSettings, spec.positions, "0", "N",
            "keep this number of positions, all choices equally likely"),
    OPT_REAL("fraction", DeriveSettings, spec.fraction, 0, 1, "0", "P",
             "keep each position with this probability"),
    OPT_U64("per-game", DeriveSettings, spec.per_game, "0", "N",
            "keep at most this number of positions per game"),
    ROW_DERIVE_SEED,
    ROWS_AT_END,
};

const Command command_data_sample = {
    .name = "data sample",
    .summary = "keep a random part of the sampled positions",
    .usage = "DIR|FILE",
    .details = "The choice depends on the seed and the games, not on the shards.\n\n"
               "paotai data sample --positions 1000000 --seed 3 --out build/million build/games",
    DERIVE_COMMAND(sample_rows, 1),
};

// ---- dedup --------------------------------------------------------------------------------------

static const OptionRow dedup_rows[] = {
    ROW_OUT("write to this run directory, which must not hold games"),
    OPT_FLAG("mirrored", DeriveSettings, spec.mirrored,
             "treat a position and its left-right mirror image as equal"),
    OPT_FLAG("games", DeriveSettings, spec.games,
             "also drop games with the start and moves of an earlier one; mirror images count as "
             "one game, as in 'data info'"),
    ROWS_AT_END,
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
    ROW_OUT("write to DIR/train, DIR/valid and DIR/test"),
    OPT_REAL("valid", DeriveSettings, spec.valid, 0, 1, "0.1", "P",
             "fraction of the games for validation"),
    OPT_REAL("test", DeriveSettings, spec.test, 0, 1, "0.1", "P",
             "fraction of the games for the final test"),
    ROW_DERIVE_SEED,
    ROWS_AT_END,
};

const Command command_data_split = {
    .name = "data split",
    .summary = "split games into training, validation and test parts",
    .usage = "DIR|FILE",
    .details =
        "Each game goes to one part as a whole, together with its copies and mirror images. The "
        "choice depends only on the seed and the moves.\n\n"
        "paotai data split --valid 0.1 --test 0.1 --out build/parts build/games",
    DERIVE_COMMAND(split_rows, 1),
};

// ---- merge -------------------------------------------------------------------------------------

static const OptionRow merge_rows[] = {
    ROW_OUT("write to this run directory, which must not hold games"),
    OPT_FLAG(
        "any", DeriveSettings, spec.any,
        "also merge runs with different options, seeds or weights; the rules must be the same"),
    OPT_FLAG("renumber", DeriveSettings, spec.renumber,
             "number the games anew in the order of the sources, of any runs"),
    ROW_SHARD_GAMES,
    ROW_JSON(DeriveSettings),
    ROW_QUIET(DeriveSettings),
    OPTION_END,
};

const Command command_data_merge = {
    .name = "data merge",
    .summary = "join several runs, or ranges of one run, into one",
    .usage = "DIR|FILE...",
    .details = "Ranges of one run, played on several machines, become the run of one machine, with "
               "the same content hash. merge refuses sources that overlap or were made "
               "differently, and names them.\n\n"
               "paotai data merge --out build/all build/part1 build/part2",
    DERIVE_COMMAND(merge_rows, -1),
};

// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that make runs out of runs: paotai data filter, sample, dedup, split, merge.
#include <stdio.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/eval/eval.h"
#include "datasets/store/derive.h"

typedef struct DeriveSettings {
    DeriveSpec spec; // without its kind
    bool json, quiet;
} DeriveSettings;

#define ROW_OUT(help)                                                                              \
    OPT_TEXT("out", DeriveSettings, spec.out, NULL, "DIR", help, OPTION_REQUIRED | OPTION_NEUTRAL)
#define ROW_SHARD_GAMES                                                                            \
    OPT_INT("shard-games", DeriveSettings, spec.shard_games, 1, 10000000, "4096", "N",             \
            "games of one file", OPTION_NEUTRAL)
#define ROW_DROP_EMPTY                                                                             \
    OPT_FLAG("drop-empty", DeriveSettings, spec.drop_empty, "leave out games without positions")
#define ROW_DERIVE_SEED                                                                            \
    OPT_U64("seed", DeriveSettings, spec.seed, "1", "N", "seed of all random choices")

#define ROWS_AT_END                                                                                \
    ROW_SHARD_GAMES, ROW_DROP_EMPTY, ROW_JSON(DeriveSettings), ROW_QUIET(DeriveSettings), OPTION_END
// All but the texts of a command.
#define DERIVE_COMMAND(table, args_most)                                                           \
    .rows = table, .settings_size = sizeof(DeriveSettings), .min_args = 1, .max_args = args_most,  \
    .run = run_derive

// Which of the samples is wanted?
static Status choose_way(const CommandCall *call, DeriveSpec *spec, Err *err) {
    static const char *const ways[] = {"positions", "fraction", "per-game"};
    int given = 0;
    for (int i = 0; i < 3; i++) {
        if (!command_given(call, ways[i])) continue;
        spec->method = i;
        given++;
    }
    if (given == 1) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "want one of --positions, --fraction and --per-game");
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
    const int parts = spec.kind == DERIVE_SPLIT ? DERIVE_SPLITS : 1;
    if (spec.kind == DERIVE_SAMPLE) TRY(choose_way(call, &spec, err));
    if (spec.valid + spec.test > 1) {
        return err_set(err, STATUS_USAGE, "--valid %g and --test %g are more than all", spec.valid,
                       spec.test);
    }
    Progress progress;
    DeriveReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_derive(call, &spec, &progress, &report, err);
    progress_finish(&progress, report.games, "");
    TRY(status);
    Record record;
    record_begin(&record, call->out, settings->json);
    if (spec.kind == DERIVE_MERGE) {
        record_add(&record, "source_shards %lu games %lu plies %lu positions %lu", report.shards,
                   report.games, report.plies, report.positions);
        if (!spec.renumber) record_add(&record, "content_hash %s", report.content_hash);
    } else {
        record_add(&record, "source_games %lu source_positions %lu", report.games,
                   report.positions);
    }
    if (report.dates_unread) record_add(&record, "dates_unread %lu", report.dates_unread);
    for (int i = 0; i < parts && spec.kind != DERIVE_MERGE; i++) {
        const RunWriterCounts *out = &report.out[i];
        char part[32] = "";
        if (parts > 1) snprintf(part, sizeof part, "%s_", derive_splits[i]);
        record_add(&record, "%sgames %lu %splies %lu %spositions %lu", part, out->games, part,
                   out->plies, part, out->positions);
    }
    record_end(&record);
    return STATUS_OK;
}

// ---- filter -------------------------------------------------------------------------------------

#define RULE_FLAG(name, member, help) OPT_FLAG(name, DeriveSettings, spec.rule.member, help)
#define RULE_INT(name, member, low, high, usual, unit, help)                                       \
    OPT_INT(name, DeriveSettings, spec.rule.member, low, high, usual, unit, help)

static const OptionRow filter_rows[] = {
    ROW_OUT("run directory without games"),
    OPT_CHOICE("from", DeriveSettings, spec.rule.from, "sampled", "sampled|plies",
               "choose among the sampled positions, or anew among all plies"),
    RULE_FLAG("quiet-positions", quiet, "not in check, and the move played captures nothing"),
    RULE_FLAG("no-check", no_check, "not in check"),
    RULE_FLAG("scored", scored, "with a score, and no mate seen"),
    RULE_INT("min-ply", min_ply, 0, 65535, "0", "N", "plies played before it, at least"),
    RULE_INT("max-ply", max_ply, 0, 65535, "65535", "N", "and at most"),
    RULE_INT("every", every, 1, 65535, "1", "N", "each N-th ply of a game, from --min-ply on"),
    RULE_INT("max-score", max_score, -1, 32767, "-1", "UNITS",
             "score at most this, either way, and no mate; -1: any"),
    RULE_INT("min-pieces", min_pieces, 0, 32, "0", "N", "pieces on the board, at least"),
    RULE_INT("max-pieces", max_pieces, 0, 32, "32", "N", "and at most"),
    RULE_INT("min-phase", min_phase, 0, PHASE_MAX, "0", "N",
             "phase of the evaluation, 48 with all pieces, at least"),
    RULE_INT("max-phase", max_phase, 0, PHASE_MAX, "48", "N", "and at most"),
    RULE_INT(
        "max-gap", max_gap, -1, 32767, "-1", "UNITS",
        "largest distance of the score from the evaluation by --weights, and no mate; -1: any"),
    OPT_TEXT("weights", DeriveSettings, spec.rule.weights, "default", "NAME|FILE",
             "classic, default or a weight file"),
    OPT_TEXT("player", DeriveSettings, spec.tags.player, NULL, "NAME",
             "only games in which Red's or Black's name holds this"),
    OPT_TEXTS("tag", DeriveSettings, spec.tags.tags, NULL, "NAME=TEXT",
              "only games whose tag of this name (Red, Event, ECCO ...) holds this text"),
    OPT_INT("min-elo", DeriveSettings, spec.tags.min_elo, 0, 10000, "0", "N",
            "only games of two players of at least this rating; 0: any"),
    OPT_INT("min-year", DeriveSettings, spec.tags.min_year, 0, 9999, "0", "YEAR",
            "only games with a date, of this year or later; 0: any"),
    OPT_INT("max-year", DeriveSettings, spec.tags.max_year, 0, 9999, "0", "YEAR",
            "and of this year or earlier; 0: any"),
    ROWS_AT_END,
};

const Command command_data_filter = {
    .name = "data filter",
    .summary = "choose positions, and games, by a rule",
    .usage = "DIR|FILE",
    .details =
        "All conditions that are given must hold. Games stay as they are, with the positions "
        "that\n"
        "fit; those of other players, tags, ratings or years are left out. Of an imported game\n"
        "--from plies takes only plies before the referee's end.\n\n"
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
    ROW_OUT("run directory without games"),
    OPT_U64("positions", DeriveSettings, spec.positions, "0", "N",
            "number of positions to keep, every choice equally likely"),
    OPT_REAL("fraction", DeriveSettings, spec.fraction, 0, 1, "0", "P",
             "each position with this probability"),
    OPT_U64("per-game", DeriveSettings, spec.per_game, "0", "N", "at most so many of each game"),
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
    ROW_OUT("run directory without games"),
    OPT_FLAG("mirrored", DeriveSettings, spec.mirrored,
             "a position and its left-right mirror image are one"),
    OPT_FLAG("games", DeriveSettings, spec.games,
             "drop games with the start and moves of an earlier one, too; mirror images are one "
             "game, as "
             "in 'data info'"),
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
    ROW_OUT("the parts become DIR/train, DIR/valid and DIR/test"),
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
        "Each game goes to one part as a whole: copies of it and its mirror image go there, too.\n"
        "The seed and its moves alone decide.\n\n"
        "paotai data split --valid 0.1 --test 0.1 --out build/parts build/games",
    DERIVE_COMMAND(split_rows, 1),
};

// ---- merge -------------------------------------------------------------------------------------

static const OptionRow merge_rows[] = {
    ROW_OUT("run directory without games"),
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

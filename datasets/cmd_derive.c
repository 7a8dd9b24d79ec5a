// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that make runs out of runs: paotai data filter, sample, dedup, split, merge.
#include <stdio.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/eval/eval.h"
#include "datasets/store/derive.h"

// Members every settings struct here begins with.
typedef struct DeriveSettings {
    const char *out;
    int shard_games;
    bool drop_empty, json, quiet;
} DeriveSettings;

#define ROW_OUT(S, help)                                                                           \
    OPT_TEXT("out", S, derive.out, NULL, "DIR", help, OPTION_REQUIRED | OPTION_NEUTRAL)
#define ROW_SHARD_GAMES(S, help)                                                                   \
    OPT_INT("shard-games", S, derive.shard_games, 1, 10000000, "4096", "N", help, OPTION_NEUTRAL)
#define ROWS_OUTPUT(S)                                                                             \
    OPT_FLAG("json", S, derive.json, "one JSON object a line", OPTION_NEUTRAL),                    \
        OPT_FLAG("quiet", S, derive.quiet, "no progress line", OPTION_NEUTRAL), OPTION_END
#define ROWS_DERIVE(S)                                                                             \
    ROW_SHARD_GAMES(S, "games of one file"),                                                       \
        OPT_FLAG("drop-empty", S, derive.drop_empty, "leave out games without positions"),         \
        ROWS_OUTPUT(S)

// ---- what they have in common ------------------------------------------------------------------

static void add_derived(Record *record, const DeriveReport *report, const char *const *parts) {
    record_add(record, "source_games %lu source_positions %lu", report->games, report->positions);
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && (i == 0 || (parts && parts[i])); i++) {
        const RunWriterCounts *out = &report->out[i];
        char part[32] = "";
        if (parts) snprintf(part, sizeof part, "%s_", parts[i]);
        record_add(record, "%sgames %lu %splies %lu %spositions %lu", part, out->games, part,
                   out->plies, part, out->positions);
    }
}

// Fills the rest of *spec and makes the runs: --out, or its sub-directories `parts` (a list that
// NULL ends; NULL: none). Prints the summary.
static Status derive(const CommandCall *call, DeriveSpec *spec, const char *const *parts,
                     Err *err) {
    const DeriveSettings *settings = call->settings;
    AUTO(RunOrigin) origin = {.kind = NULL};
    Text outs[DERIVE_MAX_OUTPUTS] = {{0}};
    run_origin_begin(call, "derived", &origin);
    spec->paths = call->args;
    spec->path_count = call->arg_count;
    spec->shard_games = (size_t)settings->shard_games;
    spec->drop_empty = settings->drop_empty;
    spec->origin = &origin;
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && (i == 0 || (parts && parts[i])); i++) {
        text_add(&outs[i], "%s%s%s", settings->out, parts ? "/" : "", parts ? parts[i] : "");
        spec->outs[i] = outs[i].data;
    }
    Progress progress;
    DeriveReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_derive(spec, &progress, &report, err);
    progress_finish(&progress, report.games, "");
    for (int i = 0; i < DERIVE_MAX_OUTPUTS; i++) text_clear(&outs[i]);
    TRY(status);
    Record record;
    record_begin(&record, call->out, settings->json);
    if (spec->game) {
        add_derived(&record, &report, parts);
    } else {
        record_add(&record, "source_shards %lu games %lu plies %lu positions %lu", report.shards,
                   report.games, report.plies, report.positions);
        if (!spec->renumber) record_add(&record, "content_hash %s", report.content_hash);
    }
    record_end(&record);
    return STATUS_OK;
}

static Status derive_by(const CommandCall *call, DeriveGame *game, void *context, uint64_t seed,
                        Err *err) {
    DeriveSpec spec = {.game = game, .context = context, .seed = seed};
    return derive(call, &spec, NULL, err);
}

// ---- filter -------------------------------------------------------------------------------------

typedef struct FilterSettings {
    DeriveSettings derive;
    PositionRule rule;
    const char *weights;
    TagRule tags;
} FilterSettings;

#define RULE_FLAG(name, member, help) OPT_FLAG(name, FilterSettings, rule.member, help)
#define RULE_INT(name, member, low, high, usual, unit, help)                                       \
    OPT_INT(name, FilterSettings, rule.member, low, high, usual, unit, help)

static const OptionRow filter_rows[] = {
    ROW_OUT(FilterSettings, "run directory without games"),
    OPT_CHOICE("from", FilterSettings, rule.from, "sampled", "sampled|plies",
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
    RULE_INT("agree", agree, -1, 32767, "-1", "UNITS",
             "a side ahead by this or by a mate does not lose; -1: any"),
    RULE_INT(
        "max-gap", max_gap, -1, 32767, "-1", "UNITS",
        "largest distance of the score from the evaluation by --weights, and no mate; -1: any"),
    OPT_TEXT("weights", FilterSettings, weights, "default", "NAME|FILE",
             "classic, default or a weight file"),
    OPT_TEXT("player", FilterSettings, tags.player, NULL, "NAME",
             "only games in which Red's or Black's name holds this"),
    OPT_TEXTS("tag", FilterSettings, tags.tags, NULL, "NAME=TEXT",
              "only games whose tag of this name (Red, Event, ECCO ...) holds this text"),
    OPT_INT("min-elo", FilterSettings, tags.min_elo, 0, 10000, "0", "N",
            "only games of two players of at least this rating; 0: any"),
    OPT_INT("min-year", FilterSettings, tags.min_year, 0, 9999, "0", "YEAR",
            "only games with a date, of this year or later; 0: any"),
    OPT_INT("max-year", FilterSettings, tags.max_year, 0, 9999, "0", "YEAR",
            "and of this year or earlier; 0: any"),
    ROWS_DERIVE(FilterSettings),
};

static Status run_filter(const CommandCall *call, Err *err) {
    const FilterSettings *settings = call->settings;
    PositionRule rule = settings->rule;
    TRY(tag_rule_check(&settings->tags, err));
    TRY(weights_load(settings->weights, &rule.weights, err));
    DeriveSpec spec = {.game = derive_by_rule, .context = &rule, .tags = &settings->tags};
    const Status status = derive(call, &spec, NULL, err);
    key_set_clear(&rule.seen);
    return status;
}

const Command command_data_filter = {
    .name = "data filter",
    .summary = "choose positions, and games, by a rule",
    .usage = "DIR|FILE",
    .details =
        "All conditions that are given must hold. Games stay as they are, with the positions "
        "that\n"
        "fit; those of other players, tags, ratings or years are left out. Of an imported game\n"
        "--from plies takes only plies before the referee's end.\n\n"
        "paotai data filter --quiet-positions --max-score 1500 --agree 600 --out "
        "build/clean build/games\n"
        "paotai data filter --from plies --scored --min-ply 10 --out build/anew build/games\n"
        "paotai data filter --player 胡荣华 --tag ECCO=C --min-year 1980 --out build/hu "
        "build/real",
    .rows = filter_rows,
    .settings_size = sizeof(FilterSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_filter,
};

// ---- sample -------------------------------------------------------------------------------------

typedef struct SampleSettings {
    DeriveSettings derive;
    uint64_t seed, positions, per_game;
    double fraction;
} SampleSettings;

static const OptionRow sample_rows[] = {
    ROW_OUT(SampleSettings, "run directory without games"),
    OPT_U64("positions", SampleSettings, positions, "0", "N",
            "number of positions to keep, every choice equally likely"),
    OPT_REAL("fraction", SampleSettings, fraction, 0, 1, "0", "P",
             "each position with this probability"),
    OPT_U64("per-game", SampleSettings, per_game, "0", "N", "at most so many of each game"),
    ROW_SEED(SampleSettings),
    ROWS_DERIVE(SampleSettings),
};

static Status run_exactly(const CommandCall *call, const SampleSettings *settings, Err *err) {
    SampleExactly sample = {.wanted = settings->positions};
    AUTO_POINTER(Store) store = NULL;
    TRY(store_open(call->args[0], &store, err));
    sample.total = store_position_count(store);
    if (sample.wanted > sample.total) {
        return err_set(err, STATUS_USAGE, "--positions %llu: there are only %llu",
                       (unsigned long long)sample.wanted, (unsigned long long)sample.total);
    }
    random_init(&sample.random, settings->seed, 0);
    return derive_by(call, derive_sample_exactly, &sample, settings->seed, err);
}

static Status run_sample(const CommandCall *call, Err *err) {
    const SampleSettings *settings = call->settings;
    const int ways = command_given(call, "positions") + command_given(call, "fraction") +
                     command_given(call, "per-game");
    if (ways != 1) {
        return err_set(err, STATUS_USAGE, "want one of --positions, --fraction and --per-game");
    }
    if (command_given(call, "positions")) return run_exactly(call, settings, err);
    SampleFraction fraction = {settings->seed, settings->fraction};
    SamplePerGame per_game = {settings->seed, settings->per_game};
    return command_given(call, "fraction")
               ? derive_by(call, derive_sample_fraction, &fraction, settings->seed, err)
               : derive_by(call, derive_sample_per_game, &per_game, settings->seed, err);
}

const Command command_data_sample = {
    .name = "data sample",
    .summary = "keep a random part of the sampled positions",
    .usage = "DIR|FILE",
    .details = "The choice depends on the seed and the games, not on the shards.\n\n"
               "paotai data sample --positions 1000000 --seed 3 --out build/million build/games",
    .rows = sample_rows,
    .settings_size = sizeof(SampleSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_sample,
};

// ---- dedup --------------------------------------------------------------------------------------

typedef struct DedupSettings {
    DeriveSettings derive;
    bool mirrored, games;
} DedupSettings;

static const OptionRow dedup_rows[] = {
    ROW_OUT(DedupSettings, "run directory without games"),
    OPT_FLAG("mirrored", DedupSettings, mirrored,
             "a position and its left-right mirror image are one"),
    OPT_FLAG("games", DedupSettings, games,
             "drop games with the start and moves of an earlier one, too"),
    ROWS_DERIVE(DedupSettings),
};

static Status run_dedup(const CommandCall *call, Err *err) {
    const DedupSettings *settings = call->settings;
    Dedup dedup = {.mirrored = settings->mirrored, .games = settings->games};
    const Status status = derive_by(call, derive_dedup, &dedup, 0, err);
    dedup_clear(&dedup);
    return status;
}

const Command command_data_dedup = {
    .name = "data dedup",
    .summary = "keep each sampled position once, at its first occurrence",
    .usage = "DIR|FILE",
    .details = "paotai data dedup --mirrored --games --out build/once build/games",
    .rows = dedup_rows,
    .settings_size = sizeof(DedupSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_dedup,
};

// ---- split --------------------------------------------------------------------------------------

typedef struct SplitSettings {
    DeriveSettings derive;
    uint64_t seed;
    double valid, test;
} SplitSettings;

static const OptionRow split_rows[] = {
    ROW_OUT(SplitSettings, "the parts become DIR/train, DIR/valid and DIR/test"),
    OPT_REAL("valid", SplitSettings, valid, 0, 1, "0.1", "P",
             "fraction of the games for validation"),
    OPT_REAL("test", SplitSettings, test, 0, 1, "0.1", "P",
             "fraction of the games for the final test"),
    ROW_SEED(SplitSettings),
    ROWS_DERIVE(SplitSettings),
};

static Status run_split(const CommandCall *call, Err *err) {
    static const char *const parts[] = {"train", "valid", "test", NULL};
    const SplitSettings *settings = call->settings;
    SplitParts split = {settings->seed, settings->valid, settings->test, 0};
    if (settings->valid + settings->test > 1) {
        return err_set(err, STATUS_USAGE, "--valid %g and --test %g are more than all",
                       settings->valid, settings->test);
    }
    DeriveSpec spec = {.game = derive_split, .context = &split, .seed = settings->seed};
    return derive(call, &spec, parts, err);
}

const Command command_data_split = {
    .name = "data split",
    .summary = "split games into training, validation and test parts",
    .usage = "DIR|FILE",
    .details =
        "Each game goes to one part as a whole: copies of it and its mirror image go there, too.\n"
        "The seed and its moves alone decide.\n\n"
        "paotai data split --valid 0.1 --test 0.1 --out build/parts build/games",
    .rows = split_rows,
    .settings_size = sizeof(SplitSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_split,
};

// ---- merge -------------------------------------------------------------------------------------

typedef struct MergeSettings {
    DeriveSettings derive;
    bool any, renumber;
} MergeSettings;

static const OptionRow merge_rows[] = {
    ROW_OUT(MergeSettings, "run directory without games"),
    OPT_FLAG(
        "any", MergeSettings, any,
        "also merge runs with different options, seeds or weights; the rules must be the same"),
    OPT_FLAG("renumber", MergeSettings, renumber,
             "number the games anew in the order of the sources, of any runs"),
    ROW_SHARD_GAMES(MergeSettings, "games of one file of the copy"),
    ROWS_OUTPUT(MergeSettings),
};

static Status run_merge(const CommandCall *call, Err *err) {
    const MergeSettings *settings = call->settings;
    DeriveSpec spec = {.any = settings->any, .renumber = settings->renumber};
    return derive(call, &spec, NULL, err);
}

const Command command_data_merge = {
    .name = "data merge",
    .summary = "join several runs, or ranges of one run, into one",
    .usage = "DIR|FILE...",
    .details = "Ranges of one run, played on several machines, become the run of one machine, with "
               "the same content hash. merge refuses sources that overlap or were made "
               "differently, and names them.\n\n"
               "paotai data merge --out build/all build/part1 build/part2",
    .rows = merge_rows,
    .settings_size = sizeof(MergeSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_merge,
};

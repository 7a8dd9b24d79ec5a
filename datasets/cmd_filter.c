// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data filter, paotai data select: positions by rule, among the sampled ones or among all.
#include "core/eval/eval.h"
#include "datasets/commands.h"
#include "datasets/derive_rows.h"
#include "datasets/store/subset.h"

typedef struct FilterSettings {
    DeriveSettings derive;
    PositionRule rule;
    const char *weights;
} FilterSettings;

#define RULE_FLAG(name, member, help) OPT_FLAG(name, FilterSettings, rule.member, help)
#define RULE_INT(name, member, low, high, usual, unit, help)                                       \
    OPT_INT(name, FilterSettings, rule.member, low, high, usual, unit, help)

static const OptionRow filter_rows[] = {
    ROW_DERIVE_OUT(FilterSettings),
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
    RULE_INT("max-gap", max_gap, -1, 32767, "-1", "UNITS",
             "score at most so far from the evaluation by --weights, and no mate; -1: any"),
    OPT_TEXT("weights", FilterSettings, weights, "default", "NAME|FILE",
             "classic, default or a weight file"),
    ROWS_DERIVE(FilterSettings),
    OPTION_END,
};

static int run_rule(const CommandCall *call, bool from_all) {
    const FilterSettings *settings = call->settings;
    PositionRule rule = settings->rule;
    Err err = {0};
    rule.from_all = from_all;
    if (weights_load(settings->weights, &rule.weights, &err) != STATUS_OK) {
        return command_fail(call, &err);
    }
    return derive_command(call, &settings->derive, 0, derive_by_rule, &rule, NULL);
}

static int run_filter(const CommandCall *call) {
    return run_rule(call, false);
}

static int run_select(const CommandCall *call) {
    return run_rule(call, true);
}

const Command command_data_filter = {
    .name = "data filter",
    .summary = "keep the sampled positions that fit a rule",
    .usage = "DIR|FILE",
    .details = "The games stay as they are; all conditions that are given must hold.\n\n"
               "paotai data filter --quiet-positions --max-score 1500 --agree 600 --out "
               "build/clean build/games",
    .rows = filter_rows,
    .settings_size = sizeof(FilterSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_filter,
};

const Command command_data_select = {
    .name = "data select",
    .summary = "choose positions anew among all plies of the games",
    .usage = "DIR|FILE",
    .details =
        "Of imported games only those before the referee's end.\n\n"
        "paotai data select --quiet-positions --scored --min-ply 10 --out build/anew build/games",
    .rows = filter_rows,
    .settings_size = sizeof(FilterSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_select,
};

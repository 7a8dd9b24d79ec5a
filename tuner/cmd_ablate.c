// SPDX-License-Identifier: GPL-3.0-or-later
// paotai ablate: measures the worth of chosen terms, or of each group of terms in turn.
#include <string.h>

#include "core/base/common_rows.h"
#include "tuner/rows/load.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate.h"

static const OptionRow ablate_rows[] = {
    OPT_TEXT("terms", AblateSettings, terms, NULL, "PATTERNS",
             "terms to remove: names with * and ?, as for 'tune --fit'", OPTION_LIST),
    OPT_FLAG("each-group", AblateSettings, each_group,
             "remove each group of terms in turn; terms whose names begin alike form a group"),
    OPT_TEXT("weights", AblateSettings, weights, "default", "NAME|FILE",
             "start weights and prior of both fits"),
    OPT_U64("match-pairs", AblateSettings, match_pairs, "0", "N",
            "largest number of pairs of a match with the terms against without (SPRT 0,5); 0: no "
            "match"),
    ROW_NODES(AblateSettings, nodes, "1000"),
    OPT_TEXT("out", AblateSettings, out, "build/ablate", "DIR",
             "directory for the fitted weights and the table", OPTION_NEUTRAL),
    OPT_FLAG("resume", AblateSettings, resume, "continue after the groups that --out contains",
             OPTION_NEUTRAL),
    ROW_LAMBDA(AblateSettings, setup),
    ROWS_PRIOR(AblateSettings, setup, "0"),
    OPT_REAL("valid-fraction", AblateSettings, setup.valid_fraction, 0.01, 0.9, "0.2", "SHARE",
             "share of the games kept for validation, on which the loss is compared"),
    ROW_FIT_THREADS(AblateSettings, setup),
    OPT_U64("seed", AblateSettings, setup.seed, "1", "N", "seed of the split and of the match"),
    ROW_JSON(AblateSettings),
    ROW_QUIET(AblateSettings),
    OPTION_END,
};

// Refuses options that have no effect, before any data is read.
static Status check_options(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    if (!settings->terms == !settings->each_group) {
        return err_set(err, STATUS_USAGE, "give --terms PATTERNS or --each-group");
    }
    if (settings->terms) {
        TRY(row_check_own_patterns(settings->terms, err));
        TRY(command_refuse(call, "resume", "only --each-group can be resumed", err));
    }
    if (settings->match_pairs > 0) return STATUS_OK;
    return command_refuse(call, "nodes",
                          "it limits the searches of the match: give --match-pairs, too", err);
}

static Status run_ablate(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    AUTO(RowSet) rows = {0};
    TRY(check_options(call, err));
    TRY(rows_load(call->args, call->arg_count, NULL, settings->setup.threads,
                  settings->quiet ? NULL : call->err, &rows, err));
    return ablate_run(call, &rows, err);
}

const Command command_ablate = {
    .name = "ablate",
    .summary = "measure the worth of terms by fits with and without them",
    .usage = "DIR...",
    .details =
        "paotai ablate --terms 'soldiers_linked' build/games --match-pairs 500 --threads 2\n"
        "paotai ablate --each-group build/games --threads 2 --out build/ladder\n\n"
        "Both fits begin at --weights, with the same games, split and prior; in the second the\n"
        "terms are 0. loss_change is the loss with them less the loss without, on the games kept\n"
        "for validation: below 0 they help to predict. Its error is clustered by game. The match\n"
        "plays DIR/with.txt against DIR/without.txt. With --prior-errors the errors of --weights\n"
        "hold all other weights in place, which overstates what the terms are worth.\n\n"
        "The verdict is one word, and a sentence with the terms' names. never: no position has "
        "the\n"
        "terms, nothing was measured. copy: other terms explain them wholly, so that both fits\n"
        "predict the same except for the prior. In both cases no match is played. Else by the "
        "match\n"
        "stronger, weaker, level within +-5 Elo or not decided, or by the loss alone helps, hurts\n"
        "or not decided. r2 is the share of the terms that others explain (explained_by).\n\n"
        "DIR/terms.tsv or, with --each-group, DIR/ablate.tsv is the table, which 'paotai report\n"
        "--ablate' draws. --each-group keeps each group when it is done; --resume continues.",
    .rows = ablate_rows,
    .settings_size = sizeof(AblateSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_ablate,
};

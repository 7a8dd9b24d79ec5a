// SPDX-License-Identifier: GPL-3.0-or-later
// paotai ablate: measures the worth of chosen terms, or of each group of terms in turn, by fits
// with and without them.
#include "core/command/common_rows.h"
#include "selfplay/run/scheduler.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate.h"

static const OptionRow ablate_rows[] = {
    OPT_TEXT("terms", AblateSettings, terms, NULL, "PATTERNS",
             "measure these terms: names, or patterns with * and ?, as for 'tune --fit'",
             OPTION_LIST),
    OPT_FLAG("each-group", AblateSettings, each_group,
             "measure each group of terms in turn; terms whose names begin with the same word "
             "form a group, and material terms are in no group"),
    OPT_TEXT(
        "trace", AblateSettings, trace, NULL, "PLAYER",
        "measure terms of this engine, which answers the lines of a trace (see 'tune --help'); "
        "no match is played"),
    OPT_REAL("max-mismatch", AblateSettings, max_mismatch, 0, 1, "0.01", "SHARE",
             "with --trace: largest share of positions whose terms may differ from the engine's "
             "value"),
    OPT_TEXT("weights", AblateSettings, weights, "default", "NAME|FILE",
             "start weights of both fits, the one with the terms and the one without them; the "
             "prior pulls towards these weights"),
    OPT_ROW("match-pairs", OPTION_U64, AblateSettings, match_pairs, 0, GAMES_MAX / 2, "0", "N",
            "play a match of at most N opening pairs between the weights fitted with the terms "
            "and the weights fitted without them; an SPRT of 0 against 5 normalized Elo may stop "
            "it earlier; 0: no match"),
    OPT_ROW("nodes", OPTION_U64, AblateSettings, nodes, 1, 1e12, "1000", "N",
            "node limit of each search in the match"),
    OPT_TEXT("out", AblateSettings, out, "build/ablate", "DIR",
             "write the fitted weights and the table to this directory", OPTION_NEUTRAL),
    OPT_FLAG("resume", AblateSettings, resume,
             "continue an interrupted run of --each-group: skip the groups of terms whose results "
             "are already in --out",
             OPTION_NEUTRAL),
    ROW_LAMBDA(AblateSettings, setup),
    ROWS_PRIOR(AblateSettings, setup, "0"),
    OPT_REAL("valid-fraction", AblateSettings, setup.valid_fraction, 0.01, 0.9, "0.2", "SHARE",
             "share of the games that is kept for validation: the losses are compared on these "
             "games"),
    ROW_WITH_FAULTS(AblateSettings, setup.with_faults),
    ROW_FIT_THREADS(AblateSettings, setup),
    OPT_U64("seed", AblateSettings, setup.seed, "1", "N",
            "seed of the match and of the random split of the games"),
    ROW_JSON(AblateSettings),
    ROW_QUIET(AblateSettings),
    OPTION_END,
};

// Refuses options that have no effect, before any data is read.
static Status check_options(const CommandCall *call, Err *err) {
    const AblateSettings *settings = call->settings;
    if (!settings->terms == !settings->each_group) {
        return err_set(err, STATUS_USAGE, "give either --terms PATTERNS or --each-group");
    }
    if (settings->trace) {
        return command_refuse(call,
                              "each-group match-pairs nodes out resume weights material-sd "
                              "prior-errors smooth-sd",
                              "this option does not act on the engine of --trace", err);
    }
    TRY(command_refuse(call, "max-mismatch", "this option needs --trace", err));
    if (settings->terms) {
        TRY(row_check_own_patterns(settings->terms, err));
        TRY(command_refuse(call, "resume", "only --each-group can be resumed", err));
    }
    if (settings->match_pairs > 0) return STATUS_OK;
    return command_refuse(call, "nodes",
                          "this option limits the searches of the match; give --match-pairs, too",
                          err);
}

static Status run_ablate(const CommandCall *call, Err *err) {
    TRY(check_options(call, err));
    fit_keep_memory();
    return ablate_run(call, err);
}

const Command command_ablate = {
    .name = "ablate",
    .summary = "measure the worth of terms by fits with and without them",
    .usage = "DIR...",
    .details =
        "paotai ablate --terms 'soldiers_linked' build/games --match-pairs 500 --threads 2\n"
        "paotai ablate --each-group build/games --threads 2 --out build/ladder\n\n"
        "Both fits use the same games, split, prior and start weights. In the second fit the "
        "weights of the terms are 0. loss_change is the validation loss with the terms minus the "
        "loss without them: below 0, the terms help to predict results. Its standard error treats "
        "games, not positions, as independent. The match plays with.txt against without.txt, the "
        "files of both "
        "fits in the directory of --out. With --prior-errors, the prior keeps the other weights "
        "near --weights, so they cannot "
        "replace the terms, and the worth of the terms is overstated. r2 is the share of the "
        "terms that other terms explain; explained_by names these other terms.\n\n"
        "The verdict is one of these words, followed by a sentence:\n"
        "- never: in no position does one side have more of a term than the other, so nothing "
        "was measured\n"
        "- copy: other terms explain the omitted terms completely, so only the prior makes the "
        "predictions of the two fits differ\n"
        "- stronger, weaker, level (within +-5 Elo), not decided: the result of the match, which "
        "is not played after 'never' and 'copy'\n"
        "- helps, hurts, not decided: the verdict on loss_change, if no match was played\n\n"
        "The directory of --out also gets the table of results, terms.tsv (with --each-group: "
        "ablate.tsv), which 'paotai report --ablate' draws. With --each-group, the result of each "
        "group of terms is saved as soon as the group is measured; --resume continues.",
    .rows = ablate_rows,
    .settings_size = sizeof(AblateSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_ablate,
};

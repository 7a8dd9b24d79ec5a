// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: fits the weights of the evaluation to stored games.
#include "tuner/tune/tune.h"

#include "core/command/common_rows.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"

static const OptionRow tune_rows[] = {
    OPT_TEXT("out", TuneSettings, out, NULL, "FILE",
             "write the fitted weights to this file; as HDF5 if its name ends in .h5"),
    OPT_TEXT("errors", TuneSettings, errors, NULL, "FILE",
             "write a table of all weights and their standard errors to this file"),
    OPT_TEXT("report", TuneSettings, report, NULL, "FILE",
             "write a report of the fit with pictures to this HTML file"),
    OPT_TEXT("weights", TuneSettings, weights, "classic", "NAME|FILE",
             "start weights of the fit, to which its prior pulls the fitted weights; with "
             "--measure, the weights to measure"),
    ROWS_LOSS(TuneSettings, setup),
    ROWS_PRIOR(TuneSettings, setup, PRIOR_TIMES),
    OPT_INT("cv", TuneSettings, cv, 0, 100, "0", "FOLDS",
            "choose the values of --smooth-sd and --prior-sd by cross-validation with this number "
            "of folds; --prior-errors replaces --prior-sd if most of the fitted weights have a "
            "standard error in --weights; 0: use the given values"),
    OPT_REAL("prior-times", TuneSettings, prior_times, 0.001, 1000, "1", "FACTOR",
             "factor of the prior's scales that come from the start values and the names of "
             "another program's terms (--trace, --rows)"),
    OPT_TEXT(
        "fit", TuneSettings, fit, NULL, "PATTERNS",
        "fit these terms while all others keep their weights: names, or patterns with * and ?; "
        ".mg or .eg at the end selects one phase; may be given several times",
        OPTION_LIST),
    OPT_TEXT("freeze", TuneSettings, freeze, NULL, "PATTERNS",
             "keep the weights of these terms: names or patterns as for --fit; may be given "
             "several times",
             OPTION_LIST),
    ROWS_SPLIT(TuneSettings, setup),
    OPT_TEXT(
        "rows", TuneSettings, rows, NULL, "FILE",
        "read this file instead of DIR; it has a row for each position, with the result, the score "
        "and the evaluation terms of any engine ('data export --rows' writes such files); if the "
        "terms are not Paotai's and the file has no start weights, the games choose "
        "the default of --prior-sd"),
    OPT_CHOICE("result-scale", TuneSettings, result_scale, "points", "points|sign|half",
               "with --rows: meaning of the numbers in 'result': points are 0 to 1, and -1 means "
               "unknown; sign are -1, 0, 1; half are 0, 1, 2. A file with -1 needs this option, "
               "unless 'data export' or --rows-out wrote it"),
    OPT_TEXT("trace", TuneSettings, trace, NULL, "PLAYER",
             "fit the evaluation of this engine, which answers the lines of a trace about each "
             "position of DIR (tuner/README.md); cmd=... is its program, see 'match --help'"),
    OPT_TEXT("rows-out", TuneSettings, rows_out, NULL, "FILE",
             "with --trace: also write the rows to this HDF5 file, from which --rows fits them "
             "without the engine"),
    OPT_INT("trace-plies", TuneSettings, trace_plies, 0, 64, "0", "N",
            "with --trace: send the position N plies earlier and the moves from there, for engines "
            "that fix their tables at the root of a search"),
    OPT_TEXT("explain-trace", TuneSettings, explain_trace, NULL, "FEN",
             "with --trace: show how the trace of this position adds up, and which terms explain "
             "the mismatches in the positions of DIR; nothing is fitted"),
    OPT_TEXT("check", TuneSettings, check, NULL, "FILE",
             "with --trace: compare the terms that the engine prints now, and its values of 2000 "
             "positions, with the fitted values in FILE; nothing is fitted, and without DIR the "
             "positions come from random games"),
    OPT_REAL("max-mismatch", TuneSettings, max_mismatch, 0, 1, "0.01", "SHARE",
             "largest share of positions whose terms may differ from the engine's value; these "
             "positions are left out"),
    OPT_TEXT("show", TuneSettings, show, NULL, "PATTERNS",
             "print all entries of these terms, also of tables and mobility; a pattern is the name "
             "of a term and may contain * and ?",
             OPTION_LIST),
    OPT_FLAG("verbose", TuneSettings, verbose,
             "print more details of the fit, such as the loss of the training games"),
    OPT_FLAG("measure", TuneSettings, measure,
             "measure loss and calibration of --weights on the games, without a fit"),
    OPT_FLAG("compare", TuneSettings, compare,
             "measure the difference in loss between two weight sets, the first two arguments"),
    ROW_WITH_FAULTS(TuneSettings, setup.with_faults),
    ROW_FIT_THREADS(TuneSettings, setup),
    ROW_FIT_SEED(TuneSettings, setup),
    ROW_JSON(TuneSettings),
    ROW_QUIET(TuneSettings),
    OPTION_END,
};

// Returns an error if an option has no effect together with the other options.
static Status check_options(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    const bool split = settings->setup.valid_fraction > 0 || settings->setup.test_fraction > 0;
    TRY(loss_check_k(settings->setup.k, err));
    if (settings->compare) {
        TRY(command_refuse(call, "measure weights verbose",
                           "--compare measures the two weight sets given as arguments", err));
    }
    if (settings->compare || settings->measure) {
        return command_refuse(
            call,
            "out errors report fit freeze show cv prior-sd prior-times material-sd "
            "prior-errors smooth-sd valid-fraction test-fraction seed",
            "this option belongs to a fit; --measure and --compare fit nothing and "
            "measure all games",
            err);
    }
    if (settings->cv == 1) {
        return err_set(err, STATUS_USAGE, "--cv 1: cross-validation needs at least 2 folds");
    }
    if (settings->cv == 0 && !split) {
        return command_refuse(call, "seed",
                              "nothing is random: no games are kept for validation or test "
                              "(--valid-fraction, --test-fraction), and --cv is not given",
                              err);
    }
    return STATUS_OK;
}

static Status run_tune(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    TRY(check_options(call, err));
    const int dirs = call->arg_count - (settings->compare ? 2 : 0);
    if (!settings->rows) TRY(command_refuse(call, "result-scale", "this option needs --rows", err));
    if (!settings->trace) {
        TRY(command_refuse(call, "rows-out trace-plies explain-trace check",
                           "this option needs --trace", err));
    } else {
        TRY(command_refuse(call, "rows measure compare weights",
                           "this option does not act on the engine of --trace", err));
    }
    const bool no_fit = settings->check || settings->explain_trace;
    if (no_fit) {
        TRY(command_refuse(call,
                           settings->check ? "explain-trace out errors rows-out fit freeze show cv "
                                             "prior-sd valid-fraction test-fraction seed"
                                           : "out errors rows-out fit freeze show cv prior-sd "
                                             "valid-fraction test-fraction seed",
                           "--check and --explain-trace fit nothing", err));
        return tune_explain(call, err);
    }
    if (settings->rows ? dirs > 0 : call->arg_count == 0) {
        return err_set(
            err, STATUS_USAGE,
            settings->rows
                ? "--rows replaces DIR: give one of the two"
                : "DIR, a run directory with games, is missing; see 'paotai tune --help'");
    }
    if (settings->rows) {
        TRY(command_refuse(call, "with-faults", "a file of rows does not say how the games ended",
                           err));
    }
    if (mpi_size() > 1) {
        TRY(command_refuse(call, "rows measure compare report trace",
                           "this option needs all positions in one process; run without MPI", err));
    }
    if (mpi_rank() == 0) {
        TRY(text_check_writable(settings->out, err));
        TRY(text_check_writable(settings->errors, err));
        TRY(text_check_writable(settings->report, err));
        TRY(text_check_writable(settings->rows_out, err));
    }
    fit_keep_memory();
    if (settings->compare) return tune_compare(call, err);
    if (settings->measure) return tune_measure(call, err);
    return tune_fit(call, err);
}

const Command command_tune = {
    .name = "tune",
    .summary = "fit the evaluation's weights to stored games",
    .usage = "DIR...",
    .details =
        "paotai tune build/games --out build/weights.txt --threads 2\n"
        "paotai tune --measure build/games --weights build/weights.txt\n"
        "paotai tune --compare build/weights.txt classic build/games\n"
        "paotai tune --rows rows.h5 --out fitted.tsv\n\n"
        "The loss of a position compares the prediction 1/(1+exp(-K score)) with a target. By "
        "default the target is 0.2 times the game's result plus 0.8 times the result that the "
        "search score predicts (--lambda). --measure prints the mean results (observed) and the "
        "mean targets in bins of the prediction. A hash of seed, start and moves assigns each game "
        "to training, validation or test. After the fit, the means of terms such as "
        "tables and mobility are moved into the material weights, which are then the mean values "
        "of the pieces. All weights are scaled so that the material weight of a chariot is 900 on "
        "average over the positions. With --fit or --freeze, both steps are skipped, and weights "
        "that are not fitted keep their start values. The weights do not depend on the number of "
        "threads.",
    .rows = tune_rows,
    .settings_size = sizeof(TuneSettings),
    .reads_weights = true,
    .max_args = -1,
    .run = run_tune,
    .on_ranks = true,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: fits the weights of the evaluation to stored games.
#include "tuner/tune/tune.h"

#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/out_file.h"
#include "core/base/ranks.h"
#include "datasets/store/run.h"
#include "tuner/rows/load.h"

static const OptionRow tune_rows[] = {
    OPT_TEXT("out", TuneSettings, out, NULL, "FILE", "file for the fitted weights"),
    OPT_TEXT("errors", TuneSettings, errors, NULL, "FILE",
             "file for a table of all weights with their standard errors"),
    OPT_TEXT("report", TuneSettings, report, NULL, "FILE",
             "file for a report with pictures of this fit (HTML)"),
    OPT_TEXT("weights", TuneSettings, weights, "classic", "NAME|FILE",
             "start and prior of the fit; with --measure, the weights to measure"),
    OPT_CHOICE("loss", TuneSettings, setup.loss, "cross-entropy", LOSS_NAMES, "loss to minimise"),
    ROW_WEIGH(TuneSettings, setup),
    ROW_LAMBDA(TuneSettings, setup),
    OPT_REAL("k", TuneSettings, setup.k, 0, 1, "0", "1/UNITS",
             "slope of the sigmoid; 0: fitted to the start"),
    ROWS_PRIOR(TuneSettings, setup, "2"),
    OPT_INT(
        "cv", TuneSettings, cv, 0, 100, "0", "FOLDS",
        "choose --smooth-sd, and --prior-errors where --weights have errors, else --prior-sd, by "
        "cross-validation over games"),
    OPT_TEXT(
        "fit", TuneSettings, fit, NULL, "PATTERNS",
        "fit only these terms: names with * and ?, and .mg or .eg at the end for one phase; given "
        "again, more of them",
        OPTION_LIST),
    OPT_TEXT("freeze", TuneSettings, freeze, NULL, "PATTERNS",
             "these terms keep their weights; given again, more of them", OPTION_LIST),
    OPT_REAL("valid-fraction", TuneSettings, setup.valid_fraction, 0, 0.9, "0.1", "SHARE",
             "games kept for validation"),
    OPT_REAL("test-fraction", TuneSettings, setup.test_fraction, 0, 0.9, "0", "SHARE",
             "games kept for one final test"),
    OPT_TEXT("rows", TuneSettings, rows, NULL, "FILE",
             "instead of DIR: a file of sparse rows, of any engine's terms ('data export --rows'); "
             "without a start, their --prior-sd is 10000"),
    OPT_TEXT("show", TuneSettings, show, NULL, "PATTERNS",
             "print each entry of these terms: names with * and ?, tables and mobility, too",
             OPTION_LIST),
    OPT_FLAG("verbose", TuneSettings, verbose, "print all that is known of the fit"),
    OPT_FLAG("measure", TuneSettings, measure, "print loss and calibration, without a fit"),
    OPT_FLAG("compare", TuneSettings, compare,
             "the first two arguments are weights: difference of their losses"),
    ROW_FIT_THREADS(TuneSettings, setup),
    OPT_U64("seed", TuneSettings, setup.seed, "1", "N", "seed of all random choices"),
    ROW_JSON(TuneSettings),
    ROW_QUIET(TuneSettings),
    OPTION_END,
};

FitSetup tune_setup_of_record(const FitRecord *record) {
    TuneSettings settings;
    options_defaults(tune_rows, &settings, sizeof settings, NULL);
    for (const OptionRow *row = tune_rows; row->name; row++) {
        size_t length;
        char value[64] = "";
        const char *text = fit_record_option(record, row->name, &length);
        if (!text || row->type == OPTION_TEXT || length >= sizeof value) continue;
        memcpy(value, text, length);
        option_set(row, value, &settings, NULL); // what is damaged stays at its default
    }
    return settings.setup;
}

static Status load_rows_file(const CommandCall *call, RowSet *rows, SparseReader **terms,
                             Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO_POINTER(SparseReader) reader = NULL;
    TRY(sparse_reader_open(settings->rows, &reader, err));
    TRY(rows_load_sparse(reader, settings->rows, settings->quiet ? NULL : call->err, rows, err));
    if (!rows->names) return STATUS_OK;
    if (terms) {
        *terms = TAKE(reader);
        return STATUS_OK;
    }
    row_set_clear(rows);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: its terms are not our evaluation's: they can be fitted, but not measured "
                   "with our weights",
                   settings->rows);
}

Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseReader **terms, Err *err) {
    const TuneSettings *settings = call->settings;
    if (settings->rows) return load_rows_file(call, rows, terms, err);
    TRY(rows_load(dirs, count, NULL, settings->setup.threads, settings->quiet ? NULL : call->err,
                  rows, err));
    for (int i = 0; i < count && !settings->quiet; i++) {
        TRY(provenance_note_old_scores(dirs[i], call->err, err));
    }
    if (rows->copies && !settings->quiet) {
        fprintf(call->err, "%llu games are left out: an earlier one has their start and moves\n",
                (unsigned long long)rows->copies);
    }
    if (rows->near_copies && !settings->quiet) {
        fprintf(call->err,
                "%llu games are left out: an earlier one shares three quarters of their moves\n",
                (unsigned long long)rows->near_copies);
    }
    if (rows->empty && !settings->quiet) {
        fprintf(call->err, "%llu games are left out: they have no sampled position\n",
                (unsigned long long)rows->empty);
    }
    return STATUS_OK;
}

// Refuses options that have no effect in this use of the command.
static Status check_options(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    const bool split = settings->setup.valid_fraction > 0 || settings->setup.test_fraction > 0;
    if (settings->compare) {
        TRY(command_refuse(call, "measure weights verbose",
                           "--compare measures the two weight sets that are its arguments", err));
    }
    if (settings->compare || settings->measure) {
        return command_refuse(call,
                              "out errors report fit freeze show cv prior-sd material-sd "
                              "prior-errors smooth-sd valid-fraction test-fraction seed",
                              "it belongs to a fit; --measure and --compare fit no weights and "
                              "measure all games",
                              err);
    }
    if (settings->cv == 1) {
        return err_set(err, STATUS_USAGE, "--cv 1: cross-validation needs at least 2 folds");
    }
    if (settings->cv == 0 && !split) {
        return command_refuse(call, "seed",
                              "no games are kept aside (--valid-fraction, --test-fraction) and "
                              "there is no --cv: nothing is drawn at random",
                              err);
    }
    return STATUS_OK;
}

static Status run_tune(const CommandCall *call, Err *err) {
    const TuneSettings *settings = call->settings;
    TRY(check_options(call, err));
    const int dirs = call->arg_count - (settings->compare ? 2 : 0);
    if (settings->rows ? dirs > 0 : call->arg_count == 0) {
        return err_set(err, STATUS_USAGE,
                       settings->rows
                           ? "--rows stands in place of DIR; give one of them"
                           : "a DIR of games is missing; 'paotai tune --help' says more");
    }
    if (mpi_size() > 1) {
        TRY(command_refuse(call, "rows measure compare report",
                           "all rows must be in one process, without MPI", err));
    }
    if (mpi_rank() == 0) {
        TRY(text_check_writable(settings->out, err));
        TRY(text_check_writable(settings->errors, err));
    }
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
        "The loss of a position compares 1/(1+exp(-K score)) with a target: by default 0.2 times "
        "the game's result plus 0.8 times the result that the search's score promises (--lambda). "
        "--measure shows the results (observed), and beside them the targets, in bins of the "
        "prediction. Games are split into training, validation and test by a hash of seed, start "
        "and moves. After the fit a chariot's own terms are worth 900 on average, tables and "
        "mobility have mean 0 on the data, and material is the mean of a piece's own terms; with "
        "--fit or --freeze every other weight keeps its number, and the scale is the start's. The "
        "weights are the same bits for any number of threads.",
    .rows = tune_rows,
    .settings_size = sizeof(TuneSettings),
    .reads_weights = true,
    .max_args = -1,
    .run = run_tune,
    .on_ranks = true,
};

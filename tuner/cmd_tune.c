// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: fits the weights of the evaluation to stored games.
#include "tuner/cmd_tune.h"

#include "selfplay/common_options.h"
#include "tuner/commands.h"
#include "tuner/load.h"
#include "tuner/select.h"

#define AT(member) offsetof(TuneSettings, member)
static const OptionRow tune_rows[] = {
    {"out", OPTION_TEXT, AT(out), 0, 0, NULL, "FILE", "where the fitted weights go"},
    {"errors", OPTION_TEXT, AT(errors), 0, 0, NULL, "FILE",
     "where value and standard error of every weight go, as a table"},
    {"weights", OPTION_TEXT, AT(weights), 0, 0, "classic", "NAME|FILE",
     "where the fit starts and what its prior is; with --measure, what is measured"},
    {"loss", OPTION_CHOICE, AT(loss), 0, 0, "cross-entropy", "cross-entropy|squared",
     "what the fit makes small"},
    {"weigh", OPTION_CHOICE, AT(weigh), 0, 0, "games", "games|rows",
     "what counts alike in the loss"},
    {"lambda", OPTION_REAL, AT(lambda), 0, 1, "0.2", "SHARE",
     "share of the game's result in the target; the rest is the search score's"},
    {"k", OPTION_REAL, AT(k), 0, 1, "0", "1/UNITS", "slope of the sigmoid; 0: fitted to the start"},
    {"prior-sd", OPTION_REAL, AT(prior_sd), 0.001, 1e6, "60", "UNITS",
     "how far a table or mobility entry may lie from its start unless the games say otherwise"},
    {"material-sd", OPTION_REAL, AT(material_sd), 0.001, 1e6, "1000", "UNITS",
     "the same for material"},
    {"smooth-sd", OPTION_REAL, AT(smooth_sd), 0, 1e6, "40", "UNITS",
     "how far neighbouring points of a table may lie apart unless the games say otherwise; 0: any"},
    {"cv", OPTION_INT, AT(cv), 0, 100, "0", "FOLDS",
     "choose --prior-sd and --smooth-sd by cross-validation over games"},
    {"study", OPTION_FLAG, AT(study), 0, 0, NULL, NULL,
     "what the data cannot tell: rank, tied terms, silent and correlated weights"},
    {"bootstrap", OPTION_INT, AT(bootstrap), 0, 100000, "0", "N",
     "check the standard errors by N fits to games drawn with replacement"},
    {"fit", OPTION_TEXT, AT(fit), 0, 0, NULL, "PATTERNS",
     "fit only these terms: names with * and ?, .mg or .eg behind for one phase"},
    {"freeze", OPTION_TEXT, AT(freeze), 0, 0, NULL, "PATTERNS", "these terms keep their weights"},
    {"valid-fraction", OPTION_REAL, AT(valid_fraction), 0, 0.9, "0.1", "SHARE",
     "games kept for validation"},
    {"test-fraction", OPTION_REAL, AT(test_fraction), 0, 0.9, "0", "SHARE",
     "games kept for one final test"},
    {"optimiser", OPTION_CHOICE, AT(optimiser), 0, 0, "newton", OPTIMISER_NAMES, "the method"},
    {"iterations", OPTION_INT, AT(iterations), 0, 1000000, "1000", "N", "iterations at most"},
    {"tolerance", OPTION_REAL, AT(tolerance), 0, 1, "1e-12", "SHARE",
     "stop this close to the least loss, relative to it"},
    {"measure", OPTION_FLAG, AT(measure), 0, 0, NULL, NULL, "loss and calibration, no fit"},
    {"compare", OPTION_FLAG, AT(compare), 0, 0, NULL, NULL,
     "the first two arguments are weights: difference of their losses"},
    {"speed", OPTION_INT, AT(speed), 0, 1000000, "0", "N",
     "time N passes of loss and gradient instead of a fit"},
    ROW_THREADS(TuneSettings),
    ROW_SEED(TuneSettings),
    ROW_JSON(TuneSettings),
    ROW_QUIET(TuneSettings),
    OPTION_END,
};

Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 Err *err) {
    const TuneSettings *settings = call->settings;
    Weights weights;
    weights_classic(&weights);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "positions", 0);
    const Status status = rows_load(dirs, count, &weights, settings->threads, &progress, rows, err);
    progress_finish(&progress, rows->count, "read");
    return status;
}

static int run_fit(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    Err err = {0};
    Weights start;
    RowSet rows = {0};
    FitResult result = {0};
    double flat[2 * WEIGHT_COUNT];
    bool frozen[2 * WEIGHT_COUNT];
    const FitSetup setup = {.frozen = frozen,
                            .loss = (LossKind)settings->loss,
                            .weigh = (FitWeigh)settings->weigh,
                            .lambda = settings->lambda,
                            .k = settings->k,
                            .valid_fraction = settings->valid_fraction,
                            .test_fraction = settings->test_fraction,
                            .seed = settings->seed,
                            .iterations = settings->iterations,
                            .tolerance = settings->tolerance,
                            .optimiser = (OptimiserKind)settings->optimiser,
                            .threads = settings->threads,
                            .report = tune_print_step,
                            .report_context = (void *)call};
    Status status = weights_load(settings->weights, &start, &err);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) frozen[i] = settings->fit != NULL;
    if (status == STATUS_OK && settings->fit) {
        status = select_weights(settings->fit, false, frozen, &err);
    }
    if (status == STATUS_OK && settings->freeze) {
        status = select_weights(settings->freeze, true, frozen, &err);
    }
    if (status == STATUS_OK) status = tune_load(call, call->args, call->arg_count, &rows, &err);
    if (status == STATUS_OK) {
        values_flat(&start, flat);
        Prior prior;
        PriorSetup strengths = {settings->prior_sd, settings->material_sd, settings->smooth_sd};
        if (settings->cv > 1) {
            status = tune_cross_validate(call, &setup, &rows, flat, &strengths, &err);
        }
        prior_for_evaluation(&prior, &strengths, &rows, flat);
        if (status == STATUS_OK) status = fit_run(&rows, &setup, &prior, flat, &result, &err);
        if (status == STATUS_OK) status = tune_finish(call, &setup, &rows, &prior, &result, &err);
        prior_clear(&prior);
    }
    fit_result_clear(&result);
    row_set_clear(&rows);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

static int run_tune(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    if (settings->compare) return tune_compare(call);
    if (settings->measure) return tune_measure(call);
    return settings->speed ? tune_speed(call) : run_fit(call);
}

const Command command_tune = {
    .name = "tune",
    .summary = "fit the evaluation's weights to stored games",
    .usage = "DIR...",
    .details =
        "paotai tune build/games --out build/weights.txt --threads 2\n"
        "paotai tune --measure build/games --weights build/weights.txt\n"
        "paotai tune --compare build/weights.txt classic build/games\n\n"
        "The loss of a position is measured between its game's result and 1/(1+exp(-K score)).\n"
        "Games are split into training, validation and test by a hash of seed and game. After the\n"
        "fit a chariot is worth 900 on average, tables and mobility have mean 0 on the data, and\n"
        "material is the value of a piece. The same bits for any number of threads.",
    .rows = tune_rows,
    .settings_size = sizeof(TuneSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_tune,
};

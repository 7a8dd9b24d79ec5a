// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: fits the weights of the evaluation to stored games.
#include "tuner/cmd_tune.h"

#include "selfplay/common_options.h"
#include "tuner/commands.h"

#define AT(member) offsetof(TuneSettings, member)
static const OptionRow tune_rows[] = {
    {"out", OPTION_TEXT, AT(out), 0, 0, NULL, "FILE", "where the fitted weights go"},
    {"errors", OPTION_TEXT, AT(errors), 0, 0, NULL, "FILE",
     "where value and standard error of every weight go, as a table"},
    {"report", OPTION_TEXT, AT(report), 0, 0, NULL, "FILE",
     "where a report with pictures of this fit goes (HTML)"},
    {"weights", OPTION_TEXT, AT(weights), 0, 0, "classic", "NAME|FILE",
     "where the fit starts and what its prior is; with --measure, what is measured"},
    {"loss", OPTION_CHOICE, AT(loss), 0, 0, "cross-entropy", LOSS_NAMES,
     "what the fit makes small; draws: wins, draws and losses by a model of their own"},
    {"weigh", OPTION_CHOICE, AT(weigh), 0, 0, "games", "games|rows",
     "what counts alike in the loss"},
    {"endgame-weight", OPTION_REAL, AT(endgame_weight), 0.001, 1000, "1", "N",
     "what a row without middlegame counts beside a row of the full middlegame"},
    {"lambda", OPTION_REAL, AT(lambda), 0, 1, "0.2", "SHARE",
     "share of the game's result in the target; the rest is the search score's"},
    {"k", OPTION_REAL, AT(k), 0, 1, "0", "1/UNITS", "slope of the sigmoid; 0: fitted to the start"},
    {"joint", OPTION_FLAG, AT(joint), 0, 0, NULL, NULL,
     "fit K along with the weights; wants a --material-sd that holds the scale, 5 say"},
    {"prior-sd", OPTION_REAL, AT(prior_sd), 0.001, 1e6, "80", "UNITS",
     "how far a table or mobility entry may lie from its start unless the games say otherwise; "
     "other engines' terms without a start: 10000"},
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
    {"learning-rate", OPTION_REAL, AT(learning_rate), 0, 1e6, "1", "UNITS",
     "adam: how far a step goes"},
    {"batches", OPTION_INT, AT(batches), 1, 1000000, "1", "N", "adam: steps an epoch"},
    {"patience", OPTION_INT, AT(patience), 0, 1000000, "0", "N",
     "stop after N iterations without a better validation loss and keep the best; 0: never"},
    {"race", OPTION_REAL, AT(race), 0, 1e9, "0", "SECONDS",
     "Newton against Adam at five learning rates, so long each, instead of a fit"},
    {"rows", OPTION_TEXT, AT(rows), 0, 0, NULL, "FILE",
     "instead of DIR: a file of sparse rows, of any engine's terms ('data export --rows')"},
    {"cache", OPTION_TEXT, AT(cache), 0, 0, NULL, "DIR",
     "keep the rows in a file there while they are used, for more than fit into memory"},
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

static int run_tune(const CommandCall *call) {
    const TuneSettings *settings = call->settings;
    const int dirs = call->arg_count - (settings->compare ? 2 : 0);
    Err err = {0};
    if (settings->rows ? dirs > 0 : call->arg_count == 0) {
        err_set(&err, STATUS_USAGE,
                settings->rows ? "--rows stands in place of DIR; give one of them"
                               : "a DIR of games is missing; 'paotai tune --help' says more");
        return command_fail(call, &err);
    }
    if (text_check_writable(settings->out, &err) != STATUS_OK ||
        text_check_writable(settings->errors, &err) != STATUS_OK) {
        return command_fail(call, &err);
    }
    if (settings->compare) return tune_compare(call);
    if (settings->measure) return tune_measure(call);
    if (settings->speed) return tune_speed(call);
    return tune_fit(call);
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
        "The loss of a position lies between 1/(1+exp(-K score)) and its target: by default 0.2 "
        "of\n"
        "its game's result and 0.8 of what the search's score stands for (--lambda). --measure "
        "shows\n"
        "the results (observed), and beside them the targets, in bins of what is predicted.\n"
        "Games are split into training, validation and test by a hash of seed and game. After the\n"
        "fit a chariot is worth 900 on average, tables and mobility have mean 0 on the data, and\n"
        "material is the value of a piece. The same bits for any number of threads.",
    .rows = tune_rows,
    .settings_size = sizeof(TuneSettings),
    .min_args = 0,
    .max_args = -1,
    .run = run_tune,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations that the files of `paotai tune` share.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "datasets/sparse/sparse_file.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/identify.h"
#include "tuner/fit/values.h"

typedef struct TuneSettings {
    const char *out, *weights, *errors, *report, *fit, *freeze, *rows, *show;
    FitSetup setup;
    int cv;
    bool measure, compare, verbose, json, quiet;
} TuneSettings;

// Options of every fit. S is the settings struct, M the name of its FitSetup member.
#define ROW_WEIGH(S, M)                                                                            \
    OPT_CHOICE("weigh", S, M.weigh, "games", "games|rows",                                         \
               "unit with equal weight in the loss: each game or each position")
#define ROW_LAMBDA(S, M)                                                                           \
    OPT_REAL("lambda", S, M.lambda, 0, 1, "0.2", "SHARE",                                          \
             "weight of the game's result in the target; the rest is the search score")
#define ROWS_LOSS(S, M)                                                                            \
    OPT_CHOICE("loss", S, M.loss, "cross-entropy", LOSS_NAMES, "loss function to minimise"),       \
        ROW_WEIGH(S, M), ROW_LAMBDA(S, M),                                                         \
        OPT_REAL("k", S, M.k, 0, 1, "0", "1/UNITS",                                                \
                 "slope K of the sigmoid; 0: fitted to the start weights")
#define ROWS_SPLIT(S, M)                                                                           \
    OPT_REAL("valid-fraction", S, M.valid_fraction, 0, 0.9, "0.1", "SHARE",                        \
             "share of the games that are kept for validation"),                                   \
        OPT_REAL("test-fraction", S, M.test_fraction, 0, 0.9, "0", "SHARE",                        \
                 "share of the games that are kept for one final test")
#define ROW_FIT_SEED(S, M) OPT_U64("seed", S, M.seed, "1", "N", "seed of all random choices")
#define PRIOR_TIMES        "2" // default of --prior-errors
// TIMES is the default of --prior-errors.
#define ROWS_PRIOR(S, M, TIMES)                                                                    \
    OPT_REAL("prior-sd", S, M.prior.sd, 0.001, 1e6, "80", "UNITS",                                 \
             "standard deviation of the prior of table and mobility entries around the "           \
             "start"),                                                                             \
        OPT_REAL("material-sd", S, M.prior.material_sd, 0.001, 1e6, "1000", "UNITS",               \
                 "standard deviation of the prior of material values around the start"),           \
        OPT_REAL("prior-errors", S, M.prior.se_times, 0, 1e6, TIMES, "TIMES",                      \
                 "standard deviation of each weight in the prior as TIMES its standard error in "  \
                 "--weights; weights without an error use --prior-sd and --material-sd; 0: all "   \
                 "weights do"),                                                                    \
        OPT_REAL("smooth-sd", S, M.prior.smooth_sd, 0, 1e6, "40", "UNITS",                         \
                 "how much two neighbouring table entries may move apart from the start, as a "    \
                 "standard deviation of the prior; 0: no smoothing")
#define ROW_FIT_THREADS(S, M)                                                                      \
    OPT_INT("threads", S, M.threads, 1, 4096, "1", "N",                                            \
            "number of threads; the result does not depend on it", OPTION_NEUTRAL)

// Reads the start weights of a fit of built-in terms by name or path, and their standard errors (0
// or NAN: unknown).
Status tune_read_start(const char *name, double start[2 * WEIGHT_COUNT],
                       double se[2 * WEIGHT_COUNT], Err *err);

// Returns the setup of the fit that a weight file records, as far as it affects measurements.
// Settings that the file does not record have the defaults of tune.
FitSetup tune_setup_of_record(const FitRecord *record);
// Returns the prior of the default options, without standard errors of the start.
PriorSetup prior_setup_default(void);

// Loads the rows of the directories or of the file --rows, with a progress line. If the rows have
// external terms, sets *terms, which the caller closes; if `terms` is NULL, such rows are refused.
// The message names what failed.
Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseReader **terms, Err *err);

// Compares the weights that played the games of the command's directories with the weights `name`,
// by the hash in the provenance of each shard. If they differ, prints a line that names the players
// and ends with `advice`. Unreadable weights and files are skipped, because loading them later
// reports the error.
void tune_say_players(const CommandCall *call, const char *name, const char *advice);

// tune_fit() fits weights; tune_measure() and tune_compare() do --measure and --compare.
Status tune_fit(const CommandCall *call, Err *err);
Status tune_measure(const CommandCall *call, Err *err);
Status tune_compare(const CommandCall *call, Err *err);

// A fit with everything that is printed and written about it.
typedef struct TuneFit {
    const CommandCall *call;
    TuneSettings settings; // resolved settings; setup.prior is the prior in use
    RowSet rows;
    SparseReader *terms;               // the reader of a file with external terms; else NULL
    double start_se[2 * WEIGHT_COUNT]; // standard errors of the start; built-in terms only
    Fit fit;
    FitErrors errors;
    // Errors of a fit to results alone, if scores are in the target; else weight is NULL.
    FitErrors alone;
    Identity identity;
    bool *shown; // [n]: weights that --show selects; with --json all
    // Median ratio of the errors in `alone` to those in `errors`; NAN: unknown.
    double results_times;
    Estimate half; // result of fit_half()
    // Number of fitted weights; number of those that the prior mostly determines.
    int fitted, by_prior;
    // True if most fitted weights have a known start error, which sets their prior.
    bool known_start;
    const char *scale; // how the scale of the weights is set, as printed
    Text new_terms;    // "; TERM: verdict" for each new term
} TuneFit;

// Returns an error if an option of the prior cannot affect the fit, and says why. If an option
// affects only some weights, prints their number.
Status tune_check_prior(const TuneFit *tune, Err *err);
// Chooses the strength of the prior by cross-validation (--cv) and prints all settings tried.
Status tune_cross_validate(TuneFit *tune, Err *err);

// Standard deviation, in units, of the prior of external terms that have no start. It is weak
// compared with the rows, but it holds weights that the rows do not determine.
#define FOREIGN_PRIOR_SD 1e4

// ---- printing (tune_print.c) ----------------------------------------------------------------

// Prints a JSON object or a progress line for an iteration; context is the CommandCall. Returns
// false after Ctrl-C.
bool tune_print_step(void *context, const FitStep *step, double time_s);
// Counts the fitted weights and those that the prior mostly determines.
void tune_count_decided(TuneFit *tune);
// Prints how many weights the games and the prior determine, if the prior determines most. The line
// is a warning if the start has no standard errors.
void tune_print_head(const TuneFit *tune);
// Prints what the games do not determine: tied terms (for built-in terms only ties beyond the usual
// one between terms with one entry per piece), and silent, separable and rare weights. Also prints
// how much of each fitted term the frozen terms explain.
void tune_print_notes(TuneFit *tune);
// Returns true if a term is new: it is fitted, the start has errors for other weights, but neither
// values nor errors for this term.
bool tune_is_new_term(const TuneFit *tune, int number);
// Prints a line `new_term` with a verdict for each term that the start does not know, and appends
// the verdicts to tune->new_terms. Prints a line `explained_term` for each other term that other
// terms almost wholly explain (tuner/term/ties.h).
void tune_print_new_terms(TuneFit *tune);
// Prints how much of each fitted term the frozen terms explain, with a warning if that is the
// larger part.
void tune_print_explained(const TuneFit *tune);
// Prints the piece values with their 95 % errors and the values of the classic table. `all` adds
// the values of the last piece of a kind and of each of two.
void tune_print_values(const CommandCall *call, const PieceTable *table, const char *contain,
                       bool all, bool json);
// Prints the built-in terms except tables and mobility, or the weights that --show selects.
void tune_print_terms(const TuneFit *tune);
void tune_print_summary(const TuneFit *tune);

// Returns true if the weight is fitted and occurs in fewer than ERRORS_FEW_GAMES training games.
bool tune_few_games(const TuneFit *tune, int weight);

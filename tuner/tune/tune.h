// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of `paotai tune`.
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

// Options of every fit, S the settings struct, M its FitSetup.
#define ROW_WEIGH(S, M)                                                                            \
    OPT_CHOICE("weigh", S, M.weigh, "games", "games|rows", "unit of equal weight in the loss")
#define ROW_LAMBDA(S, M)                                                                           \
    OPT_REAL("lambda", S, M.lambda, 0, 1, "0.2", "SHARE",                                          \
             "share of the game's result in the target; the rest is the search score")
// TIMES is the default of --prior-errors.
#define ROWS_PRIOR(S, M, TIMES)                                                                    \
    OPT_REAL("prior-sd", S, M.prior.sd, 0.001, 1e6, "80", "UNITS",                                 \
             "how far a table or mobility entry may lie from its start unless the games say "      \
             "otherwise"),                                                                         \
        OPT_REAL("material-sd", S, M.prior.material_sd, 0.001, 1e6, "1000", "UNITS",               \
                 "the same for material"),                                                         \
        OPT_REAL(                                                                                  \
            "prior-errors", S, M.prior.se_times, 0, 1e6, TIMES, "TIMES",                           \
            "where --weights have standard errors, the prior of each weight is TIMES of "          \
            "them, and --prior-sd and --material-sd are for weights without one; 0: for all"),     \
        OPT_REAL("smooth-sd", S, M.prior.smooth_sd, 0, 1e6, "40", "UNITS",                         \
                 "how far the changes of neighbouring points of a table from the start may lie "   \
                 "apart unless the games say otherwise; 0: any")
#define ROW_FIT_THREADS(S, M)                                                                      \
    OPT_INT("threads", S, M.threads, 1, 4096, "1", "N",                                            \
            "threads; the result is the same for any number", OPTION_NEUTRAL)

// Start and prior of a fit of our terms: the weights of this name, and their standard errors where
// they are known.
Status tune_read_start(const char *name, double start[2 * WEIGHT_COUNT],
                       double se[2 * WEIGHT_COUNT], Err *err);

// The setup of the fit that a weight file records, as far as it decides what is measured; the
// defaults of tune where the file has none.
FitSetup tune_setup_of_record(const FitRecord *record);

// Loads the rows of the directories, or of --rows, with a progress line. *terms, unless NULL, is
// set when they are about terms that are not ours, and closed by the caller; with NULL such rows
// are refused. The message names what failed.
Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseReader **terms, Err *err);

// Says which weights played the games of the command's directories, by the hash in the provenance
// of each shard, where they are not those of the name; `advice` ends the line. Weights and files
// that cannot be read are left to the loading that follows.
void tune_say_players(const CommandCall *call, const char *name, const char *advice);

// A fit, and tune --measure and --compare.
Status tune_fit(const CommandCall *call, Err *err);
Status tune_measure(const CommandCall *call, Err *err);
Status tune_compare(const CommandCall *call, Err *err);

// A fit with all that is printed and written of it.
typedef struct TuneFit {
    const CommandCall *call;
    TuneSettings settings; // as resolved: with the prior that is used
    RowSet rows;
    SparseReader *terms;               // of terms that are not ours; else NULL
    double start_se[2 * WEIGHT_COUNT]; // of our own terms
    Fit fit;
    FitErrors errors;
    FitErrors alone; // of results alone, where scores are in the target; else weight is NULL
    Identity identity;
    bool *shown;          // [n]: weights that --show names; with --json all
    double results_times; // errors of results alone are so many times as large; NAN: not known
    Estimate half;        // of fit_half()
    int fitted, by_prior; // weights; those that the prior decides for the most part
    bool known_start;     // most fitted weights have a standard error, which is their prior
    const char *scale;    // what the units of the weights are
    Text new_terms;       // "; TERM: verdict" of each new term
} TuneFit;

// Refuses options of the prior that cannot act on what is fitted, each with its reason; says on how
// few weights one acts.
Status tune_check_prior(const TuneFit *tune, Err *err);
// --cv: chooses the strengths of the prior by cross-validation and prints what was tried.
Status tune_cross_validate(TuneFit *tune, Err *err);

// Units: the ridge of other people's terms that have no start. Next to what rows say of a weight it
// is weak; it holds the weights that they do not determine.
#define FOREIGN_PRIOR_SD 1e4

// ---- printing (tune_print.c) ----------------------------------------------------------------

// An object for an iteration, or a line of progress; context is the CommandCall. False after
// Ctrl-C.
bool tune_print_step(void *context, const FitStep *step, double time_s);
// Counts the weights that the prior decides.
void tune_count_decided(TuneFit *tune);
// Says how many weights the games decide and how many the prior, if the prior decides most. The
// line is loud if the start has no errors.
void tune_print_head(const TuneFit *tune);
// What the games do not tell: tied terms (of our own only those that are not of terms with one
// entry for each piece), silent, separable and rare weights; and how much of each fitted term the
// frozen ones explain, with a warning where that is most of it.
void tune_print_notes(TuneFit *tune);
// Prints a line `new_term` with a verdict for each term that the start does not know, and adds the
// verdicts to tune->new_terms; and a line `explained_term` for each other term that has little of
// its own (tuner/term/ties.h).
void tune_print_new_terms(TuneFit *tune);
// Prints how much of each fitted term the frozen ones explain, with a warning where it is most.
void tune_print_explained(const TuneFit *tune);
// The values of pieces with their 95 % errors, beside those of the books; `all`: also of the last
// and of each of two.
void tune_print_values(const CommandCall *call, const PieceTable *table, bool all, bool json);
// Our own terms that are no tables or mobility, or what --show names.
void tune_print_terms(const TuneFit *tune);
void tune_print_summary(const TuneFit *tune);

// Whether a weight that is fitted is met in a few training games alone (errors.h).
bool tune_few_games(const TuneFit *tune, int weight);

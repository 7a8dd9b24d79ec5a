// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations of `paotai tune`.
#pragma once

#include "core/command/options.h"
#include "core/command/progress.h"
#include "datasets/sparse/sparse_file.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/fit_options.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/identify.h"
#include "tuner/fit/values.h"
#include "tuner/trace/trace_load.h"

typedef struct TuneSettings {
    const char *out, *weights, *errors, *report, *fit, *freeze, *rows, *show;
    const char *trace, *rows_out, *explain_trace, *check;
    FitSetup setup;
    double max_mismatch, prior_times;
    int cv, trace_plies, result_scale;
    bool measure, compare, verbose, json, quiet;
} TuneSettings;

// Loads the positions of the directories `dirs`, or of the file of --rows. Unless --quiet is given,
// prints how many games of the directories are left out, and names directories whose search scores
// come from version 0.1. If the positions have terms of another program, fills *terms, which the
// caller clears; otherwise terms->terms stays 0. If `terms` is NULL, refuses such positions with an
// error that names the file. Also refuses --lambda if no position has a search score, or if no
// position has a result.
Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseTerms *terms, RowCheck *check, Err *err);

// tune_fit() fits weights; tune_measure() and tune_compare() run --measure and --compare.
Status tune_fit(const CommandCall *call, Err *err);
Status tune_measure(const CommandCall *call, Err *err);
Status tune_compare(const CommandCall *call, Err *err);

// A fit of `paotai tune`, with everything that is printed and written about it.
typedef struct TuneFit {
    const CommandCall *call;
    TuneSettings settings; // the options; the fit may change setup.prior and setup.k
    RowSet rows;
    const SparseTerms *terms; // terms of another program (--rows, --trace): `foreign`; else NULL
    SparseTerms foreign;
    RowCheck check; // comparison of the rows of another program with its values; its `terms` is 0
                    // without a comparison
    // Built-in terms only: the record of the start weights, and their standard errors without the
    // pull of their own prior, which set the prior of this fit.
    FitRecord start;
    double start_se[2 * WEIGHT_COUNT];
    Fit fit;
    FitErrors errors;
    // Standard errors of a fit to results alone. alone.weight is NULL if search scores are not part
    // of the target, or if no game has a result.
    FitErrors alone;
    Identity identity;
    // true for each weight that is printed one by one: with --show the selected weights; without
    // --show, all weights if --json is given, otherwise none
    bool *shown;
    // Median ratio of the standard errors in `alone` to those in `errors`; NAN: unknown.
    double results_times;
    // validation loss of the fit minus that of a fit to half of the training games (fit_half)
    Estimate half;
    // Number of fitted weights, and number of fitted weights that are determined more by the prior
    // than by the games.
    int fitted, by_prior;
    bool open_prior; // the games choose the prior's standard deviation (prior_size.h)
    // True if the prior of most fitted weights comes from standard errors in the start weights'
    // file.
    bool known_start;
    // words that say what sets the scale of the weights, as printed after the key `scale`
    const char *scale;
    Text new_terms; // verdicts on the new terms: "; TERM: verdict" for each
} TuneFit;

// Sets frozen[i] for the weights that are not fitted: by --fit, --freeze, and terms that an engine
// declares fixed. Returns STATUS_USAGE if a pattern matches no term.
Status tune_choose_frozen(const TuneFit *tune, bool *frozen, Err *err);
// Fills rows and terms of *tune with the rows of the engine of --trace. Checks them, prints what
// was found, and writes --rows-out.
Status tune_load_trace(TuneFit *tune, Err *err);
// Appends what made the weights of a fit: command, options, games, and losses.
void tune_add_provenance(const TuneFit *tune, Text *text);
// Rounds the fitted terms of another program to their units, writes them to --out, and prints them.
Status tune_finish_terms(TuneFit *tune, Err *err);
// Prints how many rows were compared with the values of the program, and the worst mismatch.
void tune_print_checked(const CommandCall *call, const SparseTerms *terms, const RowCheck *check);
// Runs --explain-trace or --check.
Status tune_explain(const CommandCall *call, Err *err);

// Returns an error if an option of the prior is given but cannot affect the fit. With
// --prior-errors, the prior of a weight comes from its standard error in the start weights, if
// known, and not from --prior-sd or --material-sd. If --prior-sd or --material-sd is given but does
// not affect all weights of its kind, prints how many weights it affects, unless --quiet is given.
Status tune_check_prior(const TuneFit *tune, Err *err);
// Chooses the strength of the prior by cross-validation (--cv) and prints all settings that were
// tried.
Status tune_cross_validate(TuneFit *tune, Err *err);

// Prints a key and a sentence. A long sentence is wrapped over several lines.
void tune_print_note(const TuneFit *tune, const char *name, const char *sentence);
// Names terms of another program that moved far from their start values, or whose names suggest the
// value of a piece, and terms whose change is large compared with their prior.
void tune_print_moved(const TuneFit *tune);
// Prints what decides whether the fit makes another program stronger: counts of results, positions
// a weight, the change of scale by phase, and the correlation with search scores. Warns if such
// fits were seen to lose or to gain nothing. Prints nothing without start values.
void tune_print_strength(const TuneFit *tune);
// Returns true if the fit is for another program and has few positions a weight: with so few, most
// fits gained no more than the error of their match.
bool tune_few_positions(const TuneFit *tune);
// Appends advice on what to do next. The advice depends on the validation loss, and on its
// difference to that of the fit to half of the games. For another program the advice begins with a
// match and the time that this match takes, unless the fit predicts worse.
void tune_add_next(const TuneFit *tune, Text *text);
// Prints the scales of the prior of another program's terms, and where they come from.
void tune_say_prior(const TuneFit *tune);
// Prints them as key-value lines.
void tune_print_prior(const TuneFit *tune);

// Standard deviation, in units of LOSS_USUAL_K, of the prior of terms of other programs (--rows)
// without start weights. It is the first guess of prior_choose_size() (tuner/fit/prior_size.h).
#define FOREIGN_PRIOR_SD 80.0

// ---- printing (tune_print.c) ----------------------------------------------------------------

// Prints an iteration as a JSON object or, unless --quiet is given, as a line of a table. `context`
// is the CommandCall. Returns false after Ctrl-C, or if an MPI process was lost.
bool tune_print_step(void *context, const FitStep *step, double time_s);
// Sets tune->fitted to the number of fitted weights, and tune->by_prior to the number of those that
// were determined more by the prior than by the games. Sets tune->known_start to true if the prior
// of most fitted weights comes from standard errors in the start weights' file.
void tune_count_decided(TuneFit *tune);
// Returns true if the prior decides most of the fitted weights.
bool tune_prior_decides(const TuneFit *tune);
// Prints a line that says how many weights the prior determines. Does so only if the prior
// determines most weights, or with --verbose or --json. The line is a warning if the prior
// determines most weights, unless tune->known_start is true.
void tune_print_head(const TuneFit *tune);
// Prints what the games do not determine: terms that they cannot separate, and weights that never
// or rarely occur. For terms of other programs (--rows), also prints weights that only the prior
// keeps finite. For built-in terms, does not print sets that consist only of material terms and of
// terms in which each piece counts in exactly one entry (TERM_ENTRY), because these terms are
// always collinear. Also calls tune_print_explained() and tune_print_new_terms().
void tune_print_notes(TuneFit *tune);
// Returns true if a term is new: it is fitted, and the file of the start weights has neither values
// nor standard errors for the term, but has standard errors for other terms.
bool tune_is_new_term(const TuneFit *tune, int number);
// Prints a line `new_term` with a verdict for each term that the start weights do not contain, and
// appends the verdicts to tune->new_terms. Unless weights are frozen, also prints a line
// `explained_term` for each older term that is a copy or near copy of other terms (R2 above
// COLLINEARITY_NEAR_R2, tuner/fit/collinearity.h). Does not print this line for material and for
// terms in which each piece counts in exactly one entry (TERM_ENTRY). Prints nothing for terms of
// other programs (--rows) or with several MPI processes.
void tune_print_new_terms(TuneFit *tune);
// Prints how well the frozen weights can replace each fitted term: R2 of a linear regression
// (tuner/fit/collinearity.h) on the frozen weights. If R2 is above 0.5 and weights of other terms
// contribute to the regression, also prints a warning. Prints nothing if no weight is frozen.
void tune_print_explained(const TuneFit *tune);
// Prints the piece values with their 95 % errors, and the values of the classic table. `contain`
// says which sources of uncertainty the errors include. If `all` or `json` is set, also prints all
// other lines of the table (piece_table.h), such as the value of the last piece of a kind.
void tune_print_values(const CommandCall *call, const PieceTable *table, const char *contain,
                       bool all, bool json);
// Prints the built-in terms except material, piece-square and mobility tables. With --show, prints
// the selected weights instead. With --json, prints the terms and the selected weights, or all
// weights if --show is not given.
void tune_print_terms(const TuneFit *tune);
void tune_print_summary(const TuneFit *tune);

// Returns true if the weight is fitted and occurs in fewer than ERRORS_FEW_GAMES training games.
bool tune_few_games(const TuneFit *tune, int weight);

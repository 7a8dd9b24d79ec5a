// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of `paotai tune` share.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "datasets/sparse/sparse_file.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/values.h"
#include "tuner/rows/rows.h"

typedef struct TuneSettings {
    const char *out, *weights, *errors, *report, *fit, *freeze, *rows, *cache;
    int loss, optimiser, weigh; // LossKind, OptimiserKind
    double lambda, k, endgame_weight, prior_sd, material_sd, smooth_sd, valid_fraction,
        test_fraction, tolerance;
    int iterations, threads, speed, cv, bootstrap, patience;
    uint64_t seed;
    bool measure, compare, joint, study, json, quiet;
} TuneSettings;

// Loads the rows of the directories, or of --rows, with a progress line. The message names what
// failed.
Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 Err *err);

// Chooses the prior's strengths by cross-validation and prints the table of what was tried.
Status tune_cross_validate(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                           const double *start, PriorSetup *strengths, Err *err);

// A fit, and tune --measure, --compare and --speed: they return the exit status.
int tune_fit(const CommandCall *call);
int tune_measure(const CommandCall *call);
int tune_compare(const CommandCall *call);
int tune_speed(const CommandCall *call);

// Units: the ridge of other people's terms that have no start. Next to what rows say of a weight it
// is nothing; it holds what they say nothing of.
#define FOREIGN_PRIOR_SD 1e4

// The settings of the fit that a weight file tells of, as far as they decide what is measured, and
// the defaults of tune where it says nothing.
void tune_settings_of_record(const FitRecord *record, TuneSettings *settings);

// The fit that the options ask for; frozen is borrowed.
FitSetup tune_fit_setup(const CommandCall *call, const bool *frozen);
// Without --out; for when the rows are there and only the fit can fail.
void tune_warn_not_kept(const CommandCall *call);
// Keeps the prior of the fit among the settings of the call, for its provenance.
void tune_note_prior(TuneSettings *settings, const PriorSetup *strengths);
// Fits other people's terms and prints and writes what came out. The settings are those of the
// call.
Status tune_foreign(const CommandCall *call, TuneSettings *settings, const SparseTerms *terms,
                    const RowSet *rows, Err *err);

// A FitSetup.report whose context is the CommandCall: a line or an object for each iteration.
bool tune_print_step(void *context, const OptimiserStep *step, double train, double valid);
// Counts, convergence, slopes and losses of a fit.
void tune_print_summary(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                        const FitResult *result, const double *weights);
// Finds the errors, centres, scales and rounds, writes the files and prints what came out.
Status tune_finish(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                   const Prior *prior, FitResult *result, Err *err);

// tune --study: rank, condition, tied terms, silent weights, correlated pairs; before the scale is
// set.
Status tune_study(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                  const Prior *prior, const FitResult *result, Err *err);
// tune --bootstrap: the errors, before the scale is set, and the table that compares them.
Status tune_bootstrap(const CommandCall *call, const FitSetup *setup, const RowSet *rows,
                      const Prior *prior, const FitResult *result, FitErrors *errors, Err *err);
void tune_print_bootstrap(const CommandCall *call, const FitErrors *sandwich,
                          const FitErrors *bootstrap);

#define TUNE_QUANTILE_95 1.959963984540054 // two-sided, of the normal distribution

// The table of piece values, chariot = 9, beside the classic ones; with their 95 % errors unless
// error [GROUP_COUNT] is NULL.
void tune_print_values(const CommandCall *call, const RowSet *rows, const double *weights,
                       const PieceValue *error);

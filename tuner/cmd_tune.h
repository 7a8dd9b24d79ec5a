// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of `paotai tune` share.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "datasets/sparse/sparse_file.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/fit.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/identify.h"
#include "tuner/fit/values.h"
#include "tuner/rows/rows.h"

typedef struct TuneSettings {
    const char *out, *weights, *errors, *report, *fit, *freeze, *rows;
    FitSetup setup; // without what it fixes and whom it tells
    PriorSetup prior;
    int cv;
    bool measure, compare, study, json, quiet;
} TuneSettings;

// The fit that a weight file tells of, as far as it decides what is measured, and the defaults of
// tune where the file says nothing.
FitSetup tune_setup_of_record(const FitRecord *record);

// Loads the rows of the directories, or of --rows, with a progress line. *terms, unless NULL, is
// set when they are about terms that are not ours, and closed by the caller; with NULL such rows
// are refused. The message names what failed.
Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseReader **terms, Err *err);

// A fit, and tune --measure and --compare.
Status tune_fit(const CommandCall *call, Err *err);
Status tune_measure(const CommandCall *call, Err *err);
Status tune_compare(const CommandCall *call, Err *err);

// A fit on its way from rows to files.
typedef struct TuneFit {
    const CommandCall *call; // whose settings are these
    TuneSettings *settings;  // as resolved: with the prior that is used
    RowSet rows;
    SparseReader *terms; // of terms that are not ours; else NULL
    int n;               // numbers: 2 * rows.pairs
    double *start;       // [n]
    bool *frozen;        // [n]
    FitSetup setup;
    PriorSetup strengths;
    Prior prior;
    FitResult result;
    FitErrors errors;
    FitErrors alone;   // of results alone, where scores are in the target; else weight is NULL
    const char *scale; // what the units of the weights are
    double rounding;   // units: by how much whole weights move a row's score at most
} TuneFit;

// Units: the ridge of other people's terms that have no start. Next to what rows say of a weight it
// is nothing; it holds what they say nothing of.
#define FOREIGN_PRIOR_SD 1e4

// tune --cv: chooses the prior's strengths by cross-validation and prints what was tried.
Status tune_cross_validate(TuneFit *fit, Err *err);

// Finds the errors, centres, scales and rounds, writes the files and prints what came out.
Status tune_finish(TuneFit *fit, Err *err);
// Whether a weight that is fitted is met in a few training games alone (errors.h).
bool tune_few_games(const TuneFit *fit, int weight);
// tune --study: rank, condition, ties, silent, rare and separable weights, correlated pairs. Of
// terms that are not ours what concerns the table of weights is always said, and stands in
// *identity.
Status tune_study(const TuneFit *fit, Identity *identity, Err *err);
// Where scores are in the target: errors of the results alone beside those of the fit, and kept.
Status tune_results_alone(TuneFit *fit, Err *err);

#define TUNE_QUANTILE_95 1.959963984540054 // two-sided, of the normal distribution

// The table of piece values, the chariot's mean = 9, beside the classic ones, and what they are by
// the chariot of the same phase; with their 95 % errors unless `errors` is NULL.
void tune_print_values(const CommandCall *call, const RowSet *rows, const double *weights,
                       const FitErrors *errors);

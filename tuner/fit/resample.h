// SPDX-License-Identifier: GPL-3.0-or-later
// Fits to other games than those there are: folds for cross-validation, draws for the bootstrap.
#pragma once

#include "tuner/fit/errors.h"

// Called after each fit.
typedef void FitDone(void *context, int fits);

typedef struct CvSetting {
    PriorSetup prior;
    double loss;         // out: mean held-out loss per row
    Estimate difference; // out: from the best setting's, clustered by game
} CvSetting;

// Strengths of the prior by cross-validation over games: fits the training part's games in `folds`
// runs per setting, each without one fold, measures the games left out, fills the settings and sets
// *best to the one with the least held-out loss. The fold of a game is a function of setup->seed
// and its id. k and k_score are those of the whole training part. STATUS_INTERRUPTED after Ctrl-C.
Status cv_run(const RowSet *rows, const FitSetup *setup, const double *start, int folds,
              CvSetting *settings, int count, FitDone *done, void *context, int *best, Err *err);

// Standard errors a second way (Efron 1979): fits `runs` times to as many games as the training
// part has, drawn from it with replacement, each from result->weights with its k, and writes the
// standard deviations of scaled weights and values over the runs. Run b draws from the stream
// (setup->seed, b). errors_clear() frees. STATUS_INTERRUPTED after Ctrl-C.
Status bootstrap_run(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                     const FitResult *result, int runs, FitDone *done, void *context,
                     FitErrors *errors, Err *err);

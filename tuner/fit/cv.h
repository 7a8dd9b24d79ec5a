// SPDX-License-Identifier: GPL-3.0-or-later
// Cross-validation over games.
#pragma once

#include "core/base/progress.h"
#include "tuner/fit/fit.h"

typedef struct CvSetting {
    PriorSetup prior;
    double loss;         // out: mean held-out loss per row
    Estimate difference; // out: from the best setting's, clustered by game
} CvSetting;

// Strengths of the prior by cross-validation over games: fits the training part's games in `folds`
// runs per setting, each without one fold, measures the games left out, fills the settings and sets
// *best to the one with the least held-out loss. The fold of a game is a function of the seed and
// its content. k and k_score are those of the whole training part. `fit` is prepared and stays as
// it is. progress (may be NULL) counts the fits. STATUS_INTERRUPTED after Ctrl-C.
Status cv_run(const Fit *fit, int folds, CvSetting *settings, int count, Progress *progress,
              int *best, Err *err);

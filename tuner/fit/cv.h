// SPDX-License-Identifier: GPL-3.0-or-later
// Cross-validation over games.
#pragma once

#include "core/base/progress.h"
#include "tuner/fit/fit.h"

typedef struct CvSetting {
    PriorSetup prior;
    double loss;         // out: mean held-out loss per row
    Estimate difference; // out: loss minus the loss of the best setting; error clustered by game
} CvSetting;

// Chooses the strength of the prior by cross-validation over games. For each setting it fits
// `folds` times to the training games, each time without one fold, and measures the loss of that
// fold. Fills `settings` and sets *best to the index of the setting with the least held-out loss.
// The fold of a game depends only on the seed and on the content of the game. k and k_score are
// estimated from the whole training part. `fit` must be prepared and is not changed. `progress`
// (may be NULL) counts the fits. Returns STATUS_INTERRUPTED after Ctrl-C.
Status cv_run(const Fit *fit, int folds, CvSetting *settings, int count, Progress *progress,
              int *best, Err *err);

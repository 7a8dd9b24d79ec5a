// SPDX-License-Identifier: GPL-3.0-or-later
// Cross-validation over games, which chooses the strength of a fit's prior.
#pragma once

#include "core/command/progress.h"
#include "tuner/fit/fit.h"

typedef struct CvSetting {
    PriorSetup prior;
    double loss; // out: mean loss per position, on the games that each fit left out
    // out: loss minus the loss of the best setting, with a standard error clustered by game
    Estimate difference;
} CvSetting;

// Chooses the strength of the prior by cross-validation. The training games are split into `folds`
// parts. For each of the `count` settings, the weights are fitted `folds` times, each time without
// one part, and the loss is measured on that part. Sets the members `loss` and `difference` of all
// settings, and *best to the index of the setting with the least loss. The part of a game depends
// only on `folds`, on the seed and on RowGame.split. The sigmoids that turn scores into expected
// results are fitted once, to all training games. `fit` comes from fit_init() and is not changed.
// `progress` (may be NULL) counts the fits. Returns STATUS_INTERRUPTED after Ctrl-C.
Status cv_run(const Fit *fit, int folds, CvSetting *settings, int count, Progress *progress,
              int *best, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the standard deviation of a prior that is the same for all weights, from the games.
//
// A fit with a wide prior to few games fits the noise of the games. With a narrow prior it learns
// nothing. The games themselves say how large the weights are: with the evidence approximation
// (MacKay 1992, Neural Computation 4, 415-447), the most probable standard deviation sd satisfies
//     sd^2 = sum over the weights of (weight - start)^2  /  sum of the shares that the games
//     decided
// (FitErrors.decided), where weights and shares are those of a fit with the prior sd.
#pragma once

#include "tuner/fit/fit.h"

// Largest standard deviation that prior_choose_size() returns. Such a prior is weak compared with
// any games, but it limits weights that the games do not determine.
#define PRIOR_SIZE_MAX 1e4

// Sets fit->prior and fit->setup.prior to the standard deviation that the games suggest, between a
// thousandth of the first guess fit->setup.prior.sd and PRIOR_SIZE_MAX. Call it before fit_run(),
// for terms of another evaluation without start values; the frozen weights must be known. Fits the
// training games up to twenty times.
Status prior_choose_size(Fit *fit, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the standard deviation of a prior that is the same for all weights, from the games.
//
// A fit with a wide prior to few games fits the noise of the games. With a narrow prior it learns
// nothing. The games themselves say how large the weights are: the best standard deviation sd has
// the largest evidence, the probability of the games if the weights are drawn from the prior
// (MacKay 1992, Neural Computation 4, 415-447). With Laplace's approximation its logarithm is
//     -(loss + prior) - log|A| / 2 - n log sd + constant,
// where the weights are those of a fit with the prior sd, and A is the Hessian of the summed loss
// and prior of the n weights. MacKay's iteration of sd^2 = squares of the changes / sum of
// FitErrors.decided assumes that A does not depend on the weights; it found 46 to 51 units instead
// of 60 (E-182).
#pragma once

#include "tuner/fit/fit.h"

// Largest standard deviation that prior_choose_size() returns. Such a prior is weak compared with
// any games, but it limits weights that the games do not determine.
#define PRIOR_SIZE_MAX 1e4

// Sets fit->prior and fit->setup.prior to the standard deviation that the games suggest, between a
// thousandth of the first guess fit->setup.prior.sd and PRIOR_SIZE_MAX. Call it before fit_run(),
// for terms of another evaluation without start values; the frozen weights must be known. Fits the
// training games about ten times.
Status prior_choose_size(Fit *fit, Err *err);

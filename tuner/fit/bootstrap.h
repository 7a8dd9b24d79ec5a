// SPDX-License-Identifier: GPL-3.0-or-later
// Standard errors a second way: fits to games drawn again with replacement (Efron 1979).
#pragma once

#include "tuner/fit/errors.h"

// Fits `runs` times to as many games as the training part has, drawn from it with replacement, each
// from result->weights with its k, and writes the standard deviations of scaled weights and values
// over the runs. Run b draws from the stream (setup->seed, b). done, unless NULL, is called after
// each run. errors_clear() frees. STATUS_INTERRUPTED after Ctrl-C.
Status bootstrap_run(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                     const FitResult *result, int runs, void (*done)(void *context, int fits),
                     void *context, FitErrors *errors, Err *err);

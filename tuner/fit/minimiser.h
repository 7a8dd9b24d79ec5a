// SPDX-License-Identifier: GPL-3.0-or-later
// What the minimisers of optimisers.def share; for them alone.
#pragma once

#include "tuner/fit/optimise.h"

// One run of a minimiser: what every method keeps.
typedef struct Run {
    const Objective *objective;
    const OptimiserOptions *options;
    OptimiserResult *result;
    double *x; // the caller's
    double started_s;
} Run;

typedef Status Minimiser(Run *run, Err *err);

#define OPTIMISER(id, name, function) Minimiser function;
#include "tuner/fit/optimisers.def"
#undef OPTIMISER

// Notes where the run is and tells the caller; false: stop.
bool run_report(Run *run, double value, const double *gradient, double gap);

// The objective's value and gradient, counted.
double run_value(Run *run, const double *x, double *gradient);

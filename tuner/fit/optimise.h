// SPDX-License-Identifier: GPL-3.0-or-later
// Minimisers behind one interface, and the library that they are built on.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/status.h"

// Switches the aborting error handler of GSL off: it then returns codes. Call once at start-up.
void tuner_library_init(void);
// The line `gsl VERSION`.
void tuner_library_versions(FILE *out);

// A function of n numbers. Callbacks must give the same bits for the same x.
typedef struct Objective {
    int n;
    void *context;
    // The value at x; gradient [n] is written. It is what is asked for first.
    double (*value)(void *context, const double *x, double *gradient);
    // The Hessian at x, n x n row-major, both triangles; never far from positive definite.
    void (*hessian)(void *context, const double *x, double *hessian);
    // Moves x nearer to the minimum and writes the Hessian there, both by a part of the data, at a
    // fraction of the cost; may be NULL.
    void (*sketch)(void *context, double *x, double *hessian);
} Objective;

typedef struct OptimiserStep {
    int iteration; // 0: the start
    double value;
    double gradient_norm; // Euclidean
    double gap;           // estimate of value - minimum; NAN where the method has none
    double time_s;        // since the start
    const double *x;      // [n]
} OptimiserStep;

typedef struct OptimiserOptions {
    int max_iterations;
    double tolerance; // stop when the value is this close to the minimum, relative to the value
    int threads;      // of Newton's matrices; up to 1: one
    // Called for the start and after each iteration; false stops. May be NULL.
    bool (*report)(void *context, const OptimiserStep *step);
    void *report_context;
} OptimiserOptions;

typedef struct OptimiserResult {
    double value, gradient_norm, gap, time_s;
    double hessian_gap; // Newton: the gap where the last exact Hessian was taken
    int iterations, evaluations, hessians;
    bool converged; // false: the iterations ran out, or report() said stop
} OptimiserResult;

// Newton's method, and BFGS as a second opinion.
typedef enum OptimiserKind { OPTIMISER_NEWTON, OPTIMISER_BFGS } OptimiserKind;
#define OPTIMISER_NAMES "newton|bfgs"
const char *optimiser_name(OptimiserKind kind);

// Moves x [n] to the minimum. STATUS_NUMERIC when the function or a step is not finite.
Status optimise(OptimiserKind kind, const Objective *objective, const OptimiserOptions *options,
                double *x, OptimiserResult *result, Err *err);

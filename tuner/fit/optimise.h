// SPDX-License-Identifier: GPL-3.0-or-later
// Minimisers behind one interface. Which one is a row of optimisers.def.
#pragma once

#include <stdbool.h>

#include "core/base/status.h"

// A function of n numbers. Callbacks must give the same bits for the same x.
typedef struct Objective {
    int n;
    void *context;
    // The value at x; gradient [n] is written.
    double (*value)(void *context, const double *x, double *gradient);
    // The Hessian at x, n x n row-major, both triangles; never far from positive definite.
    void (*hessian)(void *context, const double *x, double *hessian);
    // An estimate of it from a part of the data, at a fraction of the cost; may be NULL.
    void (*sketch)(void *context, const double *x, double *hessian);
    // The gradient of part `batch` of `batches`, scaled to stand for the whole; may be NULL.
    void (*batch)(void *context, const double *x, int batch, int batches, double *gradient);
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
    double tolerance;     // stop when the value is this close to the minimum, relative to the value
    double learning_rate; // Adam: units a step
    int batches;          // Adam: steps an epoch; up to 1: one, with all rows
    // Called for the start and after each iteration; false stops. May be NULL.
    bool (*report)(void *context, const OptimiserStep *step);
    void *report_context;
} OptimiserOptions;

typedef struct OptimiserResult {
    double value, gradient_norm, gap, time_s;
    int iterations, evaluations, hessians;
    bool converged; // false: the iterations ran out, or report() said stop
} OptimiserResult;

typedef enum OptimiserKind {
#define OPTIMISER(id, name, function) OPTIMISER_##id,
#include "tuner/fit/optimisers.def"
#undef OPTIMISER
    OPTIMISER_COUNT
} OptimiserKind;

// The names, separated by '|', in the order of the enumerators: for option rows.
#define OPTIMISER_NAMES "newton|bfgs|adam"
const char *optimiser_name(OptimiserKind kind);

// Moves x [n] to the minimum. STATUS_NUMERIC when the function or a step is not finite.
Status optimise(OptimiserKind kind, const Objective *objective, const OptimiserOptions *options,
                double *x, OptimiserResult *result, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Adam (Kingma and Ba 2015) with its usual constants, full batch or in batches: for comparison with
// other tuners, and for problems whose Hessian does not fit.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/minimiser.h"

static const double decay_mean = 0.9, decay_square = 0.999, floor_square = 1e-8;
enum { STALL = 20 }; // so many epochs without progress end the run

typedef struct Adam {
    int n;
    double rate;
    double *mean, *square;           // running means of the gradient and its square
    double power_mean, power_square; // decay^steps
} Adam;

static void adam_step(Adam *adam, const double *gradient, double *x) {
    adam->power_mean *= decay_mean;
    adam->power_square *= decay_square;
    for (int i = 0; i < adam->n; i++) {
        const double g = gradient[i];
        adam->mean[i] = decay_mean * adam->mean[i] + (1.0 - decay_mean) * g;
        adam->square[i] = decay_square * adam->square[i] + (1.0 - decay_square) * g * g;
        const double mean = adam->mean[i] / (1.0 - adam->power_mean);
        const double square = adam->square[i] / (1.0 - adam->power_square);
        // The floor is relative to gradients of about 1; ours are of a mean loss per unit.
        x[i] -= adam->rate * mean / (sqrt(square) + floor_square * 1e-4);
    }
}

// One epoch; *value and gradient at its end. A full batch takes its next step from them.
static void adam_epoch(Run *run, Adam *adam, double *value, double *gradient, double *part) {
    const int batches = run->options->batches;
    if (batches <= 1 || !run->objective->batch) {
        adam_step(adam, gradient, run->x);
    } else {
        for (int b = 0; b < batches; b++) {
            run->objective->batch(run->objective->context, run->x, b, batches, part);
            adam_step(adam, part, run->x);
        }
    }
    *value = run_value(run, run->x, gradient);
}

Status optimise_adam(Run *run, Err *err) {
    const size_t n = (size_t)run->objective->n;
    Adam adam = {.n = (int)n,
                 .rate = run->options->learning_rate,
                 .mean = memory_alloc(n, sizeof(double)),
                 .square = memory_alloc(n, sizeof(double)),
                 .power_mean = 1.0,
                 .power_square = 1.0};
    double *gradient = memory_alloc(n, sizeof *gradient), *part = memory_alloc(n, sizeof *part);
    double value = run_value(run, run->x, gradient), best = value;
    Status status = STATUS_OK;
    bool go_on = run_report(run, value, gradient, NAN);
    for (int stalled = 0; go_on && !run->result->converged &&
                          run->result->iterations < run->options->max_iterations;) {
        adam_epoch(run, &adam, &value, gradient, part);
        run->result->iterations++;
        if (!isfinite(value)) {
            status = err_set(err, STATUS_NUMERIC,
                             "Adam: the loss is %g after %d epochs; a smaller --learning-rate "
                             "keeps it finite",
                             value, run->result->iterations);
            break;
        }
        stalled = best - value <= run->options->tolerance * fabs(best) ? stalled + 1 : 0;
        best = fmin(best, value);
        run->result->converged = stalled >= STALL;
        go_on = run_report(run, value, gradient, NAN);
    }
    free(adam.mean);
    free(adam.square);
    free(gradient);
    free(part);
    return status;
}

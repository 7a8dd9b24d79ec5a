// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/optimise.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"

static double norm(const double *v, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

bool optimise_note(Run *run, double value, const double *gradient, double gap) {
    OptimiserResult *result = run->result;
    result->value = value;
    result->gradient_norm = norm(gradient, run->objective->n);
    result->gap = gap;
    result->time_s = clock_now_s() - run->started_s;
    const OptimiserStep step = {.iteration = result->iterations,
                                .value = value,
                                .gradient_norm = result->gradient_norm,
                                .gap = gap,
                                .time_s = result->time_s,
                                .x = run->x};
    return !run->options->report || run->options->report(run->options->report_context, &step);
}

double optimise_value(Run *run, const double *x, double *gradient) {
    run->result->evaluations++;
    return run->objective->value(run->objective->context, x, gradient);
}

Status optimise(OptimiserKind kind, const Objective *objective, const OptimiserOptions *options,
                double *x, OptimiserResult *result, Err *err) {
    memset(result, 0, sizeof *result);
    for (int i = 0; i < objective->n; i++) {
        if (!isfinite(x[i])) {
            return err_set(err, STATUS_NUMERIC, "parameter %d is %g at the start", i, x[i]);
        }
    }
    Run run = {objective, options, result, x, clock_now_s()};
    return kind == OPTIMISER_BFGS ? optimise_bfgs(&run, err) : optimise_newton(&run, err);
}

const char *optimiser_name(OptimiserKind kind) {
    return kind == OPTIMISER_BFGS ? "bfgs" : "newton";
}

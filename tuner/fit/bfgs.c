// SPDX-License-Identifier: GPL-3.0-or-later
// The quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno.
//
// GSL's vector_bfgs2 on variables divided by 1 / sqrt(diagonal of the first Hessian): without that
// weights that occur in every position and weights that occur once are too far apart for it.
#include <gsl/gsl_multimin.h>
#include <math.h>

#include "core/base/memory.h"
#include "tuner/fit/optimise.h"

typedef struct Scaled {
    Run *run;
    double *unit, *x, *gradient;
} Scaled;

static double scaled_both(const gsl_vector *y, Scaled *scaled, gsl_vector *gradient) {
    const int n = scaled->run->objective->n;
    for (int i = 0; i < n; i++) scaled->x[i] = gsl_vector_get(y, (size_t)i) * scaled->unit[i];
    const double value = optimise_value(scaled->run, scaled->x, scaled->gradient);
    for (int i = 0; gradient && i < n; i++) {
        gsl_vector_set(gradient, (size_t)i, scaled->gradient[i] * scaled->unit[i]);
    }
    return value;
}
static double scaled_value(const gsl_vector *y, void *context) {
    return scaled_both(y, context, NULL);
}
static void scaled_gradient(const gsl_vector *y, void *context, gsl_vector *gradient) {
    scaled_both(y, context, gradient);
}
static void scaled_value_gradient(const gsl_vector *y, void *context, double *value,
                                  gsl_vector *gradient) {
    *value = scaled_both(y, context, gradient);
}

static void scaled_init(Scaled *scaled, Run *run) {
    const Objective *objective = run->objective;
    const size_t n = (size_t)objective->n;
    *scaled = (Scaled){.run = run,
                       .unit = memory_alloc(n, sizeof(double)),
                       .x = memory_alloc(n, sizeof(double)),
                       .gradient = memory_alloc(n, sizeof(double))};
    double *hessian = memory_alloc(n * n, sizeof(double));
    objective->hessian(objective->context, run->x, hessian);
    run->result->hessians++;
    for (size_t i = 0; i < n; i++) {
        const double diagonal = hessian[i * n + i];
        scaled->unit[i] = diagonal > 0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    free(hessian);
}

static Status bfgs_loop(Run *run, Scaled *scaled, gsl_multimin_fdfminimizer *minimiser) {
    const int n = run->objective->n;
    double before = minimiser->f;
    for (int small = 0; run->result->iterations < run->options->max_iterations;) {
        const int code = gsl_multimin_fdfminimizer_iterate(minimiser);
        for (int i = 0; i < n; i++) {
            run->x[i] = gsl_vector_get(minimiser->x, (size_t)i) * scaled->unit[i];
            scaled->gradient[i] = gsl_vector_get(minimiser->gradient, (size_t)i) / scaled->unit[i];
        }
        // No progress: rounding hides the rest, which is as near as this method comes.
        run->result->converged = code == GSL_ENOPROG;
        if (code != GSL_SUCCESS && code != GSL_ENOPROG) return STATUS_NUMERIC;
        run->result->iterations++;
        if (!optimise_note(run, minimiser->f, scaled->gradient, NAN)) break;
        small =
            before - minimiser->f <= run->options->tolerance * fabs(minimiser->f) ? small + 1 : 0;
        before = minimiser->f;
        run->result->converged = run->result->converged || small == 5;
        if (run->result->converged) break;
    }
    return STATUS_OK;
}

Status optimise_bfgs(Run *run, Err *err) {
    const size_t n = (size_t)run->objective->n;
    Scaled scaled;
    scaled_init(&scaled, run);
    gsl_multimin_function_fdf function = {.f = scaled_value,
                                          .df = scaled_gradient,
                                          .fdf = scaled_value_gradient,
                                          .n = n,
                                          .params = &scaled};
    gsl_vector *start = gsl_vector_alloc(n);
    for (size_t i = 0; i < n; i++) gsl_vector_set(start, i, run->x[i] / scaled.unit[i]);
    gsl_multimin_fdfminimizer *minimiser =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, n);
    int code = gsl_multimin_fdfminimizer_set(minimiser, &function, start, 0.1, 0.1);
    Status status = code == GSL_SUCCESS && isfinite(minimiser->f) ? STATUS_OK : STATUS_NUMERIC;
    if (status == STATUS_OK && optimise_note(run, minimiser->f, scaled.gradient, NAN)) {
        status = bfgs_loop(run, &scaled, minimiser);
    }
    if (status != STATUS_OK) {
        err_set(err, status, "BFGS stopped after %d iterations: the loss is not finite there",
                run->result->iterations);
    }
    gsl_multimin_fdfminimizer_free(minimiser);
    gsl_vector_free(start);
    free(scaled.unit);
    free(scaled.x);
    free(scaled.gradient);
    return status;
}

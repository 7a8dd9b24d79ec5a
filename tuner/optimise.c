// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/optimise.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

// One run of a minimiser: what every method keeps.
typedef struct Run {
    const Objective *objective;
    const OptimiserOptions *options;
    OptimiserResult *result;
    double *x; // the caller's
    double started_s;
} Run;

typedef Status Minimiser(Run *run, Err *err);

static double norm(const double *v, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

// Notes where the run is and tells the caller; false: stop.
static bool run_report(Run *run, double value, const double *gradient, double gap) {
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

static double run_value(Run *run, const double *x, double *gradient) {
    run->result->evaluations++;
    return run->objective->value(run->objective->context, x, gradient);
}

// ---- Newton -------------------------------------------------------------------------------------

// Full steps
// with the exact Hessian; when a step does not lower the value (or the Hessian is not positive
// definite) its diagonal is raised as Levenberg and Marquardt do. For a logistic loss this is
// iteratively reweighted least squares. g H^-1 g / 2 estimates how far the value is above the
// minimum and ends the run.

typedef struct Newton {
    gsl_matrix *factor;
    gsl_vector *step;
    double *gradient, *hessian, *trial, *trial_gradient;
} Newton;

static void newton_init(Newton *newton, int n) {
    const size_t size = (size_t)n;
    newton->factor = gsl_matrix_alloc(size, size);
    newton->step = gsl_vector_alloc(size);
    newton->gradient = memory_alloc(size, sizeof(double));
    newton->hessian = memory_alloc(size * size, sizeof(double));
    newton->trial = memory_alloc(size, sizeof(double));
    newton->trial_gradient = memory_alloc(size, sizeof(double));
}

static void newton_clear(Newton *newton) {
    gsl_matrix_free(newton->factor);
    gsl_vector_free(newton->step);
    free(newton->gradient);
    free(newton->hessian);
    free(newton->trial);
    free(newton->trial_gradient);
}

// step = -(H + damping diag H)^-1 gradient; false when that matrix is not positive definite.
static bool newton_solve(Newton *newton, int n, double damping) {
    memcpy(newton->factor->data, newton->hessian, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double *diagonal = gsl_matrix_ptr(newton->factor, (size_t)i, (size_t)i);
        *diagonal += damping * (fabs(*diagonal) + 1e-12);
        gsl_vector_set(newton->step, (size_t)i, -newton->gradient[i]);
    }
    if (gsl_linalg_cholesky_decomp1(newton->factor) != GSL_SUCCESS) return false;
    gsl_linalg_cholesky_svx(newton->factor, newton->step);
    return true;
}

// Finds a step that lowers the value. *gap receives the estimate of the remaining distance.
// Returns the new value, or NAN when no step does.
static double newton_step(Run *run, Newton *newton, double value, double *damping, double *gap) {
    const int n = run->objective->n;
    for (int attempt = 0; attempt < 40; attempt++) {
        if (newton_solve(newton, n, *damping)) {
            double slope = 0.0;
            for (int i = 0; i < n; i++) {
                const double step = gsl_vector_get(newton->step, (size_t)i);
                slope += step * newton->gradient[i];
                newton->trial[i] = run->x[i] + step;
            }
            *gap = -0.5 * slope;
            const double trial = run_value(run, newton->trial, newton->trial_gradient);
            // Close to the minimum the values differ by less than they are rounded.
            const double rounding = 1e-14 * fabs(value);
            if (trial <= value + 1e-4 * slope + rounding) return trial;
        }
        *damping = *damping > 0 ? *damping * 10.0 : 1e-4;
    }
    return NAN;
}

static Status optimise_newton(Run *run, Err *err) {
    const Objective *objective = run->objective;
    const size_t size = (size_t)objective->n * sizeof(double);
    Newton newton;
    newton_init(&newton, objective->n);
    Status status = STATUS_OK;
    double value = run_value(run, run->x, newton.gradient), damping = 0.0, gap = NAN;
    bool go_on = run_report(run, value, newton.gradient, gap);
    while (go_on && !run->result->converged &&
           run->result->iterations < run->options->max_iterations) {
        objective->hessian(objective->context, run->x, newton.hessian);
        run->result->hessians++;
        value = newton_step(run, &newton, value, &damping, &gap);
        if (!isfinite(value)) {
            status = err_set(err, STATUS_NUMERIC,
                             "Newton: no step from iteration %d lowers the loss; a stronger prior "
                             "(--prior-sd) keeps the weights finite",
                             run->result->iterations);
            break;
        }
        memcpy(run->x, newton.trial, size);
        memcpy(newton.gradient, newton.trial_gradient, size);
        run->result->iterations++;
        // The step has been taken: what remains is of second order in what it gained.
        run->result->converged = gap <= run->options->tolerance * fabs(value);
        damping = damping > 1e-6 ? damping * 0.1 : 0.0;
        go_on = run_report(run, value, newton.gradient, gap);
    }
    newton_clear(&newton);
    return status;
}

// ---- BFGS ---------------------------------------------------------------------------------------

// GSL's
// vector_bfgs2 on variables divided by 1 / sqrt(diagonal of the first Hessian): without that
// weights that occur in every position and weights that occur once are too far apart for it.

typedef struct Scaled {
    Run *run;
    double *unit, *x, *gradient;
} Scaled;

static double scaled_both(const gsl_vector *y, Scaled *scaled, gsl_vector *gradient) {
    const int n = scaled->run->objective->n;
    for (int i = 0; i < n; i++) scaled->x[i] = gsl_vector_get(y, (size_t)i) * scaled->unit[i];
    const double value = run_value(scaled->run, scaled->x, scaled->gradient);
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
        if (!run_report(run, minimiser->f, scaled->gradient, NAN)) break;
        small =
            before - minimiser->f <= run->options->tolerance * fabs(minimiser->f) ? small + 1 : 0;
        before = minimiser->f;
        run->result->converged = run->result->converged || small == 5;
        if (run->result->converged) break;
    }
    return STATUS_OK;
}

static Status optimise_bfgs(Run *run, Err *err) {
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
    if (status == STATUS_OK && run_report(run, minimiser->f, scaled.gradient, NAN)) {
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

// ---- the table ----------------------------------------------------------------------------------

static const struct {
    const char *name;
    Minimiser *function;
} optimisers[OPTIMISER_COUNT] = {
#define OPTIMISER(id, name, function) {name, function},
#include "tuner/optimisers.def"
#undef OPTIMISER
};

const char *optimiser_name(OptimiserKind kind) {
    return optimisers[kind].name;
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
    return optimisers[kind].function(&run, err);
}

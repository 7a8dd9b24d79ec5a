// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/optimise.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "tuner/fit/matrix.h"

void tuner_library_init(void) {
    gsl_set_error_handler_off();
}

void tuner_library_versions(FILE *out) {
    fprintf(out, "gsl %s\n", gsl_version);
}

// One run of a minimiser: what every method keeps.
typedef struct Run {
    const Objective *objective;
    const OptimiserOptions *options;
    OptimiserResult *result;
    double *x; // the caller's
    double started_s;
} Run;

static double norm(const double *v, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

// Notes where the run is and tells the caller; false: stop.
static bool optimise_note(Run *run, double value, const double *gradient, double gap) {
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

// The objective's value and gradient, counted.
static double optimise_value(Run *run, const double *x, double *gradient) {
    run->result->evaluations++;
    return run->objective->value(run->objective->context, x, gradient);
}

// ---- Newton -------------------------------------------------------------------------------------

// Newton's method with the exact Hessian: for a logistic loss, iteratively reweighted least
// squares.
//
// A Hessian costs as much as many gradients. So the first steps are made on a sketch of the data,
// and its Hessian is near enough for the next ones, as gradients are exact (Byrd, Chin, Neveitt and
// Nocedal 2011). Each is kept for the next step as long as steps still bring the value much nearer
// to the minimum (the chord method; Kelley 1995, 5.4). When a step does not lower the value, or the
// matrix is not positive definite, its diagonal is raised as Levenberg and Marquardt do.
// g' H^-1 g / 2 estimates how far the value is above the minimum and ends the run.

// A step must leave at most this share of the gap, or the next one gets a Hessian of its own: so
// many steps of one pass as a Hessian costs would leave less.
static const double keep_share = 0.5;

typedef struct Newton {
    Run *run;
    int n;
    double value, gap; // at run->x; the gap by the factor at hand
    double damping;    // of the factor
    bool fresh;        // the factor is of the exact Hessian at run->x
    double *factor;
    double *step; // (H + damping diag H)^-1 gradient, which is to be taken away
    double *gradient, *hessian, *trial, *trial_gradient;
} Newton;

static void newton_init(Newton *newton, Run *run) {
    const size_t size = (size_t)run->objective->n;
    *newton = (Newton){.run = run, .n = run->objective->n, .gap = NAN};
    newton->factor = memory_alloc(size * size, sizeof(double));
    newton->step = memory_alloc(size, sizeof(double));
    newton->gradient = memory_alloc(size, sizeof(double));
    newton->hessian = memory_alloc(size * size, sizeof(double));
    newton->trial = memory_alloc(size, sizeof(double));
    newton->trial_gradient = memory_alloc(size, sizeof(double));
}

static void newton_clear(Newton *newton) {
    free(newton->factor);
    free(newton->step);
    free(newton->gradient);
    free(newton->hessian);
    free(newton->trial);
    free(newton->trial_gradient);
}

// The step and the gap for the present gradient, with the factor at hand.
static void newton_direct(Newton *newton) {
    double slope = 0.0;
    memcpy(newton->step, newton->gradient, (size_t)newton->n * sizeof(double));
    matrix_solve(newton->factor, (size_t)newton->n, newton->step);
    for (int i = 0; i < newton->n; i++) slope += newton->step[i] * newton->gradient[i];
    newton->gap = 0.5 * slope;
}

// Factors hessian + damping diag hessian; false when that is not positive definite.
static bool newton_factor(Newton *newton) {
    const size_t n = (size_t)newton->n;
    memcpy(newton->factor, newton->hessian, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double *diagonal = &newton->factor[i * n + i];
        *diagonal += newton->damping * (fabs(*diagonal) + 1e-12);
    }
    return matrix_factor(newton->factor, n, newton->run->options->threads);
}

static void newton_raise(Newton *newton) {
    newton->damping = newton->damping > 0 ? newton->damping * 10.0 : 1e-4;
}

// The factor of the Hessian at hand, step and gap; false when no damping makes it positive
// definite.
static bool newton_use(Newton *newton) {
    for (int attempt = 0; attempt < 40; attempt++) {
        if (newton_factor(newton)) {
            newton_direct(newton);
            return isfinite(newton->gap);
        }
        newton_raise(newton);
    }
    return false;
}

// The same of the Hessian at run->x.
static bool newton_refresh(Newton *newton) {
    const Objective *objective = newton->run->objective;
    objective->hessian(objective->context, newton->run->x, newton->hessian);
    newton->run->result->hessians++;
    newton->fresh = true;
    newton->damping = newton->damping > 1e-6 ? newton->damping * 0.1 : 0.0;
    const bool used = newton_use(newton);
    newton->run->result->hessian_gap = newton->gap;
    return used;
}

// Tries the step; true when it lowers the value, and run->x, value and gradient have moved.
static bool newton_try(Newton *newton) {
    Run *run = newton->run;
    for (int i = 0; i < newton->n; i++) newton->trial[i] = run->x[i] - newton->step[i];
    const double trial = optimise_value(run, newton->trial, newton->trial_gradient);
    // Close to the minimum the values differ by less than they are rounded.
    const double rounding = 1e-14 * fabs(newton->value);
    if (!(trial <= newton->value - 2e-4 * newton->gap + rounding)) return false;
    memcpy(run->x, newton->trial, (size_t)newton->n * sizeof(double));
    memcpy(newton->gradient, newton->trial_gradient, (size_t)newton->n * sizeof(double));
    newton->value = trial;
    return true;
}

// From the start to where a sketch of the objective is least, unless that lowers no value.
static bool newton_begin(Newton *newton) {
    const Objective *objective = newton->run->objective;
    double moved = 0.0;
    if (!objective->sketch) return newton_refresh(newton);
    memcpy(newton->trial, newton->run->x, (size_t)newton->n * sizeof(double));
    objective->sketch(objective->context, newton->trial, newton->hessian);
    for (int i = 0; i < newton->n; i++) {
        newton->step[i] = newton->run->x[i] - newton->trial[i];
        moved = fmax(moved, fabs(newton->step[i]));
    }
    newton->gap = 0.0;
    if (moved > 0) newton_try(newton);
    return newton_use(newton);
}

// One step from run->x; false when nothing lowers the value.
static bool newton_step(Newton *newton) {
    const double before = newton->gap;
    for (int attempt = 0; !newton_try(newton); attempt++) {
        if (attempt == 40) return false;
        if (!newton->fresh) {
            if (!newton_refresh(newton)) return false;
            continue;
        }
        do newton_raise(newton);
        while (!newton_factor(newton) && newton->damping < 1e30);
        newton_direct(newton);
    }
    newton->fresh = false;
    newton_direct(newton);
    const OptimiserOptions *options = newton->run->options;
    const bool done = newton->gap <= options->tolerance * fabs(newton->value);
    if (done || newton->gap <= keep_share * before) return true;
    return newton_refresh(newton);
}

static Status optimise_newton(Run *run, Err *err) {
    Newton newton;
    newton_init(&newton, run);
    newton.value = optimise_value(run, run->x, newton.gradient);
    bool go_on = optimise_note(run, newton.value, newton.gradient, NAN);
    bool able =
        isfinite(newton.value) && (run->options->max_iterations == 0 || newton_begin(&newton));
    while (able && go_on && !run->result->converged &&
           run->result->iterations < run->options->max_iterations) {
        able = newton_step(&newton);
        run->result->iterations++;
        // The gap is by a Hessian of this point or of one near by: either way of this size.
        run->result->converged = newton.gap <= run->options->tolerance * fabs(newton.value);
        go_on = optimise_note(run, newton.value, newton.gradient, newton.gap);
    }
    newton_clear(&newton);
    if (able) return STATUS_OK;
    return err_set(err, STATUS_NUMERIC,
                   "Newton: no step from iteration %d lowers the loss; a stronger prior "
                   "(--prior-sd) keeps the weights finite",
                   run->result->iterations);
}

// ---- BFGS ---------------------------------------------------------------------------------------

// The quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno.
//
// GSL's vector_bfgs2 on variables divided by 1 / sqrt(diagonal of the first Hessian): without that
// weights that occur in every position and weights that occur once are too far apart for it.

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
    optimise_value(run, run->x, scaled->gradient);
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

// ---- either -------------------------------------------------------------------------------------

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

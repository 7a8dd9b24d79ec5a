// SPDX-License-Identifier: GPL-3.0-or-later
// One minimisation: the objective over the weights that are free.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/fit.h"

// A sketch takes one chunk of so many, if there are at least twice as many.
enum { SKETCH_EVERY = 8 };

// A Hessian taken where the objective was above its least value by this share at most is taken for
// that of the minimum. (At twenty times as much the standard errors change by 0.2 % of them in the
// mean, those of the rarest terms by 4 %: E-052.)
static const double near_enough = 2e-5;

typedef struct Work {
    const FitProblem *problem;
    int n, free_count;
    int *free;        // places of the free weights among all
    double *full;     // all weights at the point asked for
    double *gradient; // of all
    double *hessian;  // of all
    bool exact;       // ... of all rows
    double weight;    // what the sums are divided by; 0: not known yet
    LossSetup loss;   // of all rows, or of those of one chunk in so many, which stand for all
    double sketched;  // their weight; 0: not known yet
} Work;

static void work_place(Work *work, const double *x) {
    for (int i = 0; i < work->free_count; i++) work->full[work->free[i]] = x[i];
}

// What the sums are multiplied with, where some rows stand for all.
static double sketch_factor(const Work *work) {
    return work->loss.every > 1 && work->sketched > 0 ? work->weight / work->sketched : 1.0;
}

static double work_value(void *context, const double *x, double *gradient) {
    Work *work = context;
    const RowSet *rows = work->problem->rows;
    work_place(work, x);
    const LossSums sums = loss_evaluate(rows, &work->loss, work->full, work->gradient);
    if (work->loss.every <= 1) work->weight = sums.weight;
    if (work->loss.every <= 1 && work->problem->last) *work->problem->last = sums;
    work->sketched = sums.weight;
    const double factor = sketch_factor(work);
    for (int i = 0; i < work->n; i++) work->gradient[i] *= factor;
    const double prior = prior_value(work->problem->prior, work->full, work->gradient);
    for (int i = 0; i < work->free_count; i++) {
        gradient[i] = work->gradient[work->free[i]] / work->weight;
    }
    return (factor * sums.loss + prior) / work->weight;
}

static void full_hessian(const Work *work, double *hessian) {
    const size_t n = (size_t)work->n;
    const double factor = sketch_factor(work);
    loss_hessian(work->problem->rows, &work->loss, work->full, hessian);
    for (size_t i = 0; i < n * n; i++) hessian[i] *= factor;
    prior_add_hessian(work->problem->prior, hessian);
    for (size_t i = 0; i < n * n; i++) hessian[i] /= work->weight;
}

// The rows and columns of the free weights.
static void take_free(const Work *work, const double *all, double *hessian) {
    const size_t n = (size_t)work->n, m = (size_t)work->free_count;
    for (size_t i = 0; i < m; i++) {
        const double *line = all + (size_t)work->free[i] * n;
        for (size_t j = 0; j < m; j++) hessian[i * m + j] = line[work->free[j]];
    }
}

static void work_hessian(void *context, const double *x, double *hessian) {
    Work *work = context;
    const size_t n = (size_t)work->n;
    work_place(work, x);
    if (!work->hessian) work->hessian = memory_alloc(n * n, sizeof *work->hessian);
    full_hessian(work, work->hessian);
    work->exact = work->loss.every <= 1;
    take_free(work, work->hessian, hessian);
}

// The minimum of the sketch, where Newton's method finds it; or the Hessian that is known already.
static void work_sketch(void *context, double *x, double *hessian) {
    Work *work = context;
    const FitProblem *problem = work->problem;
    if (problem->near) {
        take_free(work, problem->near, hessian);
        return;
    }
    const Objective objective = {
        .n = work->free_count, .context = work, .value = work_value, .hessian = work_hessian};
    const OptimiserOptions options = {
        .max_iterations = 10, .tolerance = 1e-5, .threads = problem->options.threads};
    OptimiserResult ignored;
    work->loss.every = SKETCH_EVERY;
    optimise(OPTIMISER_NEWTON, &objective, &options, x, &ignored, NULL);
    work_hessian(work, x, hessian);
    work->loss.every = problem->loss.every;
}

static Work work_init(const FitProblem *problem, const double *weights) {
    const size_t n = 2 * (size_t)problem->rows->pairs;
    Work work = {.problem = problem, .n = (int)n, .loss = problem->loss};
    work.free = memory_alloc(n, sizeof *work.free);
    work.full = memory_alloc(n, sizeof *work.full);
    work.gradient = memory_alloc(n, sizeof *work.gradient);
    memcpy(work.full, weights, n * sizeof *weights);
    for (int i = 0; i < work.n; i++) {
        if (!problem->frozen || !problem->frozen[i]) work.free[work.free_count++] = i;
    }
    return work;
}

static Status work_check(const Work *work, Err *err) {
    for (int i = 0; i < work->n; i++) {
        if (isfinite(work->full[i]) && isfinite(work->problem->prior->centre[i])) continue;
        return err_set(err, STATUS_NUMERIC,
                       "weight %d is %g at the start, not a number to fit from", i, work->full[i]);
    }
    return STATUS_OK;
}

Status fit_minimise(const FitProblem *problem, double *weights, double *hessian, double *weight,
                    OptimiserResult *result, Err *err) {
    Work work = work_init(problem, weights);
    const size_t n = (size_t)work.n;
    double *x = memory_alloc((size_t)work.n, sizeof *x);
    for (int i = 0; i < work.free_count; i++) x[i] = weights[work.free[i]];
    const bool many = problem->rows->chunk_count >= 2 * SKETCH_EVERY;
    const Objective objective = {.n = work.free_count,
                                 .context = &work,
                                 .value = work_value,
                                 .hessian = work_hessian,
                                 .sketch = many || problem->near ? work_sketch : NULL};
    Status status = work_check(&work, err);
    if (status == STATUS_OK) {
        status = optimise(problem->optimiser, &objective, &problem->options, x, result, err);
        if (work.weight == 0) {
            status = err_set(err, STATUS_BAD_INPUT, "no game to fit has any weight");
        }
    }
    if (status == STATUS_OK) {
        work_place(&work, x);
        memcpy(weights, work.full, (size_t)work.n * sizeof *weights);
        const bool near = work.exact && result->hessian_gap <= near_enough * fabs(result->value);
        if (hessian && near) memcpy(hessian, work.hessian, n * n * sizeof *hessian);
        if (hessian && !near) full_hessian(&work, hessian);
        if (weight) *weight = work.weight;
    }
    free(x);
    free(work.free);
    free(work.full);
    free(work.gradient);
    free(work.hessian);
    return status;
}

void fit_free_to_full(const FitProblem *problem, const double *start, const double *free_weights,
                      double *weights) {
    int next = 0;
    for (int i = 0; i < 2 * problem->rows->pairs; i++) {
        const bool frozen = problem->frozen && problem->frozen[i];
        weights[i] = frozen ? start[i] : free_weights[next++];
    }
}

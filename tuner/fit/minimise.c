// SPDX-License-Identifier: GPL-3.0-or-later
// One minimisation: the objective over the weights that are free; and the least over K of such
// least values.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/fit.h"

// A sketch of the Hessian takes one chunk of so many, if there are at least twice as many.
enum { SKETCH_EVERY = 8 };

typedef struct Work {
    const FitProblem *problem;
    int n, free_count;
    int *free;        // places of the free weights among all
    double *full;     // all weights at the point asked for
    double *gradient; // of all
    double *hessian;  // of all
    double weight;    // what the sums are divided by
} Work;

static void work_place(Work *work, const double *x) {
    for (int i = 0; i < work->free_count; i++) work->full[work->free[i]] = x[i];
}

static double work_value(void *context, const double *x, double *gradient) {
    Work *work = context;
    work_place(work, x);
    const LossSums sums =
        loss_evaluate(work->problem->rows, &work->problem->loss, work->full, work->gradient);
    const double prior = prior_value(work->problem->prior, work->full, work->gradient);
    if (work->problem->last) *work->problem->last = sums;
    for (int i = 0; i < work->free_count; i++) {
        gradient[i] = work->gradient[work->free[i]] / work->weight;
    }
    return (sums.loss + prior) / work->weight;
}

// Of all rows, or of those of one chunk in `every`, which stand for all.
static void full_hessian(const Work *work, int every, double *hessian) {
    const size_t n = (size_t)work->n;
    LossSetup loss = work->problem->loss;
    loss.every = every;
    loss_hessian(work->problem->rows, &loss, work->full, hessian);
    if (every > 1) {
        const double weight = loss_evaluate(work->problem->rows, &loss, work->full, NULL).weight;
        const double factor = weight > 0 ? work->weight / weight : 0.0;
        for (size_t i = 0; i < n * n; i++) hessian[i] *= factor;
    }
    prior_add_hessian(work->problem->prior, hessian);
    for (size_t i = 0; i < n * n; i++) hessian[i] /= work->weight;
}

static void free_hessian(Work *work, const double *x, int every, double *hessian) {
    const size_t n = (size_t)work->n, m = (size_t)work->free_count;
    work_place(work, x);
    if (m == n) {
        full_hessian(work, every, hessian);
        return;
    }
    if (!work->hessian) work->hessian = memory_alloc(n * n, sizeof *work->hessian);
    full_hessian(work, every, work->hessian);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            hessian[i * m + j] = work->hessian[(size_t)work->free[i] * n + (size_t)work->free[j]];
        }
    }
}

static void work_hessian(void *context, const double *x, double *hessian) {
    free_hessian(context, x, 1, hessian);
}

static void work_sketch(void *context, const double *x, double *hessian) {
    free_hessian(context, x, SKETCH_EVERY, hessian);
}

static Work work_init(const FitProblem *problem, const double *weights) {
    const size_t n = 2 * (size_t)problem->rows->pairs;
    Work work = {.problem = problem, .n = (int)n};
    work.free = memory_alloc(n, sizeof *work.free);
    work.full = memory_alloc(n, sizeof *work.full);
    work.gradient = memory_alloc(n, sizeof *work.gradient);
    memcpy(work.full, weights, n * sizeof *weights);
    for (int i = 0; i < work.n; i++) {
        if (!problem->frozen || !problem->frozen[i]) work.free[work.free_count++] = i;
    }
    work.weight = problem->weight;
    if (!(work.weight > 0)) {
        work.weight = loss_evaluate(problem->rows, &problem->loss, weights, NULL).weight;
    }
    return work;
}

static Status work_check(const Work *work, Err *err) {
    for (int i = 0; i < work->n; i++) {
        if (isfinite(work->full[i]) && isfinite(work->problem->prior->centre[i])) continue;
        return err_set(err, STATUS_NUMERIC,
                       "weight %d is %g at the start, not a number to fit from", i, work->full[i]);
    }
    if (!(work->weight > 0)) {
        return err_set(err, STATUS_BAD_INPUT, "no game to fit has any weight");
    }
    return STATUS_OK;
}

Status fit_minimise(const FitProblem *problem, double *weights, double *hessian, double *weight,
                    OptimiserResult *result, Err *err) {
    Work work = work_init(problem, weights);
    double *x = memory_alloc((size_t)work.n, sizeof *x);
    for (int i = 0; i < work.free_count; i++) x[i] = weights[work.free[i]];
    const bool many = problem->rows->chunk_count >= 2 * SKETCH_EVERY;
    const Objective objective = {.n = work.free_count,
                                 .context = &work,
                                 .value = work_value,
                                 .hessian = work_hessian,
                                 .sketch = many ? work_sketch : NULL};
    Status status = work_check(&work, err);
    if (status == STATUS_OK) {
        status = optimise(problem->optimiser, &objective, &problem->options, x, result, err);
    }
    if (status == STATUS_OK) {
        work_place(&work, x);
        memcpy(weights, work.full, (size_t)work.n * sizeof *weights);
        if (hessian) full_hessian(&work, 1, hessian);
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

// ---- K along with the weights -------------------------------------------------------------------

enum { GRID = 7 };
static const double range = 8.0; // K is looked for within this factor of where it is

typedef struct Joint {
    FitProblem problem;
    double *weights; // of the last fit, where the next one begins
    Status status;   // of the first fit that failed
    Err *err;
} Joint;

// The objective's least value for a K. The weights move by as much as K does, the other way.
static double least_of_k(double log_k, void *context) {
    Joint *joint = context;
    OptimiserResult result = {.value = INFINITY};
    if (joint->status != STATUS_OK) return INFINITY;
    joint->problem.loss.k = exp(log_k);
    joint->status = fit_minimise(&joint->problem, joint->weights, NULL, NULL, &result, joint->err);
    return result.value;
}

Status fit_joint(FitProblem *problem, const double *start, Err *err) {
    const size_t n = 2 * (size_t)problem->rows->pairs;
    Joint joint = {
        .problem = *problem, .weights = memory_alloc(n, sizeof *joint.weights), .err = err};
    const double k = problem->loss.k;
    double best = k;
    bool edge;
    memcpy(joint.weights, start, n * sizeof *start);
    joint.problem.options.report = NULL;
    Status status =
        loss_minimise_log(least_of_k, &joint, k / range, k * range, GRID, &best, &edge, err);
    free(joint.weights);
    if (joint.status != STATUS_OK) return joint.status;
    if (status != STATUS_OK && edge) {
        return err_set(err, STATUS_NUMERIC,
                       "--joint: no K in %.3g..%.3g is best: the prior is too weak to tell K from "
                       "the scale of the weights (--prior-sd, --material-sd)",
                       k / range, k * range);
    }
    problem->loss.k = best;
    return status;
}

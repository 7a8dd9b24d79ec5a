// SPDX-License-Identifier: GPL-3.0-or-later
// K fitted along with the weights: the least over K of the least over the weights.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/fit.h"

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

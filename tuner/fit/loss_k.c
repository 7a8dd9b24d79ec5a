// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the slope K of the evaluation by Newton's method, and the parameters of the score
// sigmoid (score_sigmoid.h) by the Gauss-Newton method.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit/loss_pass.h"
#include "tuner/fit/score_sigmoid.h"
#include "tuner/rows/row_ranks.h"

// Range of K, the slope of the sigmoid, per unit of score. In this range, K times the value of a
// chariot (900 units) is 0.009 to 90.
static const double k_min = 1e-5, k_max = 0.1;

Status loss_check_k(double k, Err *err) {
    if (k == 0 || k >= k_min) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--k %g: must be 0 or at least %g, because a smaller slope gives all positions "
                   "nearly the same prediction",
                   k, k_min);
}

// Input for fitting a sigmoid: the loss of given weights on given positions.
typedef struct SlopeFit {
    const RowSet *rows;
    LossSetup setup;
    const double *weights;
} SlopeFit;

// Computes the Gauss-Newton step of the parameters of the score sigmoid. If no position records the
// side to move, the shift for the side to move stays unchanged. Returns false if the sums do not
// determine a step.
static bool sigmoid_step(SigmoidSums *at, double *step) {
    gsl_vector_view gradient = gsl_vector_view_array(at->gradient, SIGMOID_PARAMS);
    gsl_vector_view out = gsl_vector_view_array(step, SIGMOID_PARAMS);
    gsl_matrix_view curvature =
        gsl_matrix_view_array(&at->curvature[0][0], SIGMOID_PARAMS, SIGMOID_PARAMS);
    if (!(at->curvature[SCORE_KNOTS][SCORE_KNOTS] > 0)) at->curvature[SCORE_KNOTS][SCORE_KNOTS] = 1;
    return gsl_linalg_cholesky_decomp1(&curvature.matrix) == GSL_SUCCESS &&
           gsl_linalg_cholesky_solve(&curvature.matrix, &gradient.vector, &out.vector) ==
               GSL_SUCCESS;
}

static double score_loss(double log_k, SlopeFit *fit) {
    double flat[SIGMOID_PARAMS] = {0};
    for (int j = 0; j < SCORE_KNOTS; j++) flat[j] = log_k;
    return sigmoid_sums(fit->rows, &fit->setup, flat).loss;
}

// Fits all parameters of the sigmoid of search scores together: its slopes at SCORE_KNOTS phases of
// the game (knots), and the shift for the side to move. Between the knots the slope is
// interpolated. Halves a step that raises the loss, which is the squared error plus a penalty
// (sigmoid_sums()). Returns false if no step can be computed or one of the slopes leaves the range
// k_min to k_max.
static bool fit_sigmoid(const SlopeFit *fit, double *params) {
    SigmoidSums at = sigmoid_sums(fit->rows, &fit->setup, params);
    for (int round = 0; round < 40; round++) {
        double step[SIGMOID_PARAMS], next_params[SIGMOID_PARAMS];
        if (!sigmoid_step(&at, step)) return false;
        SigmoidSums next = at;
        for (double share = 1; share > 1e-6; share /= 2) {
            for (int a = 0; a < SIGMOID_PARAMS; a++) {
                const double far = a < SCORE_KNOTS ? 1.0 : INFINITY;
                next_params[a] = params[a] - share * fmax(-far, fmin(far, step[a]));
            }
            next = sigmoid_sums(fit->rows, &fit->setup, next_params);
            if (next.loss <= at.loss) break;
        }
        if (!(next.loss <= at.loss)) return true;
        const bool done = at.loss - next.loss <= 1e-13 * at.loss;
        memcpy(params, next_params, sizeof next_params);
        at = next;
        for (int j = 0; j < SCORE_KNOTS; j++) {
            if (!(params[j] > log(k_min) && params[j] < log(k_max))) return false;
        }
        if (done) return true;
    }
    return true;
}

// Returns LossSetup.every for the first steps. The estimate is still rough then, so the steps use
// only a sample of the chunks (arrays of at most 16384 positions): 4 to 6 chunks, or all if there
// are fewer than 8. The last steps use all positions.
static int sample_every(const RowSet *rows) {
    enum { SAMPLE_CHUNKS = 4 };
    return (int)(rows->chunk_count / SAMPLE_CHUNKS);
}

static double loss_of_k(double log_k, SlopeFit *fit) {
    fit->setup.k = exp(log_k);
    return loss_evaluate(fit->rows, &fit->setup, fit->weights, NULL).loss;
}

// Sets *k to the K with the least loss on a grid over ln K, for cases where Newton's method fails.
// Returns an error if the loss is least at an end of the range of K; the error message contains
// `what` and `remedy`.
static Status search_k(double function(double log_k, SlopeFit *fit), SlopeFit *fit,
                       const char *what, const char *remedy, double *k, Err *err) {
    enum { GRID = 33 };
    double value[GRID];
    int best = 0, last;
    for (int i = 0; i < GRID; i++) {
        value[i] = function(log(k_min) + i * log(k_max / k_min) / (GRID - 1), fit);
        if (value[i] < value[best]) best = i;
    }
    for (last = best; last + 1 < GRID && !(value[last + 1] > value[best]);) last++;
    *k = k_min * pow(k_max / k_min, 0.5 * (best + last) / (GRID - 1));
    if (best > 0 && last < GRID - 1 && isfinite(value[best])) return STATUS_OK;
    if (best > 0) {
        return err_set(
            err, STATUS_NUMERIC,
            "%s: the best K is above %g: either the scores predict every result correctly, or a "
            "unit of the scores is worth much more than 1 / 100 of a soldier; add games, scale the "
            "scores, or %s",
            what, k_max, remedy);
    }
    return err_set(
        err, STATUS_NUMERIC,
        "%s: the best K is below %g, so these scores do not predict who wins; check that there are "
        "enough games, that both sides win some of them, and that results are from Red's view",
        what, k_min);
}

// Finds K by Newton's method on ln K. Returns false if it does not converge.
static bool newton_k(SlopeFit *fit) {
    enum { STEPS = 20 };
    for (int i = 0; i < STEPS; i++) {
        const LossSums at = loss_evaluate(fit->rows, &fit->setup, fit->weights, NULL);
        const double step = fmax(-1.0, fmin(1.0, at.by_log_k / at.by_log_k_twice));
        fit->setup.k *= exp(-step);
        if (!(at.by_log_k_twice > 0 && fit->setup.k > k_min && fit->setup.k < k_max)) break;
        // Newton's method converges quadratically, so the step after this one would be of the order
        // of 1e-10.
        if (fabs(step) < 1e-5) return true;
    }
    return false;
}

// Finds the best K by Newton's method, first on a sample of the positions, then on all. If that
// fails, searches the whole range and improves the result by Newton's method.
static Status fit_k(SlopeFit *fit, double *k, Err *err) {
    fit->setup.k = LOSS_USUAL_K;
    fit->setup.every = sample_every(fit->rows);
    if (!newton_k(fit)) fit->setup.k = LOSS_USUAL_K;
    fit->setup.every = 0;
    if (!newton_k(fit)) {
        TRY(search_k(loss_of_k, fit, "fitting K", "give the K of the start weights with --k", k,
                     err));
        fit->setup.k = *k;
        if (!newton_k(fit)) return STATUS_OK;
    }
    *k = fit->setup.k;
    return STATUS_OK;
}

// Fits the score sigmoid: its slopes and the shift for the side to move. Does nothing if no
// position has a search score. If no position has both a result and a search score that is not a
// mate, the slopes cannot be estimated. They then only determine the scale of the fitted weights,
// and all are set to the K of the evaluation, setup->k. If this K is unknown (0), it becomes
// LOSS_USUAL_K.
static Status fit_scores(SlopeFit *fit, LossSetup *setup, Err *err) {
    double params[SIGMOID_PARAMS] = {0}, k = LOSS_USUAL_K;
    if (fit->rows->without_score == fit->rows->count) return STATUS_OK;
    for (int j = 0; j < SCORE_KNOTS; j++) params[j] = log(k);
    fit->setup.every = sample_every(fit->rows);
    const bool near = fit_sigmoid(fit, params);
    fit->setup.every = 0;
    if (!near || !fit_sigmoid(fit, params)) {
        memset(params, 0, sizeof params);
        if (sigmoid_sums(fit->rows, &fit->setup, params).rows == 0) {
            if (!(setup->k > 0)) setup->k = LOSS_USUAL_K;
            setup->k_score = setup->k;
            return STATUS_OK;
        }
        TRY(search_k(score_loss, fit, "fitting the K of the search scores",
                     "fit to results alone with --lambda 1", &k, err));
        for (int j = 0; j < SCORE_KNOTS; j++) params[j] = log(k);
        fit_sigmoid(fit, params);
    }
    sigmoid_set(setup, params);
    setup->sigmoid_fitted = true;
    return STATUS_OK;
}

Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err) {
    setup->phase_max = rows->phase_max;
    SlopeFit fit = {rows, *setup, weights};
    Status status = STATUS_OK;
    if (setup->lambda < 1.0 && !(setup->k_score > 0)) status = fit_scores(&fit, setup, err);
    fit.setup = *setup;
    if (status == STATUS_OK && !(setup->k > 0)) {
        status = fit_k(&fit, &setup->k, err);
        setup->k_fitted = true;
    }
    return status;
}

// Returns the mean loss of the scores with this K.
static double loss_of_scores(LossKind kind, const ScoredRows *rows, double k) {
    LossBlock block = {.count = 0};
    double weight[LOSS_BLOCK], sum = 0, total = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->weight[i] > 0) {
            block.score[block.count] = k * (double)rows->score[i];
            block.target[block.count] = (double)rows->target[i];
            weight[block.count++] = rows->weight[i];
        }
        if (block.count < LOSS_BLOCK && i + 1 < rows->count) continue;
        loss_block(kind, &block);
        for (int j = 0; j < block.count; j++) {
            sum += weight[j] * block.loss[j];
            total += weight[j];
        }
        block.count = 0;
    }
    return total > 0 ? sum / total : 0;
}

// Uses golden-section search over ln K. The loss is convex in K (cross entropy), so it has one
// minimum.
double loss_fit_k(LossKind kind, const ScoredRows *rows) {
    const double golden = 0.6180339887498949, exact = 1e-6;
    double low = log(k_min), high = log(k_max);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double loss_left = loss_of_scores(kind, rows, exp(left));
    double loss_right = loss_of_scores(kind, rows, exp(right));
    while (high - low > exact) {
        if (loss_left <= loss_right) {
            high = right;
            right = left;
            loss_right = loss_left;
            left = high - golden * (high - low);
            loss_left = loss_of_scores(kind, rows, exp(left));
        } else {
            low = left;
            left = right;
            loss_left = loss_right;
            right = low + golden * (high - low);
            loss_right = loss_of_scores(kind, rows, exp(right));
        }
    }
    return exp(0.5 * (low + high));
}

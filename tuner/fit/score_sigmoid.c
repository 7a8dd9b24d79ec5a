// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/score_sigmoid.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/loss_pass.h"
#include "tuner/rows/row_ranks.h"

void sigmoid_set(LossSetup *setup, const double params[SIGMOID_PARAMS]) {
    const double middle = params[SCORE_KNOTS - 1], step = 1.0 / (SCORE_KNOTS - 1);
    // The slope of the sigmoid is k_score times a function of the middlegame share, which is linear
    // between neighbouring knots (loss_score_slope()). `fall` is the negative slope of this
    // function between the knots j and j + 1, `fall_above` that between the knots j + 1 and j + 2.
    // k_bend[j] is their difference.
    double fall_above = 0; // the function is constant above the last knot
    setup->k_score = exp(middle);
    for (int j = SCORE_KNOTS - 2; j >= 0; j--) {
        const double fall = (exp(params[j] - middle) - exp(params[j + 1] - middle)) / step;
        setup->k_bend[j] = fall - fall_above;
        fall_above = fall;
    }
    setup->mover_units = params[SCORE_KNOTS];
}

SigmoidPass sigmoid_pass(const LossSetup *setup, const double params[SIGMOID_PARAMS]) {
    SigmoidPass pass = {.setup = *setup};
    pass.setup.lambda = 0.0;
    sigmoid_set(&pass.setup, params);
    for (int j = 0; j < SCORE_KNOTS; j++) pass.knot_k[j] = exp(params[j]);
    return pass;
}

void sigmoid_add_rows(const SigmoidPass *pass, const RowChunk *chunk, uint32_t first, int count,
                      SigmoidSums *sums) {
    const LossSetup *setup = &pass->setup;
    const double per_phase = (SCORE_KNOTS - 1) / setup->phase_max;
    double points[LOSS_BLOCK], weights[LOSS_BLOCK];
    loss_targets(setup, chunk, first, count, points, weights);
    for (int i = 0; i < count; i++) {
        const uint32_t row = first + (uint32_t)i;
        const int score = chunk->score_red[row], mover = chunk->side_to_move[row];
        const double result = (double)chunk->result[row], phase = (double)chunk->phase[row];
        if (result < 0 || score == SCORE_UNKNOWN || abs(score) >= ROW_SCORE_MATE) continue;
        const double weight = setup->game_weight ? setup->game_weight[chunk->game[row]] : 1.0;
        const double k = loss_score_slope(setup, phase), p = points[i];
        const double raise = (score - setup->mover_units * mover) * p * (1.0 - p);
        const double at = phase * per_phase, miss = p - result;
        // The slope of the sigmoid for this phase is interpolated between the knots `knot` and
        // `knot` + 1.
        const int knot = at >= SCORE_KNOTS - 2 ? SCORE_KNOTS - 2 : (int)at;
        const int place[3] = {knot, knot + 1, SCORE_KNOTS};
        const double slope[3] = {raise * (knot + 1 - at) * pass->knot_k[knot],
                                 raise * (at - knot) * pass->knot_k[knot + 1],
                                 -k * p * (1.0 - p) * mover};
        sums->rows += weight > 0;
        sums->weight += weight;
        sums->loss += weight * miss * miss;
        for (int a = 0; a < 3; a++) {
            sums->gradient[place[a]] += weight * slope[a] * miss;
            for (int b = 0; b < 3; b++) {
                sums->curvature[place[a]][place[b]] += weight * slope[a] * slope[b];
            }
        }
    }
}

// Few positions have a phase near some knots (the phases between which the slope of the sigmoid is
// interpolated). Therefore adds a penalty on the difference of ln slope between neighbouring knots.
// A difference of ln 2 (one slope is twice the other) costs about as much as ten positions with the
// largest squared error, 1.
static void sigmoid_smooth(const double *params, SigmoidSums *sums) {
    const double stiff = sums->rows > 0 ? 20.0 * sums->weight / sums->rows : 0;
    for (int j = 0; j + 1 < SCORE_KNOTS; j++) {
        const double rise = params[j + 1] - params[j];
        sums->loss += stiff * rise * rise;
        sums->gradient[j] -= stiff * rise;
        sums->gradient[j + 1] += stiff * rise;
        for (int a = j; a < j + 2; a++) {
            for (int b = j; b < j + 2; b++) sums->curvature[a][b] += a == b ? stiff : -stiff;
        }
    }
}

SigmoidSums sigmoid_sums(const RowSet *rows, const LossSetup *setup,
                         const double params[SIGMOID_PARAMS]) {
    SigmoidSums total;
    int first;
    const int end = own_ranges(rows, LOSS_RANGES, &first);
    AUTO_FREE SigmoidSums *own = memory_alloc((size_t)(end - first + 1), sizeof *own);
    const SigmoidPass pass = sigmoid_pass(setup, params);
#pragma omp parallel for schedule(dynamic, 1) num_threads(pass_threads(rows, setup))
    for (int i = first; i < end; i++) {
        size_t number;
        const size_t last = chunk_range(rows, i, LOSS_RANGES, &number);
        for (; number < last; number++) {
            const RowChunk *chunk = &rows->chunks[number];
            if (!pass_takes(setup, number)) continue;
            for (uint32_t row = 0; row < chunk->count; row += LOSS_BLOCK) {
                const uint32_t left = chunk->count - row;
                sigmoid_add_rows(&pass, chunk, row, left < LOSS_BLOCK ? (int)left : LOSS_BLOCK,
                                 &own[i - first]);
            }
        }
    }
    ranges_total(rows, LOSS_RANGES, sizeof total / sizeof(double), (const double *)own,
                 (double *)&total);
    sigmoid_smooth(params, &total);
    return total;
}

// ---- dependence of the weights on the slopes ----------------------------------------------------

void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]) {
    for (int j = 0; j < SCORE_KNOTS; j++) {
        slopes[j] = log(loss_score_slope(setup, setup->phase_max * j / (SCORE_KNOTS - 1)));
    }
    slopes[SCORE_KNOTS] = setup->mover_units;
    slopes[SLOPE_K] = log(setup->k);
}

// Computes two gradients at the sigmoid parameters `slopes`. z is the gradient of the loss
// that loss_fit_slopes() minimises, with respect to these parameters; it is 0 at their estimates.
// s is the gradient of the loss of the fit of the weights, with respect to the weights.
static void equations_at(const RowSet *rows, const LossSetup *setup, const double *start,
                         const double *weights, const double slopes[SLOPES], double z[SLOPES],
                         double *s) {
    LossSetup at = *setup;
    memset(z, 0, SLOPES * sizeof *z);
    at.k = exp(slopes[SLOPE_K]);
    if (setup->sigmoid_fitted) {
        const SigmoidSums sums = sigmoid_sums(rows, setup, slopes);
        memcpy(z, sums.gradient, SIGMOID_PARAMS * sizeof *z);
        sigmoid_set(&at, slopes);
    }
    if (setup->k_fitted) z[SLOPE_K] = loss_evaluate(rows, &at, start, NULL).by_log_k;
    loss_evaluate(rows, &at, weights, s);
}

// Replaces the matrix `response` by its product with the inverse of `jacobian`.
static Status solve_response(double jacobian[SLOPES][SLOPES], size_t n, double *response,
                             Err *err) {
    gsl_matrix_view matrix = gsl_matrix_view_array(&jacobian[0][0], SLOPES, SLOPES);
    gsl_matrix_transpose(&matrix.matrix);
    size_t order[SLOPES];
    gsl_permutation permutation = {SLOPES, order};
    int sign;
    gsl_linalg_LU_decomp(&matrix.matrix, &permutation, &sign);
    for (size_t i = 0; i < n; i++) {
        gsl_vector_view line = gsl_vector_view_array(response + i * SLOPES, SLOPES);
        if (gsl_linalg_LU_svx(&matrix.matrix, &permutation, &line.vector) == GSL_SUCCESS) continue;
        return err_set(
            err, STATUS_NUMERIC,
            "cannot compute standard errors: the games do not determine the factor that converts "
            "search scores to expected results; add games, or fit to results alone (--lambda 1)");
    }
    return STATUS_OK;
}

Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err) {
    const size_t n = 2 * (size_t)rows->pairs;
    double slopes[SLOPES], z[SLOPES], next_z[SLOPES], jacobian[SLOPES][SLOPES] = {{0}};
    AUTO_FREE double *s = memory_alloc(n, sizeof *s);
    AUTO_FREE double *next_s = memory_alloc(n, sizeof *next_s);
    memset(response, 0, n * SLOPES * sizeof *response);
    if (!setup->sigmoid_fitted && !setup->k_fitted) return STATUS_OK;
    slopes_of_setup(setup, slopes);
    equations_at(rows, setup, start, weights, slopes, z, s);
    for (int a = 0; a < SLOPES; a++) {
        // Approximate the derivatives of z and s (see equations_at()) with respect to a sigmoid
        // parameter by forward differences. z and s are almost linear over such a small step.
        const double step = a == SCORE_KNOTS ? 1e-3 : 1e-5;
        const double before = slopes[a];
        jacobian[a][a] = 1.0;
        if (!(a == SLOPE_K ? setup->k_fitted : setup->sigmoid_fitted)) continue;
        slopes[a] += step;
        equations_at(rows, setup, start, weights, slopes, next_z, next_s);
        slopes[a] = before;
        for (int b = 0; b < SLOPES; b++) jacobian[b][a] = (next_z[b] - z[b]) / step;
        for (size_t i = 0; i < n; i++) response[i * SLOPES + (size_t)a] = (next_s[i] - s[i]) / step;
        // If no position records the side to move, the shift in favour of that side is not
        // estimated.
        if (jacobian[a][a] == 0.0) jacobian[a][a] = 1.0;
    }
    return solve_response(jacobian, n, response, err);
}

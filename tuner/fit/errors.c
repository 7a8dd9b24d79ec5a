// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/errors.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"

// matrix = A^-1 matrix (n x n, row-major), with A's Cholesky factor.
static void solve_columns(const gsl_matrix *factor, double *matrix) {
    gsl_matrix_view view = gsl_matrix_view_array(matrix, factor->size1, factor->size2);
    gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1.0, factor, &view.matrix);
    gsl_blas_dtrsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, 1.0, factor, &view.matrix);
}

// matrix = A^-1 matrix A^-1 in place, matrix symmetric.
static Status sandwich(gsl_matrix *a, double *matrix, Err *err) {
    const size_t n = a->size1;
    if (gsl_linalg_cholesky_decomp1(a) != GSL_SUCCESS) {
        return err_set(err, STATUS_NUMERIC,
                       "standard errors: the Hessian is not positive definite; a prior "
                       "(--prior-sd) makes it so");
    }
    // A^-1 M is the transpose of M A^-1, so transposing between two solves gives the sandwich.
    solve_columns(a, matrix);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double kept = matrix[i * n + j];
            matrix[i * n + j] = matrix[j * n + i];
            matrix[j * n + i] = kept;
        }
    }
    solve_columns(a, matrix);
    return STATUS_OK;
}

// The same for the free weights alone; the rows and columns of frozen ones become 0.
static Status free_sandwich(const double *hessian, double scale, const bool *frozen, size_t n,
                            double *matrix, Err *err) {
    size_t *place = memory_alloc(n, sizeof *place), m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!frozen || !frozen[i]) place[m++] = i;
    }
    gsl_matrix *a = gsl_matrix_alloc(m ? m : 1, m ? m : 1);
    double *part = memory_alloc(m * m, sizeof *part);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            a->data[i * m + j] = scale * hessian[place[i] * n + place[j]];
            part[i * m + j] = matrix[place[i] * n + place[j]];
        }
    }
    const Status status = m ? sandwich(a, part, err) : STATUS_OK;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) matrix[place[i] * n + place[j]] = part[i * m + j];
    }
    gsl_matrix_free(a);
    free(part);
    free(place);
    return status;
}

Status errors_covariance(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                         double **covariance, Err *err) {
    const size_t n = (size_t)result->n;
    double *game_weight = fit_part_weights(rows, setup, PART_TRAIN);
    LossSetup loss = result->slopes;
    loss.game_weight = game_weight;
    *covariance = memory_alloc(n * n, sizeof **covariance);
    const double games = (double)loss_meat(rows, &loss, result->weights, *covariance);
    free(game_weight);
    for (size_t i = 0; i < n * n && games > 1; i++) (*covariance)[i] *= games / (games - 1.0);
    const Status status =
        free_sandwich(result->hessian, result->weight, setup->frozen, n, *covariance, err);
    if (status != STATUS_OK) {
        free(*covariance);
        *covariance = NULL;
    }
    return status;
}

// ---- propagation --------------------------------------------------------------------------------

// a' V b
static double form(const double *a, const double *covariance, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (a[i] == 0.0) continue;
        double line = 0.0;
        for (size_t j = 0; j < n; j++) line += covariance[i * n + j] * b[j];
        sum += a[i] * line;
    }
    return sum;
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Error of 900 (a w) / (c w): its gradient is 900 / (c w) * (a - (a w) / (c w) c).
static double ratio_error(const double *a, const double *c, const double *weights,
                          const double *covariance, double *scratch, size_t n) {
    const double below = dot(c, weights, n), value = dot(a, weights, n) / below;
    for (size_t i = 0; i < n; i++) scratch[i] = (a[i] - value * c[i]) * SCALE_CHARIOT / below;
    return sqrt(fmax(0.0, form(scratch, covariance, scratch, n)));
}

void errors_of_weights(const RowSet *rows, const double *weights, const double *covariance,
                       double *error) {
    const size_t n = 2 * WEIGHT_COUNT;
    double chariot[2 * WEIGHT_COUNT], with[2 * WEIGHT_COUNT];
    value_shares(rows, GROUP_CHARIOT, VALUE_MEAN, chariot);
    const double below = dot(chariot, weights, n);
    const double spread = form(chariot, covariance, chariot, n);
    for (size_t i = 0; i < n; i++) {
        with[i] = 0.0;
        for (size_t j = 0; j < n; j++) with[i] += covariance[i * n + j] * chariot[j];
    }
    for (size_t i = 0; i < n; i++) {
        const double part = weights[i] / below;
        const double variance = covariance[i * n + i] - 2.0 * part * with[i] + part * part * spread;
        error[i] = SCALE_CHARIOT / below * sqrt(fmax(0.0, variance));
    }
}

void errors_of_values(const RowSet *rows, const double *weights, const double *covariance,
                      PieceValue error[GROUP_COUNT]) {
    const size_t n = 2 * WEIGHT_COUNT;
    double chariot[2 * WEIGHT_COUNT], share[2 * WEIGHT_COUNT], scratch[2 * WEIGHT_COUNT];
    value_shares(rows, GROUP_CHARIOT, VALUE_MEAN, chariot);
    for (int group = 0; group < GROUP_COUNT; group++) {
        double *const out[VALUE_KINDS] = {&error[group].middlegame, &error[group].endgame,
                                          &error[group].mean};
        for (int kind = 0; kind < VALUE_KINDS; kind++) {
            error[group].pieces = value_shares(rows, (WeightGroup)group, (ValueKind)kind, share);
            *out[kind] = ratio_error(share, chariot, weights, covariance, scratch, n);
        }
    }
}

Status errors_of_fit(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                     FitErrors *errors, Err *err) {
    double *covariance = NULL;
    const Status status = errors_covariance(rows, setup, result, &covariance, err);
    if (status != STATUS_OK) return status;
    errors_of_weights(rows, result->weights, covariance, errors->weight);
    errors_of_values(rows, result->weights, covariance, errors->value);
    free(covariance);
    return STATUS_OK;
}

void errors_of_losses(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                      const double *weights, Estimate loss[PART_COUNT]) {
    for (int part = 0; part < PART_COUNT; part++) {
        double *game_weight = fit_part_weights(rows, setup, (FitPart)part);
        LossSetup part_loss = result->slopes;
        part_loss.game_weight = game_weight;
        loss[part] = measure_loss(rows, &part_loss, weights);
        free(game_weight);
    }
}

void errors_format(const RowSet *rows, const double *weights, const FitErrors *errors, Text *text) {
    text_add(text, "term\tentry\tphase\tvalue\terror\toccurrences\n");
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const int pair = i / 2;
        const WeightTerm *term = weight_term_of(pair);
        const double middle = rows->occurrence_phase[pair] / rows->phase_max;
        text_add(text, "%s\t%d\t%s\t%.3f\t%.3f\t%.1f\n", term->name, pair - term->first,
                 i % 2 ? "eg" : "mg", weights[i], errors->weight[i],
                 i % 2 ? rows->occurrences[pair] - middle : middle);
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/errors.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/matrix.h"

// The places of the weights that are not frozen (NULL: none is); the caller frees.
static size_t *free_places(size_t n, const bool *frozen, size_t *count) {
    size_t *place = memory_alloc(n, sizeof *place);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!frozen || !frozen[i]) place[(*count)++] = i;
    }
    return place;
}

// The rows and columns of these places, of a matrix of n; the caller frees.
static double *take_places(const double *from, size_t n, const size_t *place, size_t count) {
    double *part = memory_alloc(count * count, sizeof *part);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) part[i * count + j] = from[place[i] * n + place[j]];
    }
    return part;
}

// The same back, in a matrix that is 0 elsewhere.
static double *put_places(const double *part, size_t n, const size_t *place, size_t count) {
    double *to = memory_alloc(n * n, sizeof *to);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) to[place[i] * n + place[j]] = part[i * count + j];
    }
    return to;
}

Status errors_inverse(const FitResult *result, const bool *frozen, double **inverse, Err *err) {
    const size_t n = (size_t)result->n;
    size_t count, *place = free_places(n, frozen, &count);
    double *a = take_places(result->hessian, n, place, count);
    for (size_t i = 0; i < count * count; i++) a[i] *= result->weight;
    const bool definite = matrix_factor(a, count, result->slopes.threads);
    double *part = definite ? matrix_inverse(a, count, result->slopes.threads) : NULL;
    *inverse = put_places(part, n, place, definite ? count : 0);
    free(part);
    free(a);
    free(place);
    if (definite) return STATUS_OK;
    return err_set(err, STATUS_NUMERIC,
                   "standard errors: the Hessian is not positive definite; a prior (--prior-sd) "
                   "makes it so");
}

// Of weights that are met in few games, the variance is at least the model's.
static void raise_few(const double *inverse, const double *met, size_t n, double *covariance) {
    for (size_t i = 0; i < n; i++) {
        const size_t at = i * n + i;
        if (met[i] < 1 || met[i] >= ERRORS_FEW_GAMES) continue;
        covariance[at] = fmax(covariance[at], inverse[at]);
    }
}

// errors_covariance(), and in how many games each weight is met.
static Status find_covariance(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                              double **covariance, double *met, Err *err) {
    const size_t n = (size_t)result->n;
    double *inverse;
    *covariance = NULL;
    const Status status = errors_inverse(result, setup->frozen, &inverse, err);
    if (status == STATUS_OK) {
        double *game_weight = fit_part_weights(rows, setup, PART_TRAIN);
        double *products = memory_alloc(n * n, sizeof *products);
        double *half = memory_alloc(n * n, sizeof *half);
        LossSetup loss = result->slopes;
        loss.game_weight = game_weight;
        loss_game_products(rows, &loss, result->weights, inverse, products, met);
        // What is frozen has neither a row nor a column in the inverse. All are symmetric.
        const Part a = {inverse, n, n, n}, m = {products, n, n, n}, am = {half, n, n, n};
        matrix_add_product(am, m, a, 1.0, false, setup->threads);
        memset(products, 0, n * n * sizeof *products);
        matrix_add_product(m, a, am, 1.0, true, setup->threads);
        matrix_mirror(products, n);
        raise_few(inverse, met, n, products);
        *covariance = products;
        free(half);
        free(game_weight);
    }
    free(inverse);
    return status;
}

Status errors_covariance(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                         double **covariance, Err *err) {
    double *met = memory_alloc((size_t)result->n, sizeof *met);
    const Status status = find_covariance(rows, setup, result, covariance, met, err);
    free(met);
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

static void errors_of_weights(const RowSet *rows, const double *weights, const double *covariance,
                              size_t n, double *error) {
    for (size_t i = 0; i < n; i++) error[i] = sqrt(fmax(0.0, covariance[i * n + i]));
    if (!values_have_scale(rows)) return;
    double chariot[2 * WEIGHT_COUNT], with[2 * WEIGHT_COUNT];
    value_shares(rows, GROUP_CHARIOT, VALUE_MEAN, chariot);
    const double below = dot(chariot, weights, n);
    const double spread = form(chariot, covariance, chariot, n);
    for (size_t i = 0; i < n; i++) with[i] = dot(covariance + i * n, chariot, n);
    for (size_t i = 0; i < n; i++) {
        const double part = weights[i] / below;
        const double variance = covariance[i * n + i] - 2.0 * part * with[i] + part * part * spread;
        error[i] = SCALE_CHARIOT / below * sqrt(fmax(0.0, variance));
    }
}

static void errors_of_values(const RowSet *rows, const double *weights, const double *covariance,
                             FitErrors *errors) {
    const size_t n = 2 * WEIGHT_COUNT;
    double chariot[VALUE_KINDS][2 * WEIGHT_COUNT], share[2 * WEIGHT_COUNT];
    double scratch[2 * WEIGHT_COUNT];
    for (int kind = 0; kind < VALUE_KINDS; kind++) {
        value_shares(rows, GROUP_CHARIOT, (ValueKind)kind, chariot[kind]);
    }
    for (int group = 0; group < GROUP_COUNT; group++) {
        PieceValue *error = &errors->value[group];
        double *const out[VALUE_KINDS] = {&error->middlegame, &error->endgame, &error->mean};
        for (int kind = 0; kind < VALUE_KINDS; kind++) {
            error->pieces = value_shares(rows, (WeightGroup)group, (ValueKind)kind, share);
            *out[kind] =
                values_have_scale(rows)
                    ? ratio_error(share, chariot[VALUE_MEAN], weights, covariance, scratch, n)
                    : sqrt(fmax(0.0, form(share, covariance, share, n)));
            if (kind == VALUE_MEAN) continue;
            errors->by_chariot[group][kind] =
                ratio_error(share, chariot[kind], weights, covariance, scratch, n);
        }
    }
}

void errors_propagate(const RowSet *rows, const FitResult *result, const double *covariance,
                      FitErrors *errors) {
    const size_t n = (size_t)result->n;
    *errors = (FitErrors){.weight = memory_alloc(n, sizeof *errors->weight)};
    errors_of_weights(rows, result->weights, covariance, n, errors->weight);
    if (!rows->names) errors_of_values(rows, result->weights, covariance, errors);
}

Status errors_of_fit(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                     FitErrors *errors, Err *err) {
    double *covariance = NULL, *met = memory_alloc((size_t)result->n, sizeof *met);
    *errors = (FitErrors){0};
    const Status status = find_covariance(rows, setup, result, &covariance, met, err);
    if (status == STATUS_OK) errors_propagate(rows, result, covariance, errors);
    errors->games = met;
    free(covariance);
    return status;
}

void errors_clear(FitErrors *errors) {
    free(errors->weight);
    free(errors->games);
    errors->weight = errors->games = NULL;
}

void errors_format(const RowSet *rows, const double *weights, const FitErrors *errors,
                   const double *alone, Text *text) {
    text_add(text, "term\tentry\tphase\tvalue\terror\toccurrences%s\n",
             alone ? "\terror_of_results" : "");
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const int pair = i / 2;
        const WeightTerm *term = weight_term_of(pair);
        const double middle = rows->occurrence_phase[pair] / rows->phase_max;
        text_add(text, "%s\t%d\t%s\t%.3f\t%.3f\t%.1f", term->name, pair - term->first,
                 i % 2 ? "eg" : "mg", weights[i], errors->weight[i],
                 i % 2 ? rows->occurrences[pair] - middle : middle);
        if (alone) text_add(text, "\t%.3f", alone[i]);
        text_add(text, "\n");
    }
}

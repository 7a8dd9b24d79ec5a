// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/errors.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"

// A^-1, with A the Hessian of the summed loss and prior: n x n, 0 in the rows and columns of frozen
// weights; to be freed, also on failure.
static Status invert_hessian(const Fit *fit, double **inverse, Err *err) {
    const size_t n = (size_t)fit->n;
    size_t count;
    AUTO_FREE size_t *place = fit_free_places(fit, &count);
    AUTO_FREE double *part = memory_alloc(count * count, sizeof *part);
    *inverse = memory_alloc(n * n, sizeof **inverse);
    if (count == 0) return STATUS_OK;
    memcpy(part, fit->factor, count * count * sizeof *part);
    gsl_matrix_view inverted = gsl_matrix_view_array(part, count, count);
    if (gsl_linalg_cholesky_invert(&inverted.matrix) != GSL_SUCCESS) {
        return err_set(err, STATUS_NUMERIC,
                       "standard errors: the Hessian has no inverse; a stronger prior "
                       "(--prior-sd) makes one");
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            (*inverse)[place[i] * n + place[j]] = part[i * count + j] / fit->weight;
        }
    }
    return STATUS_OK;
}

// c += a b, all n x n. (Four rows at a time; GSL's takes three times as long.)
static void add_product(double *restrict c, const double *restrict a, const double *restrict b,
                        size_t n, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < n; i += 4) {
        const size_t rows = n - i < 4 ? n - i : 4;
        for (size_t k = 0; k < n; k++) {
            for (size_t r = i; r < i + rows; r++) {
                const double factor = a[r * n + k];
                for (size_t j = 0; j < n; j++) c[r * n + j] += factor * b[k * n + j];
            }
        }
    }
}

// The covariance A^-1 M A^-1 + diagonal, kept as its factors.
typedef struct Covariance {
    size_t n;
    double *inverse, *half; // A^-1, A^-1 M
    double *raise;          // [n]: what the variances of weights met in few games lack
    double *variance;       // [n]: of the weights
} Covariance;

static void covariance_clear(Covariance *v) {
    free(v->inverse);
    free(v->half);
    free(v->raise);
    free(v->variance);
}
AUTO_VALUE(Covariance, covariance_clear)

static Status find_covariance(const Fit *fit, Covariance *v, double *met, Err *err) {
    const size_t n = (size_t)fit->n;
    *v = (Covariance){.n = n};
    TRY(invert_hessian(fit, &v->inverse, err));
    v->half = memory_alloc(n * n, sizeof *v->half);
    v->raise = memory_alloc(n, sizeof *v->raise);
    v->variance = memory_alloc(n, sizeof *v->variance);
    AUTO_FREE double *products = memory_alloc(n * n, sizeof *products);
    loss_game_products(fit->rows, &fit->loss, fit->weights, v->inverse, products, met);
    const PriorSetup *prior = &fit->setup.prior;
    for (size_t i = 0; i < n; i++) {
        if (!prior_from_errors(prior, (int)i)) continue;
        products[i * n + i] += 1 / pow(prior->se_times * prior->se_times * prior->se[i], 2);
    }
    add_product(v->half, v->inverse, products, n, fit->setup.threads);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) v->variance[i] += v->half[i * n + j] * v->inverse[i * n + j];
        // Of weights that are met in few games, the variance is at least the model's.
        if (met[i] >= 1 && met[i] < ERRORS_FEW_GAMES) {
            v->raise[i] = fmax(0, v->inverse[i * n + i] - v->variance[i]);
        }
        v->variance[i] = fmax(0, v->variance[i] + v->raise[i]);
    }
    return STATUS_OK;
}

// The covariance times a vector, into out.
static void covariance_times(const Covariance *v, const double *vector, double *out) {
    gsl_matrix_const_view inverse = gsl_matrix_const_view_array(v->inverse, v->n, v->n);
    gsl_matrix_const_view half = gsl_matrix_const_view_array(v->half, v->n, v->n);
    gsl_vector_const_view x = gsl_vector_const_view_array(vector, v->n);
    AUTO_FREE double *scratch = memory_alloc(v->n, sizeof *scratch);
    gsl_vector_view y = gsl_vector_view_array(scratch, v->n);
    gsl_vector_view z = gsl_vector_view_array(out, v->n);
    gsl_blas_dgemv(CblasNoTrans, 1, &inverse.matrix, &x.vector, 0, &y.vector);
    gsl_blas_dgemv(CblasNoTrans, 1, &half.matrix, &y.vector, 0, &z.vector);
    for (size_t i = 0; i < v->n; i++) out[i] += v->raise[i] * vector[i];
}

// ---- propagation --------------------------------------------------------------------------------

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// The value of a piece, a sum of weights, as scaled: 900 a / c.
typedef struct Form {
    size_t n;
    double share[2 * WEIGHT_COUNT], times[2 * WEIGHT_COUNT]; // a, and the covariance times a
    double value;
} Form;

static double form_init(Form *form, const RowSet *rows, WeightGroup group, ValueKind kind,
                        const double *weights, const Covariance *v) {
    const double pieces = value_shares(rows, group, kind, form->share);
    form->n = v->n;
    form->value = dot(form->share, weights, v->n);
    covariance_times(v, form->share, form->times);
    return pieces;
}

// Error of 900 a / c: its gradient is 900 / c times that of a - (a / c) c.
static double ratio_error(const Form *a, const Form *c) {
    const double part = a->value / c->value;
    const double variance = dot(a->share, a->times, a->n) -
                            2.0 * part * dot(a->share, c->times, a->n) +
                            part * part * dot(c->share, c->times, a->n);
    return SCALE_CHARIOT / c->value * sqrt(fmax(0.0, variance));
}

static void errors_of_weights(const Fit *fit, const double *weights, const Covariance *v,
                              double *error) {
    for (size_t i = 0; i < v->n; i++) error[i] = sqrt(v->variance[i]);
    if (!fit_is_whole(fit) || !values_have_scale(fit->rows)) return;
    Form chariot;
    form_init(&chariot, fit->rows, GROUP_CHARIOT, VALUE_MEAN, weights, v);
    const double spread = dot(chariot.share, chariot.times, v->n);
    for (size_t i = 0; i < v->n; i++) {
        const double part = weights[i] / chariot.value;
        const double variance =
            v->variance[i] - 2.0 * part * chariot.times[i] + part * part * spread;
        error[i] = SCALE_CHARIOT / chariot.value * sqrt(fmax(0.0, variance));
    }
}

static void errors_of_values(const Fit *fit, const double *weights, const Covariance *v,
                             FitErrors *errors) {
    const RowSet *rows = fit->rows;
    Form chariot[VALUE_KINDS], form;
    for (int kind = 0; kind < VALUE_KINDS; kind++) {
        form_init(&chariot[kind], rows, GROUP_CHARIOT, (ValueKind)kind, weights, v);
    }
    for (int group = 0; group < GROUP_COUNT; group++) {
        PieceValue *error = &errors->value[group];
        double *const out[VALUE_KINDS] = {&error->middlegame, &error->endgame, &error->mean};
        for (int kind = 0; kind < VALUE_KINDS; kind++) {
            error->pieces = form_init(&form, rows, (WeightGroup)group, (ValueKind)kind, weights, v);
            *out[kind] = values_have_scale(rows) && fit_is_whole(fit)
                             ? ratio_error(&form, &chariot[VALUE_MEAN])
                             : sqrt(fmax(0.0, dot(form.share, form.times, v->n)));
            if (kind == VALUE_MEAN) continue;
            errors->by_chariot[group][kind] = ratio_error(&form, &chariot[kind]);
        }
    }
}

static void find_decided(const Fit *fit, const double *inverse, double *decided) {
    const size_t n = (size_t)fit->n;
    for (size_t i = 0; i < n; i++) decided[i] = fit->frozen[i] ? 0.0 : 1.0;
    for (size_t p = 0; p < fit->prior.count; p++) {
        const PriorPiece *piece = &fit->prior.pieces[p];
        const int *index = fit->prior.index + piece->first;
        const double *coefficient = fit->prior.coefficient + piece->first;
        if (piece->count > 2) continue; // it holds a mean
        for (int a = 0; a < piece->count; a++) {
            const double *line = inverse + (size_t)index[a] * n;
            for (int b = 0; b < piece->count; b++) {
                decided[index[a]] -=
                    piece->strength * coefficient[a] * coefficient[b] * line[index[b]];
            }
        }
    }
    for (size_t i = 0; i < n; i++) decided[i] = fmax(0.0, fmin(1.0, decided[i]));
}

Status errors_of_fit(const Fit *fit, const double *weights, FitErrors *errors, Err *err) {
    const size_t n = (size_t)fit->n;
    AUTO(Covariance) covariance = {0};
    *errors = (FitErrors){.weight = memory_alloc(n, sizeof *errors->weight),
                          .games = memory_alloc(n, sizeof *errors->games),
                          .decided = memory_alloc(n, sizeof *errors->decided)};
    TRY(find_covariance(fit, &covariance, errors->games, err));
    find_decided(fit, covariance.inverse, errors->decided);
    errors_of_weights(fit, weights, &covariance, errors->weight);
    if (!fit->rows->names) errors_of_values(fit, weights, &covariance, errors);
    return STATUS_OK;
}

void errors_clear(FitErrors *errors) {
    free(errors->weight);
    free(errors->games);
    free(errors->decided);
    *errors = (FitErrors){0};
}

void errors_format(const Fit *fit, const FitErrors *errors, const double *alone, Text *text) {
    const RowSet *rows = fit->rows;
    text_add(text, "term\tentry\tphase\tvalue\terror\toccurrences%s\n",
             alone ? "\terror_of_results" : "");
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const int pair = i / 2;
        const WeightTerm *term = weight_term_of(pair);
        const double middle = rows->occurrence_phase[pair] / rows->phase_max;
        text_add(text, "%s\t%d\t%s\t%.3f\t%.3f\t%.1f", term->name, pair - term->first,
                 i % 2 ? "eg" : "mg", fit->weights[i], errors->weight[i],
                 i % 2 ? rows->occurrences[pair] - middle : middle);
        if (alone) text_add(text, "\t%.3f", alone[i]);
        text_add(text, "\n");
    }
}

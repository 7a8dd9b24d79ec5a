// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/errors.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/terms.h"

// Computes the inverse [n][n] of A, the Hessian of the loss (summed over the positions) plus the
// prior. The rows and columns of frozen weights are 0. The caller frees *inverse, also on failure.
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
        return err_set(
            err, STATUS_NUMERIC,
            "cannot compute standard errors: the Hessian has no inverse; use a stronger prior "
            "(a smaller --prior-sd)");
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            (*inverse)[place[i] * n + place[j]] = part[i * count + j] / fit->train_weight;
        }
    }
    return STATUS_OK;
}

// Adds the matrix product a * b to c, where b is n x n, and a and c are count x n. Processes four
// rows at a time; gsl_blas_dgemm() needs three times as long. Skips zeros in a: rows and columns of
// frozen weights are 0.
static void add_product(double *restrict c, const double *restrict a, const double *restrict b,
                        size_t count, size_t n, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < count; i += 4) {
        const size_t rows = count - i < 4 ? count - i : 4;
        for (size_t k = 0; k < n; k++) {
            for (size_t r = i; r < i + rows; r++) {
                const double factor = a[r * n + k];
                if (factor == 0.0) continue;
                for (size_t j = 0; j < n; j++) c[r * n + j] += factor * b[k * n + j];
            }
        }
    }
}

// The covariance of the weights, A^-1 M A^-1 + diagonal, stored as its factors. A is the Hessian of
// the summed loss and prior. M is the sum of products of gradients over the games, plus variances
// that come from the prior (errors.h).
typedef struct Covariance {
    size_t n;
    // [n][n] inverse of the Hessian A
    double *inverse;
    // [n][n] product of `inverse` and M, the sum of products of gradients
    double *half;
    // [n] amount added to the variance of a weight that occurs in few games; 0 for other weights
    double *raise;
    double *variance; // variances of the n weights
} Covariance;

static void covariance_clear(Covariance *v) {
    free(v->inverse);
    free(v->half);
    free(v->raise);
    free(v->variance);
}
AUTO_VALUE(Covariance, covariance_clear)

// Computes the sum of (c_g - Q z_g) (c_g - Q z_g)' over the games g into products [n][n], n =
// fit->n; ' marks a transpose. c_g is the gradient of the loss of game g with respect to the
// weights, corrected as in errors.h. z_g is the gradient with respect to the sigmoid parameters
// (errors.h). Q converts z_g to its effect on the gradient with respect to the weights. `products`
// first holds the sum of c_g c_g'. Then the sums of -c_g z_g' Q', -Q z_g c_g' and Q z_g z_g' Q' are
// added. `met` receives the numbers of games in which each weight and each term occurs.
static Status find_products(const Fit *fit, const double *inverse, double *products, double *met,
                            Err *err) {
    const size_t n = (size_t)fit->n;
    AUTO_FREE double *cross = memory_alloc(n * SLOPES, sizeof *cross);
    AUTO_FREE double *response = memory_alloc(n * SLOPES, sizeof *response);
    GameProducts sums = {.weights = products, .cross = cross, .met = met};
    loss_game_products(fit->rows, &fit->loss, fit->start, fit->weights, inverse, &sums);
    TRY(slopes_response(fit->rows, &fit->loss, fit->start, fit->weights, response, err));
    for (size_t i = 0; i < n; i++) {
        // Add row i of Q Z Q' - C Q' - Q C'. C = `cross` is the sum of c_g z_g' over the games, Z =
        // sums.slopes is the sum of z_g z_g', and Q = `response` (c_g, z_g: see above). `line` is
        // row i of Q Z - C.
        double line[SLOPES];
        for (size_t a = 0; a < SLOPES; a++) {
            line[a] = -cross[i * SLOPES + a];
            for (size_t b = 0; b < SLOPES; b++) {
                line[a] += response[i * SLOPES + b] * sums.slopes[b][a];
            }
        }
        for (size_t j = 0; j < n; j++) {
            for (size_t a = 0; a < SLOPES; a++) {
                products[i * n + j] += line[a] * response[j * SLOPES + a] -
                                       response[i * SLOPES + a] * cross[j * SLOPES + a];
            }
        }
    }
    return STATUS_OK;
}

// Computes the variances of the weights from v->half. For a weight that occurs in few games, the
// variance is at least the diagonal element of the inverse Hessian (errors.h).
static void take_variances(Covariance *v, const double *met) {
    const size_t n = v->n;
    for (size_t i = 0; i < n; i++) {
        v->variance[i] = v->raise[i] = 0;
        for (size_t j = 0; j < n; j++) v->variance[i] += v->half[i * n + j] * v->inverse[i * n + j];
        if (met[i] >= 1 && met[i] < ERRORS_FEW_GAMES) {
            v->raise[i] = fmax(0, v->inverse[i * n + i] - v->variance[i]);
        }
        v->variance[i] += v->raise[i];
        if (v->variance[i] < 0) v->variance[i] = 0; // fmax() would also hide a NaN
    }
}

// Returns the variance of the gradient of the prior of weight i that comes from the error of its
// start weight; 0 if this error is unknown or not used.
static double start_variance(const PriorSetup *prior, size_t i) {
    if (!prior_from_errors(prior, (int)i)) return 0;
    return 1 / pow(prior->se_times * prior->se_times * prior->se[i], 2);
}

// Computes the covariance without the prior's pull.
static Status find_covariance(const Fit *fit, Covariance *v, double *met, Err *err) {
    const size_t n = (size_t)fit->n;
    *v = (Covariance){.n = n};
    TRY(invert_hessian(fit, &v->inverse, err));
    v->half = memory_alloc(n * n, sizeof *v->half);
    v->raise = memory_alloc(n, sizeof *v->raise);
    v->variance = memory_alloc(n, sizeof *v->variance);
    AUTO_FREE double *products = memory_alloc(n * n, sizeof *products);
    TRY(find_products(fit, v->inverse, products, met, err));
    for (size_t i = 0; i < n; i++) products[i * n + i] += start_variance(&fit->setup.prior, i);
    add_product(v->half, v->inverse, products, n, n, fit->setup.threads);
    take_variances(v, met);
    return STATUS_OK;
}

// Returns true for the constraint on the mean of a table (prior.h), which only chooses among sets
// of weights that make the same predictions. These constraints are the only parts of the prior of
// built-in terms with more than two coefficients, because a table (an ENTRY term of weights.def)
// has at least three entries.
static bool is_constraint(const Fit *fit, const PriorPart *part) {
    return part->count > 2 && !fit->rows->names;
}

// Computes line = coefficients * matrix, where the coefficients are those of a part of the prior
// and the matrix is [n][n].
static void part_times(const Prior *prior, const PriorPart *part, const double *matrix,
                       double *line) {
    const size_t n = (size_t)prior->n;
    memset(line, 0, n * sizeof *line);
    for (size_t a = part->first; a < part->first + (size_t)part->count; a++) {
        const double *row = matrix + (size_t)prior->index[a] * n;
        for (size_t j = 0; j < n; j++) line[j] += prior->coefficient[a] * row[j];
    }
}

// Sums over the weights of a kind (Prior.kind), from which its factor t follows (errors.h).
typedef struct PullSums {
    double squares; // (w - c)' P (w - c), where w - c is the fit minus the centre of the prior
    double noise;   // expectation of `squares` if the true weights are the centre
    double signal;  // increase of the expectation of `squares` for each unit of t
} PullSums;

// Fills sums [fit->prior.kinds]. `v` is the covariance without the pull.
static void find_pull_sums(const Fit *fit, const Covariance *v, PullSums *sums) {
    const size_t n = v->n;
    const Prior *prior = &fit->prior;
    AUTO_FREE double *loss = memory_alloc(n * n, sizeof *loss); // H A^-1, that is, I - P A^-1
    AUTO_FREE double *line = memory_alloc(n, sizeof *line);
    AUTO_FREE double *half = memory_alloc(n, sizeof *half);
    for (size_t i = 0; i < n; i++) loss[i * n + i] = fit->frozen[i] ? 0 : 1;
    for (size_t p = 0; p < prior->count; p++) {
        const PriorPart *part = &prior->parts[p];
        PullSums *sum = &sums[prior->kind[prior->index[part->first]]];
        double change = 0;
        if (is_constraint(fit, part)) continue;
        part_times(prior, part, v->inverse, line);
        part_times(prior, part, v->half, half);
        for (size_t a = part->first; a < part->first + (size_t)part->count; a++) {
            const size_t i = (size_t)prior->index[a];
            const double times = part->strength * prior->coefficient[a];
            change += prior->coefficient[a] * (fit->weights[i] - prior->centre[i]);
            for (size_t j = 0; j < n; j++) loss[i * n + j] -= times * line[j];
        }
        sum->squares += part->strength * change * change;
        for (size_t j = 0; j < n; j++) {
            // The variances of the start weights belong to the true weights, not to the noise.
            const double start = start_variance(&fit->setup.prior, j) * line[j];
            sum->noise += part->strength * (half[j] - start) * line[j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && !fit->frozen[i]; j++) {
            sums[prior->kind[i]].signal += loss[i * n + j] * loss[j * n + i];
        }
    }
}

// Computes for each kind of weight t, the variance of the true weights around the centre of the
// prior in units of the prior's own variance, as the fit suggests (errors.h); at least 1. The
// caller frees the result [fit->prior.kinds].
static double *prior_widths(const Fit *fit, const Covariance *v) {
    // Weights of two assumptions, as numbers of decided weights: that the mean of t over all kinds
    // is 1 (`expected`), and that t of a kind is this mean (`common`). The value 2 assumes that the
    // standard deviation of t over the kinds is as large as its mean.
    const double expected = 10, common = 2;
    const int kinds = fit->prior.kinds;
    AUTO_FREE PullSums *sums = memory_alloc((size_t)kinds, sizeof *sums);
    double *width = memory_alloc((size_t)kinds, sizeof *width);
    double squares = expected, signal = expected;
    find_pull_sums(fit, v, sums);
    for (int k = 0; k < kinds; k++) {
        squares += sums[k].squares - sums[k].noise;
        signal += sums[k].signal;
    }
    const double mean = fmax(1, squares / signal);
    for (int k = 0; k < kinds; k++) {
        const double seen = sums[k].squares - sums[k].noise;
        width[k] = fmax(1, (common * mean + seen) / (common + sums[k].signal));
    }
    return width;
}

// Adds the prior's pull to the covariance: A^-1 (sum of t P) A^-1 over the kinds of weights, where
// P is the Hessian of the prior of a kind without the constraints on means, and t is its
// prior_widths(). If the prior of a weight comes from the error of its start weight, P replaces the
// variance that find_covariance() added, unless that one is larger.
static void add_pull(const Fit *fit, Covariance *v, const double *met) {
    const size_t n = v->n;
    AUTO_FREE double *width = prior_widths(fit, v);
    AUTO_FREE double *pull = memory_alloc(n * n, sizeof *pull);
    for (size_t p = 0; p < fit->prior.count; p++) {
        const PriorPart *part = &fit->prior.parts[p];
        const int *index = fit->prior.index + part->first;
        const double *coefficient = fit->prior.coefficient + part->first;
        const double strength = width[fit->prior.kind[index[0]]] * part->strength;
        if (is_constraint(fit, part)) continue;
        for (int a = 0; a < part->count; a++) {
            for (int b = 0; b < part->count; b++) {
                pull[(size_t)index[a] * n + (size_t)index[b]] +=
                    strength * coefficient[a] * coefficient[b];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        pull[i * n + i] -= fmin(start_variance(&fit->setup.prior, i), pull[i * n + i]);
    }
    add_product(v->half, v->inverse, pull, n, n, fit->setup.threads);
    take_variances(v, met);
}

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

// Computes the variances of `count` linear combinations of the n weights. Row i of forms [count][n]
// holds the coefficients of combination i.
static void find_variances(const Covariance *v, const double *forms, size_t count, int threads,
                           double *variance) {
    AUTO_FREE double *left = memory_alloc(count * v->n, sizeof *left);
    AUTO_FREE double *right = memory_alloc(count * v->n, sizeof *right);
    add_product(left, forms, v->half, count, v->n, threads);
    add_product(right, forms, v->inverse, count, v->n, threads);
    for (size_t i = 0; i < count; i++) {
        const double *form = forms + i * v->n;
        variance[i] = dot(left + i * v->n, right + i * v->n, v->n);
        for (size_t j = 0; j < v->n; j++) variance[i] += v->raise[j] * form[j] * form[j];
    }
}

static void errors_of_weights(const Fit *fit, const Covariance *v, double *error) {
    const double *weights = fit->weights;
    for (size_t i = 0; i < v->n; i++) error[i] = sqrt(v->variance[i]);
    if (!fit_is_whole(fit) || !values_have_scale(fit->rows)) return;
    // A scaled weight is 900 w / `chariot`, where w is the fitted weight, and `chariot` the mean
    // value of a chariot.
    double share[2 * WEIGHT_COUNT], times[2 * WEIGHT_COUNT];
    value_shares(fit->rows, GROUP_CHARIOT, VALUE_MEAN, share);
    covariance_times(v, share, times);
    const double chariot = dot(share, weights, v->n), spread = dot(share, times, v->n);
    for (size_t i = 0; i < v->n; i++) {
        const double part = weights[i] / chariot;
        const double variance = v->variance[i] - 2.0 * part * times[i] + part * part * spread;
        error[i] = SCALE_CHARIOT / chariot * sqrt(fmax(0.0, variance));
    }
}

bool term_has_effect(const WeightTerm *term) {
    return term->shape == SHAPE_NONE && term->part != TERM_MATERIAL &&
           strncmp(term->name, "mobility_", strlen("mobility_")) != 0;
}

// Writes to `form` the coefficients of the linear combination of weights that is the effect of a
// term (TermEffect). Returns false if the effect is unknown.
static bool effect_form(const Fit *fit, const WeightTerm *term, int phase, const double *weights,
                        const double *games, double *form) {
    const RowSet *rows = fit->rows;
    double all = 0;
    int low = -1, high = -1;
    for (int k = term->first; k < term->first + term->count; k++) {
        const int i = 2 * k + phase;
        form[i] = row_occurrences(rows, i);
        all += form[i];
        if (games[i] < ERRORS_FEW_GAMES) continue;
        if (low < 0 || weights[i] < weights[low]) low = i;
        if (high < 0 || weights[i] > weights[high]) high = i;
    }
    const bool spread = term->part == TERM_ENTRY && term->count > 1;
    for (int i = 2 * term->first; i < 2 * (term->first + term->count); i++) {
        form[i] = spread ? (i == high) - (i == low) : all > 0 ? form[i] / all : 0;
    }
    return spread ? high != low : all > 0;
}

static void errors_of_terms(const Fit *fit, const Covariance *v, FitErrors *errors) {
    const double *weights = fit->weights;
    enum { FORMS = 2 * WEIGHT_TERM_COUNT };
    double variance[FORMS], share[2 * WEIGHT_COUNT];
    const bool scaled = fit_is_whole(fit) && values_have_scale(fit->rows);
    AUTO_FREE double *forms = memory_alloc(FORMS * v->n, sizeof *forms);
    value_shares(fit->rows, GROUP_CHARIOT, VALUE_MEAN, share);
    const double chariot = dot(share, weights, v->n), times = SCALE_CHARIOT / chariot;
    for (int f = 0; f < FORMS; f++) {
        const WeightTerm *term = &weight_terms[f / 2];
        double *form = forms + (size_t)f * v->n, *value = &errors->effect[f / 2].value[f % 2];
        *value = NAN;
        if (!term_has_effect(term) ||
            !effect_form(fit, term, f % 2, weights, errors->games, form)) {
            continue;
        }
        *value = dot(form, weights, v->n);
        for (size_t i = 0; scaled && i < v->n; i++) {
            form[i] = times * (form[i] - *value / chariot * share[i]);
        }
        if (scaled) *value *= times;
    }
    find_variances(v, forms, FORMS, fit->setup.threads, variance);
    for (int f = 0; f < FORMS; f++) {
        TermEffect *effect = &errors->effect[f / 2];
        effect->se[f % 2] = isnan(effect->value[f % 2]) ? NAN : sqrt(fmax(0, variance[f]));
    }
}

static void errors_of_pieces(const Fit *fit, const Covariance *v, PieceTable *pieces) {
    double variance[PIECE_FORMS];
    AUTO_FREE double *forms = memory_alloc(PIECE_FORMS * v->n, sizeof *forms);
    piece_table_measure(fit->rows, fit->weights, pieces, forms);
    find_variances(v, forms, PIECE_FORMS, fit->setup.threads, variance);
    for (int line = 0; line < PIECE_LINES; line++) {
        for (int stage = 0; stage < STAGES; stage++) {
            const int form = piece_form(line, (Stage)stage);
            double *se = &pieces->se[line][stage];
            if (form >= 0) *se = sqrt(*se * *se + fmax(0, variance[form]));
        }
    }
}

static void find_decided(const Fit *fit, const double *inverse, double *decided) {
    const size_t n = (size_t)fit->n;
    for (size_t i = 0; i < n; i++) decided[i] = fit->frozen[i] ? 0.0 : 1.0;
    for (size_t p = 0; p < fit->prior.count; p++) {
        const PriorPart *part = &fit->prior.parts[p];
        const int *index = fit->prior.index + part->first;
        const double *coefficient = fit->prior.coefficient + part->first;
        if (is_constraint(fit, part)) continue;
        for (int a = 0; a < part->count; a++) {
            const double *line = inverse + (size_t)index[a] * n;
            for (int b = 0; b < part->count; b++) {
                decided[index[a]] -=
                    part->strength * coefficient[a] * coefficient[b] * line[index[b]];
            }
        }
    }
    for (size_t i = 0; i < n; i++) decided[i] = fmax(0.0, fmin(1.0, decided[i]));
}

Status errors_decided(const Fit *fit, double *decided, Err *err) {
    AUTO_FREE double *inverse = NULL;
    TRY(invert_hessian(fit, &inverse, err));
    find_decided(fit, inverse, decided);
    return STATUS_OK;
}

Status errors_of_fit(const Fit *fit, bool tables, FitErrors *errors, Err *err) {
    const size_t n = (size_t)fit->n, terms = (size_t)row_term_count(fit->rows);
    AUTO(Covariance) covariance = {0};
    *errors = (FitErrors){.weight = memory_alloc(n, sizeof *errors->weight),
                          .data = memory_alloc(n, sizeof *errors->data),
                          .games = memory_alloc(n + terms, sizeof *errors->games),
                          .decided = memory_alloc(n, sizeof *errors->decided),
                          .effect = memory_alloc(terms, sizeof *errors->effect)};
    errors->term_games = errors->games + n;
    TRY(find_covariance(fit, &covariance, errors->games, err));
    find_decided(fit, covariance.inverse, errors->decided);
    errors_of_weights(fit, &covariance, errors->data);
    add_pull(fit, &covariance, errors->games);
    errors_of_weights(fit, &covariance, errors->weight);
    piece_table_init(&errors->pieces);
    if (fit->rows->names || !tables) return STATUS_OK;
    errors_of_terms(fit, &covariance, errors);
    if (fit->rows->sample_count > 0) errors_of_pieces(fit, &covariance, &errors->pieces);
    return STATUS_OK;
}

void errors_clear(FitErrors *errors) {
    free(errors->weight);
    free(errors->data);
    free(errors->games);
    free(errors->decided);
    free(errors->effect);
    *errors = (FitErrors){0};
}

void errors_format(const Fit *fit, const FitErrors *errors, const double *alone, Text *text) {
    const RowSet *rows = fit->rows;
    text_add(text, "term\tentry\tphase\tvalue\tse\toccurrences\tse_data%s\n",
             alone ? "\tse_of_results" : "");
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const int pair = i / 2;
        const WeightTerm *term = weight_term_of(pair);
        text_add(text, "%s\t%d\t%s\t%.3f\t%.3f\t%.1f\t%.3f", term->name, pair - term->first,
                 i % 2 ? "eg" : "mg", fit->weights[i], errors->weight[i], row_occurrences(rows, i),
                 errors->data[i]);
        if (alone) text_add(text, "\t%.3f", alone[i]);
        text_add(text, "\n");
    }
}

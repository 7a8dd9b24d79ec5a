// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/collinearity.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/cholesky.h"
#include "tuner/rows/terms.h"

struct Regressors {
    const RowSet *rows;
    size_t n, count;
    double *hessian; // Hessian of the loss without the prior, [n][n]
    double largest;  // largest entry on the diagonal of `hessian`
    size_t *place;   // indices of the regressors, the weights that may explain a group, [count]
    // Cholesky factor of the block of `hessian` that belongs to the regressors. Before the
    // factorisation, the block receives constraints on the means of tables, and its diagonal is
    // enlarged slightly. NULL: there are no regressors, or the factorisation failed.
    gsl_matrix *factor;
};

static void find_hessian(const Fit *fit, Regressors *regressors) {
    const size_t n = regressors->n;
    AUTO_FREE double *prior = memory_alloc(n * n, sizeof *prior);
    prior_add_hessian(&fit->prior, prior);
    for (size_t i = 0; i < n * n; i++)
        regressors->hessian[i] = fit->train_weight * fit->hessian[i] - prior[i];
    for (size_t i = 0; i < n; i++)
        regressors->largest = fmax(regressors->largest, regressors->hessian[i * n + i]);
}

// Adds `strength` times the Hessian of the constraints that fix the mean entry of each table, such
// as a piece-square table (prior.h). Leaves out the rest of the prior.
static void constrain_means(const Fit *fit, double strength, double *hessian) {
    const size_t n = (size_t)fit->n;
    const PriorSetup means_only = {.sd = 1e15, .material_sd = 1e15};
    AUTO_FREE double *means = memory_alloc(n * n, sizeof *means);
    Prior held = {0};
    prior_for_evaluation(&held, &means_only, fit->rows, fit->start);
    prior_add_hessian(&held, means);
    prior_clear(&held);
    for (size_t i = 0; i < n * n; i++) hessian[i] += strength * means[i];
}

// Factorises the Hessian of the regressors. Its diagonal is enlarged slightly, so that linearly
// dependent regressors are possible. If weights occur rarely in few games, the factorisation can
// need a larger diagonal, so larger factors are tried.
static void factorise(const Fit *fit, Regressors *regressors) {
    const size_t count = regressors->count, n = regressors->n;
    if (count == 0) return;
    AUTO_FREE double *hessian = memory_alloc(n * n, sizeof *hessian);
    memcpy(hessian, regressors->hessian, n * n * sizeof *hessian);
    if (!fit->rows->names) constrain_means(fit, 1e4 * regressors->largest, hessian);
    regressors->factor = gsl_matrix_alloc(count, count);
    for (double ridge = 1e-9; ridge < 1e-5; ridge *= 10) {
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < count; b++) {
                const double value = hessian[regressors->place[a] * n + regressors->place[b]];
                gsl_matrix_set(regressors->factor, a, b, value * (a == b ? 1 + ridge : 1));
            }
        }
        if (cholesky_factorise(regressors->factor) == GSL_SUCCESS) return;
    }
    gsl_matrix_free(regressors->factor);
    regressors->factor = NULL;
}

// Returns true if weight `i` occurs in the fitted positions. If a weight does not occur, its entry
// on the diagonal of the Hessian is 0 up to rounding.
static bool occurs(const Regressors *regressors, size_t i) {
    return regressors->hessian[i * regressors->n + i] > 1e-13 * regressors->largest;
}

Regressors *regressors_new(const Fit *fit, const bool *by) {
    const size_t n = (size_t)fit->n;
    Regressors *regressors = memory_alloc(1, sizeof *regressors);
    *regressors = (Regressors){.rows = fit->rows,
                               .n = n,
                               .hessian = memory_alloc(n * n, sizeof *regressors->hessian),
                               .place = memory_alloc(n, sizeof *regressors->place)};
    find_hessian(fit, regressors);
    for (size_t i = 0; i < n; i++) {
        if (by[i] && occurs(regressors, i)) regressors->place[regressors->count++] = i;
    }
    factorise(fit, regressors);
    return regressors;
}

void regressors_free(Regressors *regressors) {
    if (!regressors) return;
    free(regressors->hessian);
    free(regressors->place);
    if (regressors->factor) gsl_matrix_free(regressors->factor);
    free(regressors);
}

// Regresses the coefficients of weight i on those of the regressors. Adds to part[t] the part of
// the sum of squared coefficients that the regressors of term t explain.
static void explain_weight(const Regressors *regressors, size_t i, gsl_vector *column,
                           double *part) {
    const double *line = regressors->hessian + i * regressors->n;
    for (size_t a = 0; a < regressors->count; a++)
        gsl_vector_set(column, a, line[regressors->place[a]]);
    gsl_linalg_cholesky_svx(regressors->factor, column);
    for (size_t a = 0; a < regressors->count; a++) {
        part[row_term_of(regressors->rows, (int)regressors->place[a])] +=
            gsl_vector_get(column, a) * line[regressors->place[a]];
    }
}

// Stores in *collinearity the terms with the largest shares part[], at most COLLINEARITY_MOST
// terms. Leaves out shares below 0.05.
static void keep_largest(const double *part, int terms, Collinearity *collinearity) {
    while (collinearity->count < COLLINEARITY_MOST) {
        int best = -1;
        for (int t = 0; t < terms; t++) {
            bool taken = false;
            for (int k = 0; k < collinearity->count; k++)
                taken = taken || collinearity->term[k] == t;
            if (!taken && part[t] >= 0.05 && (best < 0 || part[t] > part[best])) best = t;
        }
        if (best < 0) return;
        collinearity->term[collinearity->count] = best;
        collinearity->part[collinearity->count++] = part[best];
    }
}

void collinearity_measure(const Regressors *regressors, const bool *chosen,
                          Collinearity *collinearity) {
    const size_t n = regressors->n;
    const int terms = row_term_count(regressors->rows);
    AUTO_FREE double *part = memory_alloc((size_t)terms, sizeof *part);
    double total = 0, explained = 0;
    *collinearity = (Collinearity){.r2 = NAN};
    gsl_vector *column = regressors->factor ? gsl_vector_alloc(regressors->count) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (!chosen[i] || !occurs(regressors, i)) continue;
        total += regressors->hessian[i * n + i];
        if (column) explain_weight(regressors, i, column, part);
    }
    if (column) gsl_vector_free(column);
    if (!(total > 0) || (regressors->count > 0 && !regressors->factor)) return;
    for (int t = 0; t < terms; t++) {
        part[t] /= total;
        explained += part[t];
    }
    collinearity->r2 = fmin(1, fmax(0, explained));
    keep_largest(part, terms, collinearity);
}

void collinearity_of_group(const Fit *fit, const bool *chosen, Collinearity *collinearity) {
    AUTO_FREE bool *by = memory_alloc((size_t)fit->n, sizeof *by);
    for (int i = 0; i < fit->n; i++) by[i] = !chosen[i];
    AUTO_POINTER(Regressors) regressors = regressors_new(fit, by);
    collinearity_measure(regressors, chosen, collinearity);
}

void collinearity_of_playing(const Fit *fit, const bool *chosen, Collinearity *collinearity) {
    const RowSet *rows = fit->rows;
    AUTO_FREE bool *by = memory_alloc((size_t)fit->n, sizeof *by);
    for (int t = 0; t < row_term_count(rows); t++) {
        const RowTerm term = row_term(rows, t);
        const int first = 2 * term.first, end = first + 2 * term.count;
        bool plays = false;
        for (int i = first; i < end; i++) plays = plays || fit->start[i] != 0;
        for (int i = first; i < end; i++) by[i] = plays && !chosen[i];
    }
    AUTO_POINTER(Regressors) regressors = regressors_new(fit, by);
    collinearity_measure(regressors, chosen, collinearity);
}

// Returns R2 of a linear regression: how well the coefficients of all other regressors explain the
// coefficients of the regressors that belong to the term. R2 is 1 - tr(G^-1) / tr(H). H is the
// block of the term in the Hessian of the regressors, and G is the block of the term in the inverse
// of this Hessian. Returns NAN if no weight of the term is a regressor, or if the factorisation
// failed.
static double scan_term(const Regressors *regressors, const RowTerm *term) {
    AUTO_FREE size_t *at = memory_alloc(2 * (size_t)term->count, sizeof *at);
    size_t m = 0;
    double total = 0, left = 0;
    for (size_t a = 0; a < regressors->count; a++) {
        const int weight = (int)regressors->place[a];
        if (weight < 2 * term->first || weight >= 2 * (term->first + term->count)) continue;
        total += regressors->hessian[regressors->place[a] * regressors->n + regressors->place[a]];
        at[m++] = a;
    }
    if (m == 0 || !regressors->factor) return NAN;
    gsl_matrix *columns = gsl_matrix_calloc(m, regressors->count), *block = gsl_matrix_alloc(m, m);
    for (size_t j = 0; j < m; j++) {
        gsl_vector_view column = gsl_matrix_row(columns, j);
        gsl_vector_set(&column.vector, at[j], 1);
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, regressors->factor, &column.vector);
    }
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, columns, columns, 0, block);
    if (gsl_linalg_cholesky_decomp1(block) == GSL_SUCCESS &&
        gsl_linalg_cholesky_invert(block) == GSL_SUCCESS) {
        for (size_t j = 0; j < m; j++) left += gsl_matrix_get(block, j, j);
    }
    gsl_matrix_free(columns);
    gsl_matrix_free(block);
    return fmin(1, fmax(0, 1 - left / total));
}

void collinearity_scan(const Fit *fit, const bool *by, const bool *wanted, double *r2) {
    AUTO_POINTER(Regressors) regressors = regressors_new(fit, by);
    for (int t = 0; t < row_term_count(fit->rows); t++) {
        const RowTerm term = row_term(fit->rows, t);
        r2[t] = wanted[t] ? scan_term(regressors, &term) : NAN;
    }
}

void collinearity_add_names(const Collinearity *collinearity, const RowSet *rows, Text *text) {
    for (int k = 0; k < collinearity->count; k++) {
        text_add(text, "%s%s %.2f", k ? ", " : "", row_term(rows, collinearity->term[k]).name,
                 collinearity->part[k]);
    }
}

void collinearity_add_list(const Collinearity *collinearity, const RowSet *rows, Text *text) {
    for (int k = 0; k < collinearity->count; k++) {
        text_add(text, "%s%s:%.2f", k ? "," : "", row_term(rows, collinearity->term[k]).name,
                 collinearity->part[k]);
    }
}

const char *collinearity_word(const Collinearity *collinearity) {
    return collinearity_is_copy(collinearity)        ? "copy"
           : collinearity->r2 > COLLINEARITY_NEAR_R2 ? "near copy"
                                                     : NULL;
}

bool collinearity_describe(const Collinearity *collinearity, const RowSet *rows, Text *text) {
    AUTO(Text) names = {0};
    if (!(collinearity->r2 > COLLINEARITY_SOME_R2)) return false;
    collinearity_add_names(collinearity, rows, &names);
    const char *by = names.length ? names.data : "many terms together";
    if (collinearity_is_copy(collinearity)) {
        text_add(text,
                 "other terms explain it completely (R2 %.4f: %s): the fits with and without it "
                 "differ only by the prior",
                 collinearity->r2, by);
    } else if (collinearity->r2 > COLLINEARITY_NEAR_R2) {
        text_add(
            text,
            "other terms explain %.1f %% of its variance (R2 %.3f: %s), so its standard error is "
            "%.1f times as large as without these terms",
            100 * collinearity->r2, collinearity->r2, by, 1 / sqrt(1 - collinearity->r2));
    } else {
        text_add(text, "other terms explain %.0f %% of its variance (R2 %.2f: %s)",
                 100 * collinearity->r2, collinearity->r2, by);
    }
    return true;
}

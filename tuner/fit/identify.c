// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/identify.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_pass.h"
#include "tuner/rows/terms.h"

// Thresholds for a Hessian that is scaled to a unit diagonal. The Cholesky factorisation orders the
// columns by their pivots, the largest first. A column whose pivot is at most null_share counts as
// a linear combination of the columns with larger pivots. Columns whose coefficients in this
// combination are at least member_share (absolute value) belong to it: their terms are collinear
// with the term of the dependent column.
static const double null_share = 1e-8, member_share = 1e-3;

// Merges the collinear sets of the terms a and b: every term of the set of b moves to the set of a.
static void join(Identity *identity, int terms, int a, int b) {
    const int from = identity->set[b], to = identity->set[a];
    for (int t = 0; t < terms; t++) {
        if (identity->set[t] == from) identity->set[t] = to;
    }
}

// Gives the sets of collinear terms the numbers 1, 2, ..., in the order of their first terms. On
// entry, terms of one set have equal numbers in identity->set. dependent[t] is the number of
// columns of the Hessian that belong to term t and are linear combinations of other columns. A set
// without such columns is not collinear and gets the number 0.
static void number_sets(Identity *identity, int terms, const int *dependent) {
    AUTO_FREE int *mark = memory_alloc((size_t)terms, sizeof *mark);
    memcpy(mark, identity->set, (size_t)terms * sizeof *mark);
    memset(identity->set, 0, (size_t)terms * sizeof *identity->set);
    for (int t = 0; t < terms; t++) {
        int directions = 0;
        for (int u = 0; u < terms; u++) directions += mark[u] == mark[t] ? dependent[u] : 0;
        if (directions == 0 || identity->set[t] > 0) continue;
        identity->directions[++identity->set_count] = directions;
        for (int u = t; u < terms; u++) {
            if (mark[u] == mark[t]) identity->set[u] = identity->set_count;
        }
    }
}

// Finds the columns of the Hessian A that are linear combinations of others, by a Cholesky
// factorisation with pivots, A = L D L^T. In the order of the pivots, A and L consist of the blocks
// 11, 12, 21 and 22, and block 11 holds the independent columns. The coefficients of the other
// columns as combinations of these are A11^-1 A12 = L11^-T L21^T.
static void find_sets(const RowSet *rows, gsl_matrix *scaled, const int *place,
                      Identity *identity) {
    const size_t m = scaled->size1;
    const int terms = row_term_count(rows);
    size_t rank = 0;
    gsl_permutation *order = gsl_permutation_alloc(m);
    gsl_linalg_pcholesky_decomp(scaled, order);
    while (rank < m && gsl_matrix_get(scaled, rank, rank) > null_share) rank++;
    identity->rank = (int)rank;
    AUTO_FREE int *dependent = memory_alloc((size_t)terms, sizeof *dependent);
    for (int t = 0; t < terms; t++) identity->set[t] = t;
    if (rank > 0 && rank < m) {
        gsl_matrix_view l11 = gsl_matrix_submatrix(scaled, 0, 0, rank, rank);
        gsl_matrix_view l21 = gsl_matrix_submatrix(scaled, rank, 0, m - rank, rank);
        gsl_blas_dtrsm(CblasRight, CblasLower, CblasNoTrans, CblasUnit, 1, &l11.matrix,
                       &l21.matrix);
    }
    for (size_t i = rank; i < m; i++) {
        const int term = row_term_of(rows, place[gsl_permutation_get(order, i)]);
        dependent[term]++;
        for (size_t j = 0; j < rank; j++) {
            if (fabs(gsl_matrix_get(scaled, i, j)) < member_share) continue;
            join(identity, terms, term, row_term_of(rows, place[gsl_permutation_get(order, j)]));
        }
    }
    gsl_permutation_free(order);
    number_sets(identity, terms, dependent);
}

void identify(const Fit *fit, Identity *identity) {
    const size_t n = (size_t)fit->n, terms = (size_t)row_term_count(fit->rows);
    *identity = (Identity){.set = memory_alloc(terms, sizeof(int)),
                           .directions = memory_alloc(terms + 1, sizeof(int)),
                           .silent = memory_alloc(n, sizeof(bool)),
                           .separable = memory_alloc(n, sizeof(bool))};
    AUTO_FREE double *prior = memory_alloc(n * n, sizeof *prior);
    // The part of the Hessian that comes from the loss: the Hessian minus that of the prior.
    AUTO_FREE double *part = memory_alloc(n * n, sizeof *part);
    AUTO_FREE int *place = memory_alloc(n, sizeof *place);
    double largest = 0.0;
    prior_add_hessian(&fit->prior, prior);
    for (size_t i = 0; i < n * n; i++) part[i] = fit->train_weight * fit->hessian[i] - prior[i];
    for (size_t i = 0; i < n; i++) largest = fmax(largest, part[i * n + i]);
    for (size_t i = 0; i < n; i++) {
        // In the Hessian of the loss, the diagonal element of a weight that never occurs is 0, up
        // to the rounding errors of adding and subtracting the prior.
        identity->silent[i] = !(part[i * n + i] > 1e-13 * largest);
        if (!identity->silent[i]) place[identity->active++] = (int)i;
    }
    if (identity->active == 0) return;
    const size_t m = (size_t)identity->active;
    gsl_matrix *scaled = gsl_matrix_alloc(m, m);
    for (size_t i = 0; i < m; i++) {
        const size_t a = (size_t)place[i];
        for (size_t j = 0; j < m; j++) {
            const size_t b = (size_t)place[j];
            gsl_matrix_set(scaled, i, j, part[a * n + b] / sqrt(part[a * n + a] * part[b * n + b]));
        }
    }
    find_sets(fit->rows, scaled, place, identity);
    gsl_matrix_free(scaled);
}

// ---- separable weights --------------------------------------------------------------------------

enum { PULLS_UP = 1, PULLS_DOWN = 2 };

typedef struct Pulls {
    // flags of each weight: PULLS_UP if some position is predicted better by a larger weight,
    // PULLS_DOWN if by a smaller one
    uint8_t *way;
    double *free; // the fitted weights; 0 where a weight is frozen
    // `along`: true if the side that the fitted weights prefer won in some position. `against`:
    // true if the preferred side drew or lost in some position.
    bool along, against;
} Pulls;

// Notes for each weight whether a larger or a smaller weight predicts the positions in `chunk`
// better. If the target of a position (the result that should be predicted) is neither 0 nor 1,
// both directions are noted for the weights of this position.
static void note_pulls(const RowSet *rows, const RowChunk *chunk, const ChunkLoss *seen,
                       Pulls *pulls) {
    for (uint32_t i = 0; i < chunk->count; i++) {
        const double target = seen->target[i];
        if (!(seen->weight[i] > 0)) continue;
        const int up = target >= 1 ? PULLS_UP : target <= 0 ? PULLS_DOWN : PULLS_UP | PULLS_DOWN;
        const double phase = (double)chunk->phase[i], middle = phase / rows->phase_max;
        double sum = 0.0;
        for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
            const int pair = chunk->pair[k];
            if (pair == rows->pairs) continue; // a part of the score that has no weight
            const double c = row_coefficient(chunk, k), *w = pulls->free + 2 * pair;
            const int way = c > 0 || up == (PULLS_UP | PULLS_DOWN) ? up : up ^ 3;
            sum += c * (middle * w[0] + (1.0 - middle) * w[1]);
            if (phase > 0) pulls->way[2 * pair] |= (uint8_t)way;
            if (phase < rows->phase_max) pulls->way[2 * pair + 1] |= (uint8_t)way;
        }
        if (sum == 0.0) continue;
        *(up == (sum > 0 ? PULLS_UP : PULLS_DOWN) ? &pulls->along : &pulls->against) = true;
    }
}

void identify_separable(const Fit *fit, Identity *identity) {
    const RowSet *rows = fit->rows;
    const size_t n = (size_t)fit->n;
    AUTO_FREE uint8_t *way = memory_alloc(n, sizeof *way);
    AUTO_FREE double *free_weights = memory_alloc(n, sizeof *free_weights);
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    Pulls pulls = {.way = way, .free = free_weights};
    for (size_t i = 0; i < n; i++) free_weights[i] = fit->frozen[i] ? 0.0 : fit->weights[i];
    for (size_t c = 0; c < rows->chunk_count; c++) {
        loss_chunk(rows, &fit->loss, fit->weights, c, seen);
        note_pulls(rows, &rows->chunks[c], seen, &pulls);
    }
    for (size_t i = 0; i < n; i++) {
        identity->separable[i] = !fit->frozen[i] && (way[i] == PULLS_UP || way[i] == PULLS_DOWN);
    }
    identity->separated = pulls.along && !pulls.against;
}

void identity_clear(Identity *identity) {
    free(identity->set);
    free(identity->directions);
    free(identity->silent);
    free(identity->separable);
    *identity = (Identity){0};
}

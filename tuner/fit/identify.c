// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/identify.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_pass.h"
#include "tuner/rows/terms.h"

static const double null_share = 1e-9; // of the largest eigenvalue: what counts as 0

// The Hessian of the summed loss alone.
static double *loss_part(const Prior *prior, const FitResult *result) {
    const size_t n = (size_t)result->n;
    double *part = memory_alloc(n * n, sizeof *part), *pieces = memory_alloc(n * n, sizeof *pieces);
    prior_add_hessian(prior, pieces);
    for (size_t i = 0; i < n * n; i++) part[i] = result->weight * result->hessian[i] - pieces[i];
    free(pieces);
    return part;
}

// Eigenvalues and vectors (columns) of the active part, scaled to a unit diagonal. place[i] is the
// weight of row i.
static Status decompose(const double *part, size_t n, const int *place, size_t m,
                        gsl_vector *values, gsl_matrix *vectors, Err *err) {
    gsl_matrix *scaled = gsl_matrix_alloc(m, m);
    for (size_t i = 0; i < m; i++) {
        const size_t a = (size_t)place[i];
        for (size_t j = 0; j < m; j++) {
            const size_t b = (size_t)place[j];
            scaled->data[i * m + j] = part[a * n + b] / sqrt(part[a * n + a] * part[b * n + b]);
        }
    }
    gsl_eigen_symmv_workspace *workspace = gsl_eigen_symmv_alloc(m);
    const int code = gsl_eigen_symmv(scaled, values, vectors, workspace);
    gsl_eigen_symmv_free(workspace);
    gsl_matrix_free(scaled);
    if (code == GSL_SUCCESS) return STATUS_OK;
    return err_set(err, STATUS_NUMERIC, "eigenvalues of the Hessian: %s", gsl_strerror(code));
}

// Joins terms: share [terms][terms] holds sums of squares, over the weights of one and of the
// other, of the projection on the directions that change nothing; directions [terms] its trace over
// the weights of each.
typedef struct Shares {
    int terms;
    double *share, *directions;
} Shares;

static Shares null_shares(const RowSet *rows, const gsl_vector *values, const gsl_matrix *vectors,
                          const int *place, double largest) {
    const size_t m = values->size;
    Shares shares = {.terms = row_term_count(rows)};
    const size_t terms = (size_t)shares.terms;
    shares.share = memory_alloc(terms * terms, sizeof *shares.share);
    shares.directions = memory_alloc(terms, sizeof *shares.directions);
    size_t *null = memory_alloc(m, sizeof *null), count = 0;
    for (size_t k = 0; k < m; k++) {
        if (gsl_vector_get(values, k) <= null_share * largest) null[count++] = k;
    }
    for (size_t i = 0; i < m && count > 0; i++) {
        const size_t a = (size_t)row_term_of(rows, place[i]);
        for (size_t j = 0; j < m; j++) {
            double projection = 0.0;
            for (size_t k = 0; k < count; k++) {
                projection += vectors->data[i * m + null[k]] * vectors->data[j * m + null[k]];
            }
            shares.share[a * terms + (size_t)row_term_of(rows, place[j])] +=
                projection * projection;
            if (i == j) shares.directions[a] += projection;
        }
    }
    free(null);
    return shares;
}

// Gives a tie's number to a term and to all that share directions with it; their sum of directions.
static double join(const Shares *shares, int first, Identity *identity) {
    double sum = 0.0;
    bool more = true;
    identity->tie[first] = identity->ties;
    while (more) {
        more = false;
        for (int a = 0; a < shares->terms; a++) {
            if (identity->tie[a] != identity->ties) continue;
            for (int b = 0; b < shares->terms; b++) {
                if (identity->tie[b] || shares->share[a * shares->terms + b] < 1e-6) continue;
                identity->tie[b] = identity->ties;
                more = true;
            }
        }
    }
    for (int t = 0; t < shares->terms; t++) {
        if (identity->tie[t] == identity->ties) sum += shares->directions[t];
    }
    return sum;
}

// Terms joined by shares above rounding, as connected components.
static void join_terms(const Shares *shares, Identity *identity) {
    for (int first = 0; first < shares->terms; first++) {
        if (identity->tie[first] || shares->directions[first] < 1e-6) continue;
        identity->ties++;
        identity->directions[identity->ties] = (int)lround(join(shares, first, identity));
    }
}

static void summarise(const gsl_vector *values, Identity *identity, double *largest) {
    double smallest = INFINITY;
    *largest = 0.0;
    for (size_t k = 0; k < values->size; k++) *largest = fmax(*largest, gsl_vector_get(values, k));
    for (size_t k = 0; k < values->size; k++) {
        const double value = gsl_vector_get(values, k);
        if (value <= null_share * *largest) continue;
        identity->rank++;
        smallest = fmin(smallest, value);
    }
    identity->condition = *largest / smallest;
}

// Ties, by the eigenvectors of the loss's part of the Hessian.
static Status find_ties(const RowSet *rows, const double *part, const int *place,
                        Identity *identity, Err *err) {
    const size_t m = (size_t)identity->active;
    if (m == 0) return STATUS_OK;
    double largest;
    gsl_vector *values = gsl_vector_alloc(m);
    gsl_matrix *vectors = gsl_matrix_alloc(m, m);
    const Status status =
        decompose(part, (size_t)identity->weights, place, m, values, vectors, err);
    if (status == STATUS_OK) {
        summarise(values, identity, &largest);
        const Shares shares = null_shares(rows, values, vectors, place, largest);
        join_terms(&shares, identity);
        free(shares.share);
        free(shares.directions);
    }
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    return status;
}

// ---- weights without an end ---------------------------------------------------------------------

enum { PULLS_UP = 1, PULLS_DOWN = 2 };

typedef struct Pulls {
    uint8_t *way;        // [weights]: which ways rows pull each
    double *free;        // [weights]: fitted values, 0 where frozen
    bool along, against; // some row ends as its sum of these says; some does not
} Pulls;

// Which ways the rows of a chunk pull each weight; a row whose target is neither 0 nor 1 pulls
// both.
static void note_pulls(const RowSet *rows, const LossSetup *loss, const RowChunk *chunk,
                       Pulls *pulls) {
    for (uint32_t i = 0; i < chunk->count; i++) {
        const RowHead head = row_at(chunk, i);
        double draw;
        const double target = loss_target(loss, &head, &draw);
        if (isnan(target) || !(loss->game_weight[head.game] > 0)) continue;
        const int up = target >= 1 ? PULLS_UP : target <= 0 ? PULLS_DOWN : PULLS_UP | PULLS_DOWN;
        const double middle = (double)head.phase / rows->phase_max;
        double sum = 0.0;
        for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
            const int pair = chunk->pair[k];
            if (pair == rows->pairs) continue; // the offset
            const double c = row_coefficient(chunk, k), *w = pulls->free + 2 * pair;
            const int way = c > 0 || up == (PULLS_UP | PULLS_DOWN) ? up : up ^ 3;
            sum += c * (middle * w[0] + (1.0 - middle) * w[1]);
            if (head.phase > 0) pulls->way[2 * pair] |= (uint8_t)way;
            if (head.phase < rows->phase_max) pulls->way[2 * pair + 1] |= (uint8_t)way;
        }
        if (sum == 0.0) continue;
        *(up == (sum > 0 ? PULLS_UP : PULLS_DOWN) ? &pulls->along : &pulls->against) = true;
    }
}

static void find_separable(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                           Identity *identity) {
    double *game_weight = fit_part_weights(rows, setup, PART_TRAIN);
    LossSetup loss = result->slopes;
    loss.game_weight = game_weight;
    Pulls pulls = {.way = memory_alloc((size_t)identity->weights, sizeof *pulls.way),
                   .free = memory_alloc((size_t)identity->weights, sizeof *pulls.free)};
    for (int i = 0; i < identity->weights; i++) {
        pulls.free[i] = setup->frozen && setup->frozen[i] ? 0.0 : result->weights[i];
    }
    for (size_t c = 0; c < rows->chunk_count; c++) {
        note_pulls(rows, &loss, &rows->chunks[c], &pulls);
    }
    for (int i = 0; i < identity->weights; i++) {
        const bool frozen = setup->frozen && setup->frozen[i];
        const int way = pulls.way[i];
        identity->separable[i] = !frozen && (way == PULLS_UP || way == PULLS_DOWN);
    }
    identity->separated = pulls.along && !pulls.against;
    free(pulls.way);
    free(pulls.free);
    free(game_weight);
}

Status identify(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                const FitResult *result, Identity *identity, Err *err) {
    const size_t n = (size_t)result->n, terms = (size_t)row_term_count(rows);
    *identity = (Identity){.weights = (int)n,
                           .tie = memory_alloc(terms, sizeof(int)),
                           .directions = memory_alloc(terms + 1, sizeof(int)),
                           .silent = memory_alloc(n, sizeof(bool)),
                           .separable = memory_alloc(n, sizeof(bool))};
    double *part = loss_part(prior, result), largest = 0.0;
    int *place = memory_alloc(n, sizeof *place);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, part[i * n + i]);
    for (size_t i = 0; i < n; i++) {
        // What is left of 0 after the prior was added and taken away again.
        identity->silent[i] = !(part[i * n + i] > 1e-13 * largest);
        if (!identity->silent[i]) place[identity->active++] = (int)i;
    }
    const Status status = find_ties(rows, part, place, identity, err);
    find_separable(rows, setup, result, identity);
    free(place);
    free(part);
    return status;
}

void identity_clear(Identity *identity) {
    free(identity->tie);
    free(identity->directions);
    free(identity->silent);
    free(identity->separable);
    *identity = (Identity){0};
}

int correlated_pairs(const double *covariance, int n, CorrelatedPair *pairs, int count) {
    const size_t size = (size_t)n;
    int found = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            const double below =
                covariance[(size_t)i * size + (size_t)i] * covariance[(size_t)j * size + (size_t)j];
            if (!(below > 0)) continue;
            const double r = covariance[(size_t)i * size + (size_t)j] / sqrt(below);
            if (found == count && fabs(r) <= fabs(pairs[found - 1].correlation)) continue;
            int at = found < count ? found++ : count - 1;
            for (; at > 0 && fabs(pairs[at - 1].correlation) < fabs(r); at--) {
                pairs[at] = pairs[at - 1];
            }
            pairs[at] = (CorrelatedPair){i, j, r};
        }
    }
    return found;
}

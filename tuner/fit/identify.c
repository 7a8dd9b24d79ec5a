// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/identify.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"

static const double null_share = 1e-9; // of the largest eigenvalue: what counts as 0

void weight_name(int i, char *text) {
    const WeightTerm *term = weight_term_of(i / 2);
    snprintf(text, WEIGHT_NAME_SIZE, "%s[%d].%s", term->name, i / 2 - term->first,
             i % 2 ? "eg" : "mg");
}

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

static int term_index(int weight) {
    return (int)(weight_term_of(weight / 2) - weight_terms);
}

// share[s][t]: sum of squares, over weights i of term s and j of term t, of the projection on the
// directions that change nothing. directions[s]: its trace over the weights of s.
static void null_shares(const gsl_vector *values, const gsl_matrix *vectors, const int *place,
                        double largest, double share[WEIGHT_TERM_COUNT][WEIGHT_TERM_COUNT],
                        double directions[WEIGHT_TERM_COUNT]) {
    const size_t m = values->size;
    size_t *null = memory_alloc(m, sizeof *null), count = 0;
    for (size_t k = 0; k < m; k++) {
        if (gsl_vector_get(values, k) <= null_share * largest) null[count++] = k;
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m && count > 0; j++) {
            double projection = 0.0;
            for (size_t k = 0; k < count; k++) {
                projection += vectors->data[i * m + null[k]] * vectors->data[j * m + null[k]];
            }
            share[term_index(place[i])][term_index(place[j])] += projection * projection;
            if (i == j) directions[term_index(place[i])] += projection;
        }
    }
    free(null);
}

// Terms joined by shares above rounding, as connected components.
static void join_terms(double share[WEIGHT_TERM_COUNT][WEIGHT_TERM_COUNT],
                       const double directions[WEIGHT_TERM_COUNT], Identity *identity) {
    bool seen[WEIGHT_TERM_COUNT] = {false};
    for (int first = 0; first < WEIGHT_TERM_COUNT; first++) {
        if (seen[first] || directions[first] < 1e-6) continue;
        TiedTerms *tied = &identity->tied[identity->tied_count++];
        double sum = 0.0;
        tied->terms[tied->count++] = first;
        seen[first] = true;
        for (int i = 0; i < tied->count; i++) {
            sum += directions[tied->terms[i]];
            for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
                if (seen[t] || share[tied->terms[i]][t] < 1e-6) continue;
                seen[t] = true;
                tied->terms[tied->count++] = t;
            }
        }
        tied->directions = (int)lround(sum);
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

Status identify(const Prior *prior, const FitResult *result, Identity *identity, Err *err) {
    const size_t n = (size_t)result->n;
    memset(identity, 0, sizeof *identity);
    identity->weights = (int)n;
    double *part = loss_part(prior, result), largest = 0.0;
    int *place = memory_alloc(n, sizeof *place);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, part[i * n + i]);
    for (size_t i = 0; i < n; i++) {
        // What is left of 0 after the prior was added and taken away again.
        if (part[i * n + i] > 1e-13 * largest) {
            place[identity->active++] = (int)i;
        } else {
            identity->silent[identity->silent_count++] = (int)i;
        }
    }
    const size_t m = (size_t)identity->active;
    gsl_vector *values = gsl_vector_alloc(m ? m : 1);
    gsl_matrix *vectors = gsl_matrix_alloc(m ? m : 1, m ? m : 1);
    Status status = m ? decompose(part, n, place, m, values, vectors, err) : STATUS_OK;
    if (status == STATUS_OK && m) {
        double share[WEIGHT_TERM_COUNT][WEIGHT_TERM_COUNT] = {{0}};
        double directions[WEIGHT_TERM_COUNT] = {0};
        summarise(values, identity, &largest);
        null_shares(values, vectors, place, largest, share, directions);
        join_terms(share, directions, identity);
    }
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    free(place);
    free(part);
    return status;
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

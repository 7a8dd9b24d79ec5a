// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/ratings.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"

// Natural units: 400/ln 10 Elo are one unit of log odds.
#define ELO_PER_UNIT 173.71779276130073

// A player that no chain of games ties to the anchor; -1 when all are tied.
static int find_loose(const PairingCounts *counts, size_t pairings, int players, int anchor) {
    bool *tied = memory_alloc((size_t)players, sizeof *tied);
    tied[anchor] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < pairings; i++) {
            if (counts[i].wins + counts[i].draws + counts[i].losses == 0) continue;
            const int a = counts[i].first, b = counts[i].second;
            if (tied[a] != tied[b]) tied[a] = tied[b] = more = true;
        }
    }
    int loose = -1;
    for (int i = 0; i < players && loose < 0; i++) {
        if (!tied[i]) loose = i;
    }
    free(tied);
    return loose;
}

// Gradient of the log likelihood and the information at `theta`. The anchor's row and column are
// those of the identity, so that it stays where it is.
static void build(const PairingCounts *counts, size_t pairings, int anchor, const double *theta,
                  gsl_vector *gradient, gsl_matrix *information) {
    gsl_vector_set_zero(gradient);
    gsl_matrix_set_zero(information);
    for (size_t i = 0; i < pairings; i++) {
        const size_t a = (size_t)counts[i].first, b = (size_t)counts[i].second;
        const double played = (double)(counts[i].wins + counts[i].draws + counts[i].losses);
        if (played == 0) continue;
        const double games = played + 1; // with one draw more
        const double points = (double)counts[i].wins + 0.5 * (double)counts[i].draws + 0.5;
        const double expected = 1 / (1 + exp(theta[b] - theta[a]));
        const double surprise = points - games * expected;
        const double weight = games * expected * (1 - expected);
        *gsl_vector_ptr(gradient, a) += surprise;
        *gsl_vector_ptr(gradient, b) -= surprise;
        *gsl_matrix_ptr(information, a, a) += weight;
        *gsl_matrix_ptr(information, b, b) += weight;
        *gsl_matrix_ptr(information, a, b) -= weight;
        *gsl_matrix_ptr(information, b, a) -= weight;
    }
    const size_t at = (size_t)anchor;
    for (size_t i = 0; i < information->size1; i++) {
        gsl_matrix_set(information, at, i, i == at);
        gsl_matrix_set(information, i, at, i == at);
    }
    gsl_vector_set(gradient, at, 0);
}

// Newton steps, cut to two units, until the largest is below 1e-12: the likelihood is concave.
static bool climb(const PairingCounts *counts, size_t pairings, int anchor, double *theta,
                  gsl_vector *gradient, gsl_vector *step, gsl_matrix *information) {
    for (int iteration = 0; iteration < 200; iteration++) {
        build(counts, pairings, anchor, theta, gradient, information);
        if (gsl_linalg_cholesky_decomp1(information) != GSL_SUCCESS) return false;
        gsl_linalg_cholesky_solve(information, gradient, step);
        double largest = 0;
        for (size_t i = 0; i < step->size; i++) {
            const double move = fmax(-2, fmin(2, gsl_vector_get(step, i)));
            theta[i] += move;
            largest = fmax(largest, fabs(move));
        }
        if (largest < 1e-12) break;
    }
    build(counts, pairings, anchor, theta, gradient, information);
    return gsl_linalg_cholesky_decomp1(information) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(information) == GSL_SUCCESS;
}

static void count_points(const PairingCounts *counts, size_t pairings, Rating *ratings) {
    for (size_t i = 0; i < pairings; i++) {
        Rating *first = &ratings[counts[i].first], *second = &ratings[counts[i].second];
        const long long games = counts[i].wins + counts[i].draws + counts[i].losses;
        first->games += games;
        second->games += games;
        first->points += (double)counts[i].wins + 0.5 * (double)counts[i].draws;
        second->points += (double)counts[i].losses + 0.5 * (double)counts[i].draws;
    }
}

Status ratings_fit(const PairingCounts *counts, size_t pairings, int players, int anchor,
                   double anchor_elo, Rating *ratings, int *loose, Err *err) {
    for (int i = 0; i < players; i++) ratings[i] = (Rating){.elo = anchor_elo};
    count_points(counts, pairings, ratings);
    *loose = find_loose(counts, pairings, players, anchor);
    if (*loose >= 0) {
        return err_set(err, STATUS_NUMERIC, "no chain of games ties all players to the anchor");
    }
    const size_t n = (size_t)players;
    double *theta = memory_alloc(n, sizeof *theta);
    gsl_vector *gradient = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
    gsl_matrix *information = gsl_matrix_alloc(n, n);
    const bool good = climb(counts, pairings, anchor, theta, gradient, step, information);
    for (size_t i = 0; i < n && good; i++) {
        ratings[i].elo = anchor_elo + ELO_PER_UNIT * theta[i];
        ratings[i].error95 = (int)i == anchor ? 0
                                              : 1.959963984540054 * ELO_PER_UNIT *
                                                    sqrt(gsl_matrix_get(information, i, i));
    }
    gsl_matrix_free(information);
    gsl_vector_free(step);
    gsl_vector_free(gradient);
    free(theta);
    return good ? STATUS_OK : err_set(err, STATUS_NUMERIC, "the ratings' information is singular");
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/ratings.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

// Elo of one unit of log odds: 400/ln 10.
#define ELO_PER_UNIT 173.71779276130073

void pairing_match_counts(const PairingCounts *pairing, MatchCounts *counts) {
    *counts = (MatchCounts){.has_pairs = true,
                            .has_games = true,
                            .wins = pairing->wins,
                            .draws = pairing->draws,
                            .losses = pairing->losses};
    memcpy(counts->penta, pairing->pairs, sizeof counts->penta);
    counts->has_pairs = 2 * match_counts_pairs(counts) == match_counts_games(counts);
}

// Returns the index of a player that no chain of games connects to the anchor, or -1 if there is no
// such player.
static int find_unconnected(const PairingCounts *counts, size_t pairings, int players, int anchor) {
    AUTO_FREE bool *connected = memory_alloc((size_t)players, sizeof *connected);
    connected[anchor] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < pairings; i++) {
            if (counts[i].wins + counts[i].draws + counts[i].losses == 0) continue;
            const int a = counts[i].first, b = counts[i].second;
            if (connected[a] != connected[b]) connected[a] = connected[b] = more = true;
        }
    }
    for (int i = 0; i < players; i++) {
        if (!connected[i]) return i;
    }
    return -1;
}

// Adds weight * d d^T to the matrix, where the vector d is 1 at a, -1 at b and 0 elsewhere.
static void add_difference(gsl_matrix *matrix, size_t a, size_t b, double weight) {
    *gsl_matrix_ptr(matrix, a, a) += weight;
    *gsl_matrix_ptr(matrix, b, b) += weight;
    *gsl_matrix_ptr(matrix, a, b) -= weight;
    *gsl_matrix_ptr(matrix, b, a) -= weight;
}

// Sets reach[a * n + b] if player a has won or drawn a game against player b, or if a chain of such
// games leads from a through other players to b.
static void find_reach(const PairingCounts *counts, size_t pairings, size_t n, bool *reach) {
    for (size_t i = 0; i < n; i++) reach[i * n + i] = true;
    for (size_t i = 0; i < pairings; i++) {
        const size_t a = (size_t)counts[i].first, b = (size_t)counts[i].second;
        if (counts[i].wins + counts[i].draws > 0) reach[a * n + b] = true;
        if (counts[i].losses + counts[i].draws > 0) reach[b * n + a] = true;
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; reach[i * n + k] && j < n; j++) {
                reach[i * n + j] = reach[i * n + j] || reach[k * n + j];
            }
        }
    }
}

// Sets Rating.prior, and returns an array with the number of draws to add to each pairing as a
// prior: 1 if the two players belong to different groups, otherwise 0. Two players belong to one
// group if a chain of wins and draws leads from each to the other (find_reach). The caller must
// free the array.
static double *find_priors(const PairingCounts *counts, size_t pairings, int players, int anchor,
                           Rating *ratings) {
    const size_t n = (size_t)players, at = (size_t)anchor;
    double *priors = memory_alloc(pairings, sizeof *priors);
    AUTO_FREE bool *reach = memory_alloc(n * n, sizeof *reach);
    find_reach(counts, pairings, n, reach);
    for (size_t i = 0; i < pairings; i++) {
        const size_t a = (size_t)counts[i].first, b = (size_t)counts[i].second;
        priors[i] = reach[a * n + b] && reach[b * n + a] ? 0 : 1;
    }
    for (size_t i = 0; i < n; i++) ratings[i].prior = !(reach[i * n + at] && reach[at * n + i]);
    return priors;
}

// Returns the variance of the points in a pairing's games. The pairs of games contribute the
// variance that was observed; one imaginary pair with the model's variance is counted with them.
// Games that belong to no pair, and the `prior` draws that the fit adds, contribute the variance of
// the model.
static double points_variance(const PairingCounts *counts, double expected, double prior) {
    const double one = expected * (1 - expected);
    double pairs = 0, sum = 0, squares = 0;
    for (int i = 0; i < 5; i++) {
        const double points = 0.5 * i, count = (double)counts->pairs[i];
        pairs += count;
        sum += count * points;
        squares += count * points * points;
    }
    const double played = (double)(counts->wins + counts->draws + counts->losses);
    const double single = (played - 2 * pairs + prior) * one;
    if (pairs == 0) return single;
    const double scatter = pairs > 1 ? (squares - sum * sum / pairs) * pairs / (pairs - 1) : 0;
    return single + scatter + 2 * one;
}

// Computes the gradient of the log likelihood, the information matrix at the ratings `theta`, and
// the variance matrix of the players' points. The row and column of the anchor are set so that its
// rating does not change.
static void build(const PairingCounts *counts, const double *priors, size_t pairings, int anchor,
                  const double *theta, gsl_vector *gradient, gsl_matrix *information,
                  gsl_matrix *variance) {
    gsl_vector_set_zero(gradient);
    gsl_matrix_set_zero(information);
    gsl_matrix_set_zero(variance);
    for (size_t i = 0; i < pairings; i++) {
        const size_t a = (size_t)counts[i].first, b = (size_t)counts[i].second;
        const double played = (double)(counts[i].wins + counts[i].draws + counts[i].losses);
        if (played == 0) continue;
        const double games = played + priors[i];
        const double points = (double)counts[i].wins + 0.5 * ((double)counts[i].draws + priors[i]);
        const double expected = 1 / (1 + exp(theta[b] - theta[a]));
        const double surprise = points - games * expected;
        *gsl_vector_ptr(gradient, a) += surprise;
        *gsl_vector_ptr(gradient, b) -= surprise;
        add_difference(information, a, b, games * expected * (1 - expected));
        add_difference(variance, a, b, points_variance(&counts[i], expected, priors[i]));
    }
    const size_t at = (size_t)anchor;
    for (size_t i = 0; i < information->size1; i++) {
        gsl_matrix_set(information, at, i, i == at);
        gsl_matrix_set(information, i, at, i == at);
        gsl_matrix_set(variance, at, i, 0);
        gsl_matrix_set(variance, i, at, 0);
    }
    gsl_vector_set(gradient, at, 0);
}

// Maximises the log likelihood, which is concave, with Newton steps. A step changes a rating by at
// most two units of log odds. Stops when the largest change is below 1e-12, or after 200 steps.
// Leaves the inverse of the information matrix in `information`. Returns false if that matrix is
// singular.
static bool climb(const PairingCounts *counts, const double *priors, size_t pairings, int anchor,
                  double *theta, gsl_vector *gradient, gsl_vector *step, gsl_matrix *information,
                  gsl_matrix *variance) {
    for (int iteration = 0; iteration < 200; iteration++) {
        build(counts, priors, pairings, anchor, theta, gradient, information, variance);
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
    build(counts, priors, pairings, anchor, theta, gradient, information, variance);
    return gsl_linalg_cholesky_decomp1(information) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(information) == GSL_SUCCESS;
}

// Returns element (i, i) of the matrix product A V A. A must be symmetric.
static double form(const gsl_matrix *a, const gsl_matrix *v, size_t i) {
    double sum = 0;
    for (size_t j = 0; j < a->size1; j++) {
        for (size_t k = 0; k < a->size1; k++) {
            sum += gsl_matrix_get(a, i, j) * gsl_matrix_get(v, j, k) * gsl_matrix_get(a, k, i);
        }
    }
    return sum;
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

// Rates two players with strength_of_match(). Returns false if one player won every game, because
// strength_of_match() then computes no meaningful Elo.
static bool rate_two(const PairingCounts *counts, int anchor, Rating *ratings) {
    MatchCounts match;
    Strength strength;
    pairing_match_counts(counts, &match);
    if (match_counts_one_sided(&match)) return false;
    strength_of_match(&match, &strength);
    Rating *other = &ratings[1 - anchor];
    other->elo += counts->first == anchor ? -strength.elo : strength.elo;
    other->error95 = strength.elo_error95;
    return true;
}

Status ratings_fit(const PairingCounts *counts, size_t pairings, int players, int anchor,
                   double anchor_elo, Rating *ratings, int *unconnected, Err *err) {
    for (int i = 0; i < players; i++) ratings[i] = (Rating){.elo = anchor_elo};
    count_points(counts, pairings, ratings);
    *unconnected = find_unconnected(counts, pairings, players, anchor);
    if (*unconnected >= 0) {
        return err_set(
            err, STATUS_NUMERIC,
            "the player has no rating, because no chain of games connects it to the anchor");
    }
    if (players == 2 && pairings == 1 && rate_two(counts, anchor, ratings)) return STATUS_OK;
    AUTO_FREE double *priors = find_priors(counts, pairings, players, anchor, ratings);
    const size_t n = (size_t)players;
    AUTO_FREE double *theta = memory_alloc(n, sizeof *theta);
    gsl_vector *gradient = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
    gsl_matrix *information = gsl_matrix_alloc(n, n), *variance = gsl_matrix_alloc(n, n);
    const bool good =
        climb(counts, priors, pairings, anchor, theta, gradient, step, information, variance);
    for (size_t i = 0; i < n && good; i++) {
        ratings[i].elo = anchor_elo + ELO_PER_UNIT * theta[i];
        ratings[i].error95 =
            (int)i == anchor ? 0 : Z95 * ELO_PER_UNIT * sqrt(form(information, variance, i));
    }
    gsl_matrix_free(information);
    gsl_matrix_free(variance);
    gsl_vector_free(step);
    gsl_vector_free(gradient);
    return good ? STATUS_OK
                : err_set(err, STATUS_NUMERIC,
                          "the standard errors of the ratings are unknown: the information matrix "
                          "is singular");
}

void ratings_order(const Rating *ratings, int players, int *order) {
    for (int i = 0; i < players; i++) {
        int at = i;
        for (; at > 0 && ratings[order[at - 1]].elo < ratings[i].elo; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

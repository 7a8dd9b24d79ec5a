// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on each parameter of an SPSA run, from all its matches.
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tuner/fit/cholesky.h"
#include "tuner/spsa/spsa.h"

// Elo per difference of expected points (wins minus losses, divided by games) between nearly equal
// players: 800 / ln(10).
#define ELO_PER_POINTS (800 / M_LN10)
// Standard deviation, in Elo, of the prior of each coefficient. It is weak, but keeps coefficients
// finite about which no match says anything.
#define PRIOR_ELO 1000.0
// The verdict says that other values are better if surely_missing() is more than this many Elo.
// With 0, 36 of 100 runs of 1,000 iterations said so although at most 1 Elo was missing (E-191).
#define BETTER_ELO 2.0

// Degree of the polynomial in z = (value - start) / (max - min) that is the strength of a
// parameter's values, in Elo above the start value.
enum { DEGREE = 3, DRAWS = 400, GRID = 40 };

// Normal equations of the regression of the matches' results on the coefficients of all parameters:
// `matrix` [n][n] and `right` [n], with n = DEGREE * spec->count.
typedef struct Regression {
    size_t n;
    double *matrix, *right;
} Regression;

static void regression_clear(Regression *r) {
    free(r->matrix);
    free(r->right);
}
AUTO_VALUE(Regression, regression_clear)

static double place(const SpsaParam *param, double value) {
    return (value - param->start) / (param->max - param->min);
}

static double strength(const double coefficient[DEGREE], double z) {
    double sum = 0;
    for (int d = DEGREE - 1; d >= 0; d--) sum = (sum + coefficient[d]) * z;
    return sum;
}

// Adds a match of the values a against the values b to the regression. `elo` is the strength of a
// over b, and `variance` its variance.
static void add_match(const SpsaSpec *spec, const double *a, const double *b, double elo,
                      double variance, Regression *r) {
    AUTO_FREE double *x = memory_alloc(r->n, sizeof *x);
    for (int i = 0; i < spec->count; i++) {
        const double from = place(&spec->params[i], b[i]), to = place(&spec->params[i], a[i]);
        for (int d = 0; d < DEGREE; d++) x[DEGREE * i + d] = pow(to, d + 1) - pow(from, d + 1);
    }
    for (size_t i = 0; i < r->n; i++) {
        if (x[i] == 0) continue;
        r->right[i] += x[i] * elo / variance;
        for (size_t j = 0; j < r->n; j++) r->matrix[i * r->n + j] += x[i] * x[j] / variance;
    }
}

// Adds the iterations. The variance of a result is the mean square of all results: the differences
// in strength between perturbed sets are small compared with the luck of a few games.
static void add_iterations(const SpsaSpec *spec, const SpsaTrace *trace, Regression *r) {
    const double games = 2.0 * spec->pairs;
    double squares = 0;
    for (size_t k = 1; k < trace->count; k++) {
        squares += pow((double)(trace->rows[k].wins - trace->rows[k].losses) / games, 2);
    }
    // With few games, or none but draws, the variance is at least that of one decided game.
    const double variance = fmax(squares, 1 / (games * games)) / ((double)trace->count - 1);
    for (size_t k = 1; k < trace->count; k++) {
        const SpsaRow *row = &trace->rows[k];
        long long plus[SPSA_PARAMS_MAX], minus[SPSA_PARAMS_MAX];
        double a[SPSA_PARAMS_MAX], b[SPSA_PARAMS_MAX];
        spsa_perturb(spec, trace->rows[k - 1].theta, (int)k, plus, minus);
        for (int i = 0; i < spec->count; i++) {
            a[i] = (double)plus[i];
            b[i] = (double)minus[i];
        }
        add_match(spec, a, b, ELO_PER_POINTS * (double)(row->wins - row->losses) / games,
                  ELO_PER_POINTS * ELO_PER_POINTS * variance, r);
    }
}

// Adds a match of the values a against the start values.
static void add_against_start(const SpsaSpec *spec, const MatchCounts *counts, const double *a,
                              Regression *r) {
    double start[SPSA_PARAMS_MAX];
    StrengthVerdict verdict;
    if (match_counts_games(counts) == 0) return;
    for (int i = 0; i < spec->count; i++) start[i] = spec->params[i].start;
    strength_verdict(counts, NULL, false, &verdict);
    const double se = (verdict.ci_high - verdict.ci_low) / (2 * Z95);
    if (!isfinite(se) || !isfinite(verdict.elo)) return;
    add_match(spec, a, start, verdict.elo, fmax(1, se * se), r);
}

static void add_matches(const SpsaSpec *spec, const SpsaTrace *trace, Regression *r) {
    double values[SPSA_PARAMS_MAX], result[SPSA_PARAMS_MAX];
    r->n = (size_t)(DEGREE * spec->count);
    r->matrix = memory_alloc(r->n * r->n, sizeof *r->matrix);
    r->right = memory_alloc(r->n, sizeof *r->right);
    for (size_t i = 0; i < r->n; i++) r->matrix[i * r->n + i] = 1 / (PRIOR_ELO * PRIOR_ELO);
    add_iterations(spec, trace, r);
    for (int i = 0; i < spec->count; i++) values[i] = spec->params[i].start;
    for (int probe = 0; probe < trace->probe_count; probe++) {
        const SpsaParam *param = &spec->params[probe / 2];
        values[probe / 2] = probe % 2 ? param->max : param->min;
        add_against_start(spec, &trace->probes[probe / 2][probe % 2], values, r);
        values[probe / 2] = param->start;
    }
    spsa_result(spec, trace, result);
    for (int i = 0; i < spec->count; i++) result[i] = (double)spsa_round(result[i]);
    add_against_start(spec, &trace->check, result, r);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Results of draws from the distribution of the coefficients of a parameter.
typedef struct Draws {
    double missing[DRAWS]; // Elo between the result and the best value of the range, sorted
    double range[DRAWS];   // Elo between the worst and the best value of the range, sorted
} Draws;

// Draws coefficients with this mean and with the covariance L L' / times, where L is the lower
// triangle of `factor`.
static void draw(const SpsaParam *param, double result, const double mean[DEGREE],
                 const double factor[DEGREE][DEGREE], double times, Draws *draws) {
    Random random;
    random_init(&random, 1, 0);
    for (int k = 0; k < DRAWS; k++) {
        double coefficient[DEGREE], normal[DEGREE];
        for (int d = 0; d < DEGREE; d++) {
            normal[d] = gsl_cdf_ugaussian_Pinv((random_real(&random) * 0.999998) + 1e-6);
            coefficient[d] = mean[d];
            for (int e = 0; e <= d; e++) coefficient[d] += factor[d][e] * normal[e] / sqrt(times);
        }
        double best = strength(coefficient, place(param, result)), worst = best;
        const double here = best;
        for (int g = 0; g <= GRID; g++) {
            const double value = param->min + (param->max - param->min) * g / GRID;
            const double elo = strength(coefficient, place(param, value));
            best = fmax(best, elo);
            worst = fmin(worst, elo);
        }
        draws->missing[k] = best - here;
        draws->range[k] = best - worst;
    }
    qsort(draws->missing, DRAWS, sizeof *draws->missing, by_size);
    qsort(draws->range, DRAWS, sizeof *draws->range, by_size);
}

static double quantile(const double *sorted, double share) {
    return sorted[(int)(share * (DRAWS - 1) + 0.5)];
}

// Returns how many Elo are missing at least: the largest lower end of the 90 % intervals of the
// values of the range, above the result. `factor` and `times` are those of draw().
static double surely_missing(const SpsaParam *param, double result, const double mean[DEGREE],
                             const double factor[DEGREE][DEGREE], double times) {
    const double here = place(param, result);
    double most = 0;
    for (int g = 0; g <= GRID; g++) {
        const double z = place(param, param->min + (param->max - param->min) * g / GRID);
        double variance = 0;
        for (int e = 0; e < DEGREE; e++) {
            double sum = 0; // element e of L' x, where x is the difference of the powers
            for (int d = e; d < DEGREE; d++) {
                sum += factor[d][e] * (pow(z, d + 1) - pow(here, d + 1));
            }
            variance += sum * sum / times;
        }
        most = fmax(most, strength(mean, z) - strength(mean, here) - 1.645 * sqrt(variance));
    }
    return most;
}

// Says what may be missing and what more games would bring: if the games show that another value is
// better by more than BETTER_ELO, the run can continue; else, how many times the games would settle
// the parameter.
static void add_undecided(const SpsaParam *param, double result, const double mean[DEGREE],
                          const double factor[DEGREE][DEGREE], const Draws *draws, Text *text) {
    const double high = quantile(draws->missing, 0.95);
    Draws more;
    text_add(text,
             high < SPSA_OPEN_ELO ? "undecided: up to %.0f Elo may be missing"
                                  : "undecided: any gain may be missing",
             ceil(high));
    if (surely_missing(param, result, mean, factor, 1) > BETTER_ELO) {
        text_add(text, "; other values are better: continue from this one");
        return;
    }
    for (int times = 2; times <= 64; times *= 2) {
        draw(param, result, mean, factor, times, &more);
        if (quantile(more.missing, 0.95) > SPSA_SETTLED_ELO &&
            !(surely_missing(param, result, mean, factor, times) > BETTER_ELO)) {
            continue;
        }
        text_add(text, "; about %d times the games may decide", times);
        return;
    }
    text_add(text, "; not even 64 times the games would decide");
}

// Says that no match shows an effect, and which effects the games can exclude: those above `high`.
static void add_unseen(double high, Text *text) {
    if (high >= SPSA_OPEN_ELO) {
        text_add(text, "no effect seen, but the games are too few to exclude even a large one");
        return;
    }
    text_add(text, "no effect seen, up to +-%.0f Elo", high);
    if (high > SPSA_SETTLED_ELO) text_add(text, ": too few games to see a smaller one");
}

static void judge(const SpsaSpec *spec, const SpsaTrace *trace, int param, const Regression *r,
                  SpsaVerdict *verdict) {
    const SpsaParam *p = &spec->params[param];
    const size_t first = (size_t)(DEGREE * param);
    double mean[DEGREE], covariance[DEGREE][DEGREE], inverse[DEGREE][DEGREE], square = 0;
    AUTO(Text) text = {0};
    Draws draws;
    for (size_t d = 0; d < DEGREE; d++) {
        mean[d] = r->right[first + d];
        for (size_t e = 0; e < DEGREE; e++) {
            covariance[d][e] = r->matrix[(first + d) * r->n + first + e];
        }
    }
    gsl_matrix_view factor = gsl_matrix_view_array(covariance[0], DEGREE, DEGREE);
    if (gsl_linalg_cholesky_decomp1(&factor.matrix) != GSL_SUCCESS) return;
    memcpy(inverse, covariance, sizeof inverse);
    gsl_matrix_view inverted = gsl_matrix_view_array(inverse[0], DEGREE, DEGREE);
    gsl_linalg_cholesky_invert(&inverted.matrix);
    for (int d = 0; d < DEGREE; d++) {
        for (int e = 0; e < DEGREE; e++) square += mean[d] * inverse[d][e] * mean[e];
    }
    const SpsaTail tail = spsa_tail(trace, param);
    const double result = (double)spsa_round(tail.mean);
    const bool seen = square > gsl_cdf_chisq_Pinv(0.95, DEGREE);
    draw(p, tail.mean, mean, (const double(*)[DEGREE])covariance, 1, &draws);
    verdict->missing_high = quantile(draws.missing, 0.95);
    verdict->range_high = quantile(draws.range, 0.95);
    const double last = trace->rows[trace->count - 1].theta[param];
    if (result <= p->min || result >= p->max || last <= p->min || last >= p->max) {
        verdict->word = SPSA_EDGE;
        text_add(&text, "at the edge of its range: the best value may lie outside");
    } else if (verdict->missing_high <= SPSA_SETTLED_ELO && seen) {
        verdict->word = SPSA_SETTLED;
        text_add(&text, "settled");
    } else if (!seen) {
        verdict->word = SPSA_NO_EFFECT;
    } else {
        verdict->word = SPSA_UNDECIDED;
        add_undecided(p, tail.mean, mean, (const double(*)[DEGREE])covariance, &draws, &text);
    }
    if (!seen && verdict->word != SPSA_SETTLED) {
        text_add(&text, "%s", text.length ? "; " : "");
        add_unseen(ceil(verdict->range_high), &text);
    }
    snprintf(verdict->text, sizeof verdict->text, "%s", text.data);
}

void spsa_judge(const SpsaSpec *spec, SpsaTrace *trace) {
    enum { FEWEST_ITERATIONS = 10 };
    AUTO(Regression) r = {0};
    const bool few = trace->count - 1 < FEWEST_ITERATIONS; // the first row is the start
    for (int i = 0; i < spec->count; i++) {
        SpsaVerdict *verdict = &trace->verdicts[i];
        *verdict = (SpsaVerdict){.missing_high = NAN, .range_high = NAN};
        snprintf(verdict->text, sizeof verdict->text, "undecided: %s",
                 few ? "too few iterations" : "the games do not determine the parameters");
    }
    if (few) return;
    add_matches(spec, trace, &r);
    gsl_matrix_view matrix = gsl_matrix_view_array(r.matrix, r.n, r.n);
    gsl_vector_view right = gsl_vector_view_array(r.right, r.n);
    if (cholesky_factorise(&matrix.matrix) != GSL_SUCCESS) return;
    gsl_linalg_cholesky_svx(&matrix.matrix, &right.vector);
    if (gsl_linalg_cholesky_invert(&matrix.matrix) != GSL_SUCCESS) return;
    for (int i = 0; i < spec->count; i++) judge(spec, trace, i, &r, &trace->verdicts[i]);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/stats.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

// Count that replaces 0 for an outcome that never occurred, so that every probability is above 0.
static const double regularised_zero = 1e-3;

void match_counts_add_pair(MatchCounts *counts, int first, int second) {
    assert(counts->has_pairs && counts->has_games);
    assert(first >= 0 && first <= 2 && second >= 0 && second <= 2);
    counts->penta[first + second]++;
    counts->losses += (first == 0) + (second == 0);
    counts->draws += (first == 1) + (second == 1);
    counts->wins += (first == 2) + (second == 2);
}

bool match_counts_degenerate(const MatchCounts *counts) {
    const long long games[GAME_OUTCOMES] = {counts->losses, counts->draws, counts->wins};
    const long long *outcomes = counts->has_pairs ? counts->penta : games;
    int kinds = 0;
    for (int i = 0; i < (counts->has_pairs ? PAIR_OUTCOMES : GAME_OUTCOMES); i++) {
        kinds += outcomes[i] > 0;
    }
    return kinds == 1;
}

bool match_counts_one_sided(const MatchCounts *counts) {
    const long long games = match_counts_games(counts), pairs = match_counts_pairs(counts);
    if (games == 0) return false;
    if (pairs > 0) return counts->penta[0] == pairs || counts->penta[PAIR_OUTCOMES - 1] == pairs;
    return counts->wins == games || counts->losses == games;
}

long long match_counts_pairs(const MatchCounts *counts) {
    long long pairs = 0;
    for (int i = 0; counts->has_pairs && i < PAIR_OUTCOMES; i++) pairs += counts->penta[i];
    return pairs;
}

long long match_counts_games(const MatchCounts *counts) {
    if (counts->has_games) return counts->losses + counts->draws + counts->wins;
    return 2 * match_counts_pairs(counts);
}

void match_counts_add_pairs(const MatchCounts *counts, Text *text) {
    const bool any = match_counts_pairs(counts) > 0;
    for (int i = 0; i < PAIR_OUTCOMES && any; i++) {
        text_add(text, "%s%lld", i ? "," : "", counts->penta[i]);
    }
    if (!any) text_add(text, "-");
}

Status match_counts_parse(const char *text, MatchCounts *counts, Err *err) {
    char buffer[128];
    if (strlen(text) >= sizeof buffer) {
        return err_set(err, STATUS_BAD_INPUT, "'%.40s...' is too long for a list of counts", text);
    }
    strcpy(buffer, text);
    long long values[OUTCOMES_MAX] = {0};
    int count = 0;
    for (char *cursor = buffer; cursor; count++) {
        const char *field = text_next_field(&cursor, ',');
        if (count >= OUTCOMES_MAX) continue;
        TRY(parse_int(field, 0, MATCH_COUNT_MAX, &values[count], "a count", err));
    }
    if (count != PAIR_OUTCOMES && count != GAME_OUTCOMES) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'%s' is neither five counts LL,LD,DD+WL,WD,WW nor three counts L,D,W",
                       text);
    }
    *counts =
        (MatchCounts){.has_pairs = count == PAIR_OUTCOMES, .has_games = count == GAME_OUTCOMES};
    if (counts->has_pairs) {
        memcpy(counts->penta, values, sizeof counts->penta);
    } else {
        counts->losses = values[0];
        counts->draws = values[1];
        counts->wins = values[2];
    }
    return STATUS_OK;
}

double sample_score(const Sample *sample, int i) {
    return (double)i / (sample->kinds - 1);
}

double sample_t_per_nelo(const Sample *sample) {
    return (sample->kinds == PAIR_OUTCOMES ? M_SQRT2 : 1.0) / NELO_PER_SIGMA;
}

void sample_from_weights(Sample *sample, int kinds, const double *weights) {
    *sample = (Sample){.kinds = kinds};
    for (int i = 0; i < kinds; i++) sample->size += weights[i];
    for (int i = 0; i < kinds; i++) sample->p[i] = weights[i] / sample->size;
    // The mean is computed from the differences between opposite outcomes, so that rounding cannot
    // move it: a symmetric sample has exactly the mean 1/2 and Elo 0.
    sample->mean = 0.5;
    for (int i = 0; i < kinds / 2; i++) {
        const int opposite = kinds - 1 - i;
        sample->mean +=
            (sample->p[opposite] - sample->p[i]) * (sample_score(sample, opposite) - 0.5);
    }
    double third = 0.0, fourth = 0.0;
    for (int i = 0; i < kinds; i++) {
        const double off = sample_score(sample, i) - sample->mean;
        sample->variance += sample->p[i] * off * off;
        third += sample->p[i] * off * off * off;
        fourth += sample->p[i] * off * off * off * off;
    }
    sample->skewness = third / pow(sample->variance, 1.5);
    sample->excess_kurtosis = fourth / (sample->variance * sample->variance) - 3.0;
}

void sample_from_counts(const MatchCounts *counts, Sample *sample) {
    assert(counts->has_pairs || counts->has_games);
    const long long games[GAME_OUTCOMES] = {counts->losses, counts->draws, counts->wins};
    const long long *from = counts->has_pairs ? counts->penta : games;
    const int kinds = counts->has_pairs ? PAIR_OUTCOMES : GAME_OUTCOMES;
    double weights[OUTCOMES_MAX];
    for (int i = 0; i < kinds; i++) weights[i] = from[i] > 0 ? (double)from[i] : regularised_zero;
    sample_from_weights(sample, kinds, weights);
}

double elo_from_score(double score) {
    const double kept = fmin(fmax(score, 1e-3), 1.0 - 1e-3);
    return -400.0 * log10(1.0 / kept - 1.0);
}

double score_from_elo(double elo) {
    return 1.0 / (1.0 + pow(10.0, -elo / 400.0));
}

double normal_cdf(double x) {
    return 0.5 * erfc(-x * M_SQRT1_2);
}

static double pair_ratio(const MatchCounts *counts) {
    const long long won = counts->penta[3] + counts->penta[4];
    const long long lost = counts->penta[0] + counts->penta[1];
    return counts->has_pairs && lost > 0 ? (double)won / (double)lost : -1.0;
}

static double draw_ratio(const MatchCounts *counts) {
    const double level = (double)(counts->has_pairs ? counts->penta[2] : counts->draws);
    const double all =
        (double)(counts->has_pairs ? match_counts_pairs(counts) : match_counts_games(counts));
    return all > 0.0 ? level / all : 0.0;
}

void strength_from_counts(const MatchCounts *counts, Strength *strength) {
    Sample sample;
    sample_from_counts(counts, &sample);
    const double mean_error = sqrt(sample.variance / sample.size);
    const double interval = Z95 * mean_error;
    // The estimate t = (mean - 1/2)/sigma from `size` results has the variance (1 - t*skewness +
    // t^2*(kurtosis + 2)/4)/size, with the skewness and the excess kurtosis of the results.
    const double t = (sample.mean - 0.5) / sqrt(sample.variance);
    const double t_variance =
        fmax(0.0, 1.0 - t * sample.skewness + 0.25 * t * t * (sample.excess_kurtosis + 2.0));
    const double nelo_per_t = 1.0 / sample_t_per_nelo(&sample);
    *strength = (Strength){
        .elo = elo_from_score(sample.mean),
        .elo_error95 =
            0.5 * (elo_from_score(sample.mean + interval) - elo_from_score(sample.mean - interval)),
        .nelo = nelo_per_t * t,
        .nelo_error95 = nelo_per_t * Z95 * sqrt(t_variance / sample.size),
        .los = normal_cdf((sample.mean - 0.5) / mean_error),
        .pair_ratio = pair_ratio(counts),
        .draw_ratio = draw_ratio(counts),
    };
}

void sample_for_interval(const MatchCounts *counts, Sample *sample) {
    const long long games[GAME_OUTCOMES] = {counts->losses, counts->draws, counts->wins};
    const long long *from = counts->has_pairs ? counts->penta : games;
    const int kinds = counts->has_pairs ? PAIR_OUTCOMES : GAME_OUTCOMES;
    // Without an addition, the error would be 0 after a few pairs with equal results. So add one
    // pair lost 0-2 and one pair won 2-0, or two lost and two won games if the pairs are unknown.
    const double added = counts->has_pairs ? 1 : 2;
    double weights[OUTCOMES_MAX];
    for (int i = 0; i < kinds; i++) weights[i] = (double)from[i];
    weights[0] += added;
    weights[kinds - 1] += added;
    sample_from_weights(sample, kinds, weights);
}

// Returns half the width of the 95 % interval of the mean score.
static double half_interval(const Sample *sample) {
    return Z95 * sqrt(sample->variance / sample->size);
}

bool match_counts_few(const MatchCounts *counts) {
    Sample plain, wide;
    sample_from_counts(counts, &plain);
    sample_for_interval(counts, &wide);
    return half_interval(&wide) > 1.15 * half_interval(&plain);
}

void strength_of_match(const MatchCounts *counts, Strength *strength) {
    Sample wide;
    strength_from_counts(counts, strength);
    const long long pairs = match_counts_pairs(counts);
    if (pairs == 0 || pairs >= FEW_PAIRS) return;
    sample_for_interval(counts, &wide);
    const double half = half_interval(&wide);
    const double error95 =
        0.5 * (elo_from_score(wide.mean + half) - elo_from_score(wide.mean - half));
    if (error95 <= strength->elo_error95) return;
    strength->elo_error95 = error95;
    strength->los = normal_cdf(Z95 * (wide.mean - 0.5) / half);
}

// ---- most likely distributions ------------------------------------------------------------------

enum { ROOT_STEPS = 300 };

bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root) {
    gsl_function f = {.function = function, .params = context};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver) return false;
    bool found = gsl_root_fsolver_set(solver, &f, low, high) == GSL_SUCCESS;
    for (int i = 0; found && i < ROOT_STEPS; i++) {
        found = gsl_root_fsolver_iterate(solver) == GSL_SUCCESS;
        const int state =
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 1e-14, 4 * DBL_EPSILON);
        if (state == GSL_SUCCESS) break;
    }
    if (found) *root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return found && isfinite(*root);
}

enum { MLE_STEPS = 10, MLE_MORE_STEPS = 500, MLE_LEGS = 64 };
// Maximum difference between the t value, (mean - 1/2)/sigma, that mle_fit_t() must reach and the t
// value of the fitted distribution. fishtest has the same tolerance.
static const double t_tolerance = 1e-5;

// Equation for the distribution q that is most likely for a sample p under the linear constraint
// sum q[i]*value[i] = 0. The solution is q[i] = p[i]/(1 + x*value[i]), where x is the root of the
// secular equation sum p[i]*value[i]/(1 + x*value[i]) = 0 (Van den Bergh, "MLE for multinomial
// distributions", proposition 1.1). The root lies between the poles -1/max and -1/min. It can be so
// near to a pole that x itself is too imprecise. The solver therefore finds the logarithm of
// gap = (pole - x)/pole.
typedef struct Secular {
    const double *p, *value;
    int kinds;
    double edge; // the root x lies between 0 and the pole -1/edge: `edge` is the smallest value[i]
                 // if x > 0, the largest if x < 0
} Secular;

// Returns 1 + x*value[i], the divisor in the secular equation (see struct Secular). Here `gap` is
// the relative distance of x from its pole -1/edge, so x = -(1 - gap)/edge. If value[i] is close to
// edge, the result is small; this form computes it without cancellation.
static double secular_divisor(const Secular *secular, double gap, int i) {
    const double ratio = secular->value[i] / secular->edge;
    return (1.0 - ratio) + gap * ratio;
}

static double secular_sum(double log_gap, void *context) {
    const Secular *secular = context;
    const double gap = exp(log_gap);
    double sum = 0.0;
    for (int i = 0; i < secular->kinds; i++) {
        sum += secular->p[i] * secular->value[i] / secular_divisor(secular, gap, i);
    }
    return sum;
}

// Finds the distribution q that is most likely for the sample p, among those under which the mean
// of value[] is 0. Sets ratio[i] to p[i]/q[i]. Returns false unless some values are positive and
// some are negative.
static bool secular_solve(const double *p, const double *value, int kinds, double *ratio) {
    int lowest = 0, highest = 0;
    double mean = 0.0;
    for (int i = 0; i < kinds; i++) {
        if (value[i] < value[lowest]) lowest = i;
        if (value[i] > value[highest]) highest = i;
        mean += p[i] * value[i];
    }
    if (!(value[lowest] < 0.0 && value[highest] > 0.0)) return false;
    // Let S(x) be the sum p[i]*value[i]/(1 + x*value[i]) in the secular equation S(x) = 0. S falls
    // as x grows, and S(0) is `mean`. If `mean` is positive, the root lies between 0 and the
    // positive pole -1/value[lowest], because S falls to minus infinity as x rises to this pole. If
    // `mean` is negative, the root lies between the negative pole -1/value[highest] and 0.
    const int edge = mean > 0.0 ? lowest : highest;
    Secular secular = {.p = p, .value = value, .kinds = kinds, .edge = value[edge]};
    // Find the root between two values of `gap` (see Secular) at which S has different signs. At
    // gap = 1, x is 0, and S has the sign of `mean`. At gap = p[edge]/4, S has the opposite sign,
    // that of value[edge]: the summand i = edge is p[edge]*value[edge]/gap = 4*value[edge], and the
    // summands of the other sign together are at most 4/3 of value[edge] in absolute value.
    double log_gap = 0.0;
    if (mean != 0.0 && !root_find(secular_sum, &secular, log(0.25 * p[edge]), 0.0, &log_gap))
        return false;
    for (int i = 0; i < kinds; i++) ratio[i] = secular_divisor(&secular, exp(log_gap), i);
    return true;
}

bool mle_fit_mean(const Sample *sample, double score, double *ratio) {
    double value[OUTCOMES_MAX];
    for (int i = 0; i < sample->kinds; i++) value[i] = sample_score(sample, i) - score;
    return secular_solve(sample->p, value, sample->kinds, ratio);
}

static void moments(const Sample *sample, const double *q, double *mean, double *variance) {
    *mean = *variance = 0.0;
    for (int i = 0; i < sample->kinds; i++) *mean += q[i] * sample_score(sample, i);
    for (int i = 0; i < sample->kinds; i++) {
        const double off = sample_score(sample, i) - *mean;
        *variance += q[i] * off * off;
    }
}

static double t_value(const Sample *sample, const double *q) {
    double mean, variance;
    moments(sample, q, &mean, &variance);
    return (mean - 0.5) / sqrt(variance);
}

// Moves the distribution q towards the most likely one with (mean - 1/2)/sigma = t. Each step
// linearises this constraint at the current q. Stops when q no longer changes, or after `steps`
// steps. Returns false if a step has no solution.
static bool fit_t_from(const Sample *sample, double t, int steps, double *q, double *ratio) {
    double value[OUTCOMES_MAX];
    for (int step = 0; step < steps; step++) {
        double mean, variance, change = 0.0;
        moments(sample, q, &mean, &variance);
        const double sigma = sqrt(variance);
        for (int i = 0; i < sample->kinds; i++) {
            const double off = (sample_score(sample, i) - mean) / sigma;
            value[i] = sample_score(sample, i) - 0.5 - 0.5 * t * sigma * (1.0 + off * off);
        }
        if (!secular_solve(sample->p, value, sample->kinds, ratio)) return false;
        for (int i = 0; i < sample->kinds; i++) {
            const double next = sample->p[i] / ratio[i];
            change = fmax(change, fabs(next - q[i]));
            q[i] = next;
        }
        if (change < 1e-9) break;
    }
    return true;
}

// Begins like fishtest's MLE_t_value, with at most ten steps from the uniform distribution. If the
// t value is still wrong, makes more steps. If these fail, too, begins again and raises the
// required t value in small increments.
bool mle_fit_t(const Sample *sample, double t, double *ratio) {
    double q[OUTCOMES_MAX];
    for (int i = 0; i < sample->kinds; i++) q[i] = 1.0 / sample->kinds;
    if (fit_t_from(sample, t, MLE_STEPS, q, ratio)) {
        if (fabs(t_value(sample, q) - t) < t_tolerance) return true;
        if (fit_t_from(sample, t, MLE_MORE_STEPS, q, ratio) &&
            fabs(t_value(sample, q) - t) < t_tolerance) {
            return true;
        }
    }
    for (int i = 0; i < sample->kinds; i++) q[i] = 1.0 / sample->kinds;
    for (int leg = 1; leg <= MLE_LEGS; leg++) {
        if (!fit_t_from(sample, t * leg / MLE_LEGS, MLE_MORE_STEPS, q, ratio)) return false;
    }
    return fabs(t_value(sample, q) - t) < t_tolerance;
}

// The model is P(win) = 1/(1 + 10^((drawelo - elo)/400)), P(loss) = 1/(1 + 10^((drawelo +
// elo)/400)). In the code, d = 10^(drawelo/400) and e = 10^(elo/400). The draw Elo is that of the
// sample, d^2 = (1-w)(1-l)/(w l), where w and l are its shares of wins and losses.
void mle_fit_bayes(const Sample *sample, double elo, double *ratio) {
    assert(sample->kinds == GAME_OUTCOMES);
    const double loss = sample->p[0], draw = sample->p[1], win = sample->p[2];
    // d = 10^(drawelo/400), and d^2 - 1 = draw/(loss*win), because (draw+loss)(draw+win) = draw +
    // loss*win. This form avoids cancellation.
    const double d2_less_1 = draw / (loss * win);
    const double d = sqrt(1.0 + d2_less_1), e = pow(10.0, elo / 400.0);
    ratio[0] = loss * (1.0 + e * d);
    // This formula equals `draw` divided by the probability of a draw in the model. The formula is
    // correct even if no game was drawn, when that quotient would be 0/0.
    ratio[1] = loss * win * (e + d) * (1.0 + e * d) / e;
    ratio[2] = win * (e + d) / e;
}

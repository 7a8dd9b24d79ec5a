// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/sprt.h"

#include <math.h>
#include <string.h>

Status sprt_fit(SprtModel model, const Sample *sample, double elo, double *ratio, Err *err) {
    bool good = true;
    switch (model) {
    case SPRT_NORMALIZED:
        good = mle_fit_t(sample, elo * sample_t_per_nelo(sample), ratio);
        break;
    case SPRT_LOGISTIC:
        good = mle_fit_mean(sample, score_from_elo(elo), ratio);
        break;
    case SPRT_BAYESIAN:
        mle_fit_bayes(sample, elo, ratio);
        break;
    }
    if (good) return STATUS_OK;
    return err_set(err, STATUS_NUMERIC,
                   "the computation fails for a strength of %g Elo (%s) with these results: "
                   "give an Elo nearer to 0",
                   elo, model == SPRT_NORMALIZED ? "normalized" : "logistic");
}

Status sprt_sample(const SprtSpec *spec, const MatchCounts *counts, Sample *sample, Err *err) {
    MatchCounts used = *counts;
    if (spec->model == SPRT_BAYESIAN) {
        if (!counts->has_games) {
            return err_set(
                err, STATUS_BAD_INPUT,
                "the bayesian model needs counts of games, L,D,W: counts of pairs do not "
                "contain the number of draws");
        }
        used.has_pairs = false;
    }
    sample_from_counts(&used, sample);
    return STATUS_OK;
}

Status sprt_check(const SprtSpec *spec, Err *err) {
    if (!(fabs(spec->elo0) <= SPRT_ELO_MAX && fabs(spec->elo1) <= SPRT_ELO_MAX)) {
        return err_set(err, STATUS_USAGE, "elo0 %g and elo1 %g must be within +-%g", spec->elo0,
                       spec->elo1, SPRT_ELO_MAX);
    }
    if (!(spec->elo0 < spec->elo1)) {
        return err_set(err, STATUS_USAGE, "elo0 %g must be below elo1 %g", spec->elo0, spec->elo1);
    }
    if (!(spec->alpha > 0.0 && spec->alpha < 0.5 && spec->beta > 0.0 && spec->beta < 0.5)) {
        return err_set(err, STATUS_USAGE, "alpha %g and beta %g must be between 0 and 0.5",
                       spec->alpha, spec->beta);
    }
    return STATUS_OK;
}

Status sprt_read_elos(const char *text, SprtSpec *spec, Err *err) {
    char copy[64];
    const int length = snprintf(copy, sizeof copy, "%s", text);
    char *comma = strchr(copy, ',');
    if (length >= (int)sizeof copy || !comma) {
        return err_set(err, STATUS_USAGE, "'%.60s' does not have the form elo0,elo1", text);
    }
    *comma = '\0';
    TRY(parse_real(copy, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->elo0, "elo0", err));
    TRY(parse_real(comma + 1, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->elo1, "elo1", err));
    return sprt_check(spec, err);
}

Status sprt_read_options(const CommandCall *call, const char *elos, int model, SprtSpec *spec,
                         Err *err) {
    spec->model = (SprtModel)model;
    if (!elos)
        return command_refuse(call, "alpha beta model", "has an effect only with --sprt", err);
    return sprt_read_elos(elos, spec, err) == STATUS_OK ? STATUS_OK : err_usage(err, "sprt");
}

double sprt_lower(const SprtSpec *spec) {
    return log(spec->beta / (1.0 - spec->alpha));
}

double sprt_upper(const SprtSpec *spec) {
    return log((1.0 - spec->beta) / spec->alpha);
}

Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err) {
    Sample sample;
    *report = (SprtReport){0};
    double ratio0[OUTCOMES_MAX], ratio1[OUTCOMES_MAX];
    TRY(sprt_check(spec, err));
    TRY(sprt_sample(spec, counts, &sample, err));
    TRY(sprt_fit(spec->model, &sample, spec->elo0, ratio0, err));
    TRY(sprt_fit(spec->model, &sample, spec->elo1, ratio1, err));
    double llr = 0.0;
    for (int i = 0; i < sample.kinds; i++) llr += sample.p[i] * log(ratio0[i] / ratio1[i]);
    report->llr = llr * sample.size;
    report->lower = sprt_lower(spec);
    report->upper = sprt_upper(spec);
    report->decision = report->llr <= report->lower   ? SPRT_ACCEPT_H0
                       : report->llr >= report->upper ? SPRT_ACCEPT_H1
                                                      : SPRT_CONTINUE;
    return STATUS_OK;
}

const char *sprt_decision_text(SprtDecision decision) {
    static const char *const texts[] = {"continue", "accept_h0", "accept_h1"};
    return texts[decision];
}

const char *sprt_decision_words(SprtDecision decision) {
    return decision == SPRT_CONTINUE ? "not decided" : sprt_decision_text(decision);
}

static void record_known(Record *record, const char *key, bool known, long long value) {
    if (known) {
        record_add(record, "%s %lld", key, value);
    } else {
        record_unknown(record, key);
    }
}

static void record_digits(Record *record, const char *key, bool known, double value) {
    if (known) {
        record_add(record, "%s %.*g", key, REPORT_DIGITS, value);
    } else {
        record_unknown(record, key);
    }
}

void match_report_record(Record *record, const MatchCounts *counts, const SprtReport *sprt) {
    Strength strength;
    strength_of_match(counts, &strength);
    record_add(record, "games %lld", match_counts_games(counts));
    record_known(record, "wins", counts->has_games, counts->wins);
    record_known(record, "losses", counts->has_games, counts->losses);
    record_known(record, "draws", counts->has_games, counts->draws);
    if (counts->has_pairs) {
        record_ints(record, "pentanomial", counts->penta, PAIR_OUTCOMES);
    } else {
        record_unknown(record, "pentanomial");
    }
    // Only a match that was played has counts of both pairs and games. If one player won every game
    // of such a match, the Elo is printed as unknown. For counts typed by the user it is always
    // printed, so that it can be compared with other programs.
    const bool played = counts->has_pairs && counts->has_games;
    const bool known = !played || !match_counts_one_sided(counts);
    record_digits(record, "elo", known, strength.elo);
    record_digits(record, "elo_error95", known, strength.elo_error95);
    record_digits(record, "nelo", known, strength.nelo);
    record_digits(record, "nelo_error95", known, strength.nelo_error95);
    record_digits(record, "los", true, strength.los);
    record_digits(record, "llr", sprt, sprt ? sprt->llr : 0);
    record_digits(record, "lower", sprt, sprt ? sprt->lower : 0);
    record_digits(record, "upper", sprt, sprt ? sprt->upper : 0);
    if (sprt) {
        record_add(record, "decision %s", sprt_decision_text(sprt->decision));
    } else {
        record_unknown(record, "decision");
    }
    record_digits(record, "pair_ratio", strength.pair_ratio >= 0, strength.pair_ratio);
    record_digits(record, "draw_ratio", true, strength.draw_ratio);
}

// ---- strength estimate of a stopped test --------------------------------------------------------

#define STOPPED_ELO_MAX 1000.0

// An SPRT seen as a Brownian motion of the log likelihood ratio (LLR), which starts at 0 and ends
// when it reaches `lower` or `upper`.
typedef struct StoppedTest {
    double variance;       // variance of the score of one sample (pair or game)
    double score0, score1; // mean score of a pair (or game) under H0 and H1
    double lower, upper;
    // Number of samples and LLR when the LLR reached a bound; if it has reached none yet, their
    // current values.
    double time, ratio;
} StoppedTest;

// Computes the drift and the variance per sample of the LLR, if the true mean score is `score` (Van
// den Bergh, "GSPRT approximation").
static void ratio_motion(const StoppedTest *test, double score, double *drift, double *variance) {
    const double width = test->score1 - test->score0;
    *drift = (score - 0.5 * (test->score0 + test->score1)) * width / test->variance;
    *variance = width * width / test->variance;
}

// Returns the probability of a worse outcome than the observed one, if the LLR is a Brownian motion
// with this drift and variance per sample. An outcome is worse if the LLR reaches the lower bound
// before test->time, or if at that time it has reached no bound and is below test->ratio. Sums the
// series solution of the heat equation between two absorbing bounds. The series converges fast
// unless variance*time is small.
static double worse_by_series(const StoppedTest *test, double drift, double variance) {
    const double width = test->upper - test->lower;
    const double start = -test->lower, at = test->ratio - test->lower;
    const double gamma = drift / variance;
    const double decay = 0.5 * variance * (M_PI / width) * (M_PI / width);
    const double decay1 = decay + 0.5 * drift * gamma;
    const double scale = exp(-decay1 * test->time + gamma * (at - start));
    double sum = 0.0;
    for (int n = 1; n < 10000; n++) {
        const double angle = n * M_PI / width;
        const double fade = exp(-decay * ((double)n * n - 1.0) * test->time);
        const double edge = 2.0 / width * (gamma * sin(angle * at) - angle * cos(angle * at)) /
                            (gamma * gamma + angle * angle);
        sum += fade * edge * sin(angle * start);
        if (fabs(scale * fade * edge) <= 1e-9) break;
    }
    double exit_low;
    if (gamma * width > 30.0) {
        exit_low = exp(-2.0 * gamma * start);
    } else if (fabs(gamma * width) < 1e-8) {
        exit_low = (width - start) / width;
    } else {
        exit_low = expm1(2.0 * gamma * (width - start)) / expm1(2.0 * gamma * width);
    }
    return exit_low + scale * sum;
}

// Returns exp(exponent) * Phi(z), where Phi is the normal distribution function. exp() could
// overflow for a large exponent. In all calls, z is then far below 0, so two terms of Phi's
// asymptotic series are accurate. fishtest does the same.
static double reflected(double exponent, double z) {
    if (exponent < 10.0) return exp(exponent) * normal_cdf(z);
    return -exp(exponent - 0.5 * z * z) / sqrt(2.0 * M_PI) * (1.0 / z - 1.0 / (z * z * z));
}

// Like worse_by_series(), but uses Siegmund's approximation, which considers only one reflection of
// the LLR at each bound. The approximation is accurate for a short test or a strong drift.
static double worse_by_reflection(const StoppedTest *test, double drift, double variance) {
    const double spread = sqrt(test->time * variance);
    const double way = drift * test->time;
    const double gamma = drift / variance;
    return normal_cdf((test->ratio - way) / spread) +
           reflected(2.0 * gamma * test->lower, (-test->ratio + way + 2.0 * test->lower) / spread) -
           reflected(2.0 * gamma * test->upper, (test->ratio - way - 2.0 * test->upper) / spread);
}

// Returns the probability of a worse outcome than the observed one if A is stronger than B by
// `elo`.
static double worse_outcome(const StoppedTest *test, double elo) {
    double drift, variance;
    ratio_motion(test, score_from_elo(elo), &drift, &variance);
    const double width = test->upper - test->lower;
    const bool short_or_steep =
        variance * test->time / (width * width) < 1e-2 || fabs(drift / variance * width) > 15.0;
    return short_or_steep ? worse_by_reflection(test, drift, variance)
                          : worse_by_series(test, drift, variance);
}

typedef struct WorseEquation {
    const StoppedTest *test;
    double probability;
} WorseEquation;

static double worse_less_probability(double elo, void *context) {
    const WorseEquation *equation = context;
    return worse_outcome(equation->test, elo) - equation->probability;
}

// Returns the Elo of A for which a worse outcome than the observed one has the given probability.
// The probability of a worse outcome falls as the Elo grows.
static double elo_of_worse(const StoppedTest *test, const SprtSpec *spec, double probability) {
    WorseEquation equation = {.test = test, .probability = probability};
    const double middle = 0.5 * (spec->elo0 + spec->elo1);
    for (double reach = 30.0 * (spec->elo1 - spec->elo0);; reach *= 2.0) {
        const double low = fmax(middle - reach, -STOPPED_ELO_MAX);
        const double high = fmin(middle + reach, STOPPED_ELO_MAX);
        double elo;
        if (root_find(worse_less_probability, &equation, low, high, &elo)) {
            // The solver returns a root of 0 with a rounding error. Round it to 0.
            return fabs(elo) < 1e-9 ? 0.0 : elo;
        }
        if (low <= -STOPPED_ELO_MAX && high >= STOPPED_ELO_MAX) {
            return worse_less_probability(low, &equation) > 0.0 ? STOPPED_ELO_MAX
                                                                : -STOPPED_ELO_MAX;
        }
    }
}

double sprt_hypothesis_score(const SprtSpec *spec, const Sample *sample, double elo) {
    if (spec->model == SPRT_NORMALIZED) {
        const int games = sample->kinds == PAIR_OUTCOMES ? 2 : 1;
        return 0.5 + elo / NELO_PER_SIGMA * sqrt(games * sample->variance);
    }
    if (spec->model == SPRT_BAYESIAN) {
        double ratio[OUTCOMES_MAX];
        mle_fit_bayes(sample, elo, ratio);
        const double score = sample->p[2] / ratio[2] + 0.5 * sample->p[1] / ratio[1];
        return score_from_elo(elo_from_score(score));
    }
    return score_from_elo(elo);
}

Status stopped_elo_from_counts(const SprtSpec *spec, const MatchCounts *counts, StoppedElo *stopped,
                               Err *err) {
    Sample sample;
    TRY(sprt_check(spec, err));
    TRY(sprt_sample(spec, counts, &sample, err));
    StoppedTest test = {
        .variance = sample.variance,
        .score0 = sprt_hypothesis_score(spec, &sample, spec->elo0),
        .score1 = sprt_hypothesis_score(spec, &sample, spec->elo1),
        .lower = sprt_lower(spec),
        .upper = sprt_upper(spec),
        .time = sample.size,
    };
    double drift, variance;
    ratio_motion(&test, sample.mean, &drift, &variance);
    // If the games continued after the test had reached a bound, the test counts as stopped at the
    // bound.
    test.ratio = fmin(fmax(drift * sample.size, test.lower), test.upper);
    if (test.ratio == test.lower || test.ratio == test.upper) test.time = test.ratio / drift;
    *stopped = (StoppedElo){
        .elo_median = elo_of_worse(&test, spec, 0.5),
        .ci_low = elo_of_worse(&test, spec, 0.975),
        .ci_high = elo_of_worse(&test, spec, 0.025),
        .los = worse_outcome(&test, 0.0),
    };
    return STATUS_OK;
}

void sprt_exit_time(double drift, double variance, double down, double up, double *mean,
                    double *sd) {
    const double width = down + up, rate = 2 * drift / variance;
    // For a drift near 0 use the formulas of a Brownian motion without drift. The general formulas
    // would lose all digits by cancellation.
    if (fabs(rate * width) < 1e-3) {
        *mean = down * up / variance;
        *sd = sqrt(down * up * (down * down + up * up) / 3) / variance;
        return;
    }
    if (drift < 0) {
        sprt_exit_time(-drift, variance, up, down, mean, sd);
        return;
    }
    // `high` is the probability that the Brownian motion ends at the upper bound. The mean time
    // until it ends follows from `high` by Wald's identity.
    const double scale = -expm1(-rate * width), high = -expm1(-rate * down) / scale;
    *mean = (high * width - down) / drift;
    // Let a motion start at distance x above the lower bound, and let m(x) be the mean of the time
    // until it reaches a bound, and s(x) the mean of the squared time. Then m and s satisfy
    //     variance/2 m'' + drift m' = -1,  variance/2 s'' + drift s' = -2 m,
    // and are 0 at both bounds, x = 0 and x = width. The motion ends at the upper bound with the
    // probability high(x) = (1 - exp(-rate x)) / scale, where rate = 2 drift / variance and
    // scale = 1 - exp(-rate width). Then m(x) = (width high(x) - x) / drift and
    // s(x) = p(x) - high(x) p(width), where p is a solution of the second equation with p(0) = 0,
    // computed below in `particular`.
    const double at[] = {down, width};
    double particular[2];
    for (int i = 0; i < 2; i++) {
        const double x = at[i];
        particular[i] =
            (x * x - variance * x / drift - 2 * width * x * (1 + exp(-rate * x)) / scale) /
            (drift * drift);
    }
    const double square = particular[0] - high * particular[1];
    *sd = sqrt(fmax(0, square - *mean * *mean));
}

double sprt_expected_more(const SprtSpec *spec, const MatchCounts *counts, double *sd) {
    Sample sample;
    SprtReport report;
    if (sd) *sd = 0;
    if (sprt_sample(spec, counts, &sample, NULL) != STATUS_OK ||
        sprt_report(spec, counts, &report, NULL) != STATUS_OK || report.decision != SPRT_CONTINUE) {
        return 0;
    }
    // The plain variance of a few pairs with equal results is far too small, so use the variance of
    // sample_for_interval() instead.
    MatchCounts used = *counts;
    if (spec->model == SPRT_BAYESIAN) used.has_pairs = false;
    sample_for_interval(&used, &sample);
    const StoppedTest test = {.variance = sample.variance,
                              .score0 = sprt_hypothesis_score(spec, &sample, spec->elo0),
                              .score1 = sprt_hypothesis_score(spec, &sample, spec->elo1)};
    double drift, variance;
    ratio_motion(&test, sample.mean, &drift, &variance);
    double samples, deviation;
    sprt_exit_time(drift, variance, report.llr - report.lower, report.upper - report.llr, &samples,
                   &deviation);
    const double unit = counts->has_pairs && !used.has_pairs ? 0.5 : 1;
    if (sd) *sd = unit * deviation;
    return unit * samples;
}

void stopped_elo_record(Record *record, const StoppedElo *stopped) {
    record_add(record, "elo_median %.*g ci_low %.*g ci_high %.*g los_stopped %.*g", REPORT_DIGITS,
               stopped->elo_median, REPORT_DIGITS, stopped->ci_low, REPORT_DIGITS, stopped->ci_high,
               REPORT_DIGITS, stopped->los);
}

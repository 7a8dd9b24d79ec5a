// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/sprt.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { ROOT_STEPS = 200, MLE_STEPS = 10, REPORT_DIGITS = 12 };

// A distribution q that is nearest in likelihood to a sample p under the linear constraint
// sum q[i]*value[i] = 0 is q[i] = p[i]/(1 + x*value[i]), with x the root of the secular equation
// sum p[i]*value[i]/(1 + x*value[i]) = 0 (Van den Bergh, "MLE for multinomial distributions",
// proposition 1.1). x lies between the poles -1/max and -1/min. It may come so near to one of them
// that only the distance is a sensible unknown: `gap` is that distance, in units of the pole.
typedef struct Secular {
    const double *p, *value;
    int kinds;
    double edge; // the value whose pole bounds x on the side of the root
} Secular;

// 1 + x*value[i] where x = -(1 - gap)/edge. Exact near the pole, where value[i] = edge.
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

// The root of function in [low, high], to the last digits. False when there is no sign change.
static bool find_root(double (*function)(double, void *), void *context, double low, double high,
                      double *root) {
    gsl_function f = {.function = function, .params = context};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver) return false;
    bool found = gsl_root_fsolver_set(solver, &f, low, high) == GSL_SUCCESS;
    for (int i = 0; found && i < ROOT_STEPS; i++) {
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) break;
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 1e-15,
                                   4 * DBL_EPSILON) == GSL_SUCCESS) {
            break;
        }
    }
    if (found) *root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return found;
}

// divisor[i] = p[i]/q[i] of the most likely q with mean value 0. False when all values have one
// sign.
static bool secular_solve(const double *p, const double *value, int kinds, double *divisor) {
    int lowest = 0, highest = 0;
    double mean = 0.0;
    for (int i = 0; i < kinds; i++) {
        if (value[i] < value[lowest]) lowest = i;
        if (value[i] > value[highest]) highest = i;
        mean += p[i] * value[i];
    }
    if (!(value[lowest] < 0.0 && value[highest] > 0.0)) return false;
    // The sum falls with x and is the mean at x = 0: a positive mean puts the root before the pole
    // of the lowest value.
    const int edge = mean > 0.0 ? lowest : highest;
    Secular secular = {.p = p, .value = value, .kinds = kinds, .edge = value[edge]};
    // At gap p/2 the edge's own term outweighs the rest; at gap 1, x is 0.
    double log_gap = 0.0;
    if (mean != 0.0 && !find_root(secular_sum, &secular, log(0.25 * p[edge]), 0.0, &log_gap))
        return false;
    for (int i = 0; i < kinds; i++) divisor[i] = secular_divisor(&secular, exp(log_gap), i);
    return true;
}

// The most likely distribution with the given mean score.
static bool fit_mean(const Sample *sample, double score, double *divisor) {
    double value[OUTCOMES_MAX];
    for (int i = 0; i < sample->kinds; i++) value[i] = sample_score(sample, i) - score;
    return secular_solve(sample->p, value, sample->kinds, divisor);
}

static void moments(const Sample *sample, const double *q, double *mean, double *variance) {
    *mean = *variance = 0.0;
    for (int i = 0; i < sample->kinds; i++) *mean += q[i] * sample_score(sample, i);
    for (int i = 0; i < sample->kinds; i++) {
        const double off = sample_score(sample, i) - *mean;
        *variance += q[i] * off * off;
    }
}

// The most likely distribution with (mean - 1/2)/sigma = t: the constraint is linearised at the
// last distribution, starting from the uniform one, at most ten times (fishtest's MLE_t_value).
static bool fit_t(const Sample *sample, double t, double *divisor) {
    double q[OUTCOMES_MAX], value[OUTCOMES_MAX];
    for (int i = 0; i < sample->kinds; i++) q[i] = 1.0 / sample->kinds;
    for (int step = 0; step < MLE_STEPS; step++) {
        double mean, variance, change = 0.0;
        moments(sample, q, &mean, &variance);
        const double sigma = sqrt(variance);
        for (int i = 0; i < sample->kinds; i++) {
            const double off = (sample_score(sample, i) - mean) / sigma;
            value[i] = sample_score(sample, i) - 0.5 - 0.5 * t * sigma * (1.0 + off * off);
        }
        if (!secular_solve(sample->p, value, sample->kinds, divisor)) return false;
        for (int i = 0; i < sample->kinds; i++) {
            const double next = sample->p[i] / divisor[i];
            change = fmax(change, fabs(next - q[i]));
            q[i] = next;
        }
        if (change < 1e-9) break;
    }
    return true;
}

static Status llr_normalized(const SprtSpec *spec, const Sample *sample, double *llr, Err *err) {
    const double t_per_nelo = (sample->kinds == PAIR_OUTCOMES ? M_SQRT2 : 1.0) / NELO_PER_SIGMA;
    double divisor0[OUTCOMES_MAX], divisor1[OUTCOMES_MAX];
    for (int side = 0; side < 2; side++) {
        const double elo = side ? spec->elo1 : spec->elo0;
        if (!fit_t(sample, elo * t_per_nelo, side ? divisor1 : divisor0)) {
            return err_set(err, STATUS_NUMERIC,
                           "no distribution near this sample has the normalized Elo %g", elo);
        }
    }
    *llr = 0.0;
    for (int i = 0; i < sample->kinds; i++) *llr += sample->p[i] * log(divisor0[i] / divisor1[i]);
    *llr *= sample->size;
    return STATUS_OK;
}

static Status llr_logistic(const SprtSpec *spec, const Sample *sample, double *llr, Err *err) {
    double divisor0[OUTCOMES_MAX], divisor1[OUTCOMES_MAX];
    if (!fit_mean(sample, score_from_elo(spec->elo0), divisor0) ||
        !fit_mean(sample, score_from_elo(spec->elo1), divisor1)) {
        return err_set(err, STATUS_NUMERIC, "no distribution has the Elo %g or %g", spec->elo0,
                       spec->elo1);
    }
    *llr = 0.0;
    for (int i = 0; i < sample->kinds; i++) *llr += sample->p[i] * log(divisor0[i] / divisor1[i]);
    *llr *= sample->size;
    return STATUS_OK;
}

Status sprt_sample(const SprtSpec *spec, const MatchCounts *counts, Sample *sample, Err *err) {
    MatchCounts used = *counts;
    if (spec->model == SPRT_BAYESIAN) {
        if (!counts->has_games) {
            return err_set(err, STATUS_BAD_INPUT,
                           "the bayesian model wants the games L,D,W: five counts of pairs do not "
                           "tell the draws");
        }
        used.has_pairs = false;
    }
    sample_from_counts(&used, sample);
    return STATUS_OK;
}

// P(win) = 1/(1 + 10^((drawelo - elo)/400)), P(loss) = 1/(1 + 10^((drawelo + elo)/400)). Here d =
// 10^(drawelo/400) and e = 10^(elo/400). The sample's draw Elo has d^2 = (1-w)(1-l)/(w l).
BayesOutcome sprt_bayes_outcome(const Sample *sample, double elo) {
    const double loss = sample->p[0], draw = sample->p[1], win = sample->p[2];
    // d^2 - 1 = draw/(loss*win), because (draw+loss)(draw+win) = draw + loss*win: nothing cancels.
    const double d2_less_1 = draw / (loss * win);
    const double d = sqrt(1.0 + d2_less_1), e = pow(10.0, elo / 400.0);
    return (BayesOutcome){
        .loss = 1.0 / (1.0 + e * d),
        .draw = d2_less_1 * e / ((e + d) * (1.0 + e * d)),
        .win = e / (e + d),
    };
}

static double llr_bayesian(const SprtSpec *spec, const Sample *sample) {
    const BayesOutcome p0 = sprt_bayes_outcome(sample, spec->elo0);
    const BayesOutcome p1 = sprt_bayes_outcome(sample, spec->elo1);
    return sample->size *
           (sample->p[0] * log(p1.loss / p0.loss) + sample->p[1] * log(p1.draw / p0.draw) +
            sample->p[2] * log(p1.win / p0.win));
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

Status sprt_llr(const SprtSpec *spec, const MatchCounts *counts, double *llr, Err *err) {
    Status status = sprt_check(spec, err);
    if (status != STATUS_OK) return status;
    Sample sample;
    status = sprt_sample(spec, counts, &sample, err);
    if (status != STATUS_OK) return status;
    switch (spec->model) {
    case SPRT_NORMALIZED:
        return llr_normalized(spec, &sample, llr, err);
    case SPRT_LOGISTIC:
        return llr_logistic(spec, &sample, llr, err);
    case SPRT_BAYESIAN:
        *llr = llr_bayesian(spec, &sample);
        break;
    }
    return STATUS_OK;
}

Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err) {
    *report = (SprtReport){0};
    const Status status = sprt_llr(spec, counts, &report->llr, err);
    if (status != STATUS_OK) return status;
    report->lower = log(spec->beta / (1.0 - spec->alpha));
    report->upper = log((1.0 - spec->beta) / spec->alpha);
    report->decision = report->llr <= report->lower   ? SPRT_ACCEPT_H0
                       : report->llr >= report->upper ? SPRT_ACCEPT_H1
                                                      : SPRT_CONTINUE;
    return STATUS_OK;
}

const char *sprt_decision_text(SprtDecision decision) {
    switch (decision) {
    case SPRT_ACCEPT_H0:
        return "accept_h0";
    case SPRT_ACCEPT_H1:
        return "accept_h1";
    case SPRT_CONTINUE:
        break;
    }
    return "continue";
}

static void record_known(Record *record, const char *key, bool known, long long value) {
    if (known) {
        record_int(record, key, value);
    } else {
        record_unknown(record, key);
    }
}

void match_report_record(Record *record, const MatchCounts *counts, const SprtReport *sprt) {
    Strength strength;
    strength_from_counts(counts, &strength);
    record_int(record, "games", match_counts_games(counts));
    record_known(record, "wins", counts->has_games, counts->wins);
    record_known(record, "losses", counts->has_games, counts->losses);
    record_known(record, "draws", counts->has_games, counts->draws);
    if (counts->has_pairs) {
        record_ints(record, "pentanomial", counts->penta, PAIR_OUTCOMES);
    } else {
        record_unknown(record, "pentanomial");
    }
    record_digits(record, "elo", strength.elo, REPORT_DIGITS);
    record_digits(record, "elo_error95", strength.elo_error95, REPORT_DIGITS);
    record_digits(record, "nelo", strength.nelo, REPORT_DIGITS);
    record_digits(record, "nelo_error95", strength.nelo_error95, REPORT_DIGITS);
    record_digits(record, "los", strength.los, REPORT_DIGITS);
    if (sprt) {
        record_digits(record, "llr", sprt->llr, REPORT_DIGITS);
        record_digits(record, "lower", sprt->lower, REPORT_DIGITS);
        record_digits(record, "upper", sprt->upper, REPORT_DIGITS);
        record_text(record, "decision", sprt_decision_text(sprt->decision));
    }
    if (counts->has_pairs) {
        record_digits(record, "pair_ratio", strength.pair_ratio, REPORT_DIGITS);
    } else {
        record_unknown(record, "pair_ratio");
    }
    record_digits(record, "draw_ratio", strength.draw_ratio, REPORT_DIGITS);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/sprt.h"

#include <math.h>

#include "selfplay/stats/mle.h"

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
                   "no distribution of results near this sample has %s Elo %g: take a smaller one",
                   model == SPRT_NORMALIZED ? "normalized" : "logistic", elo);
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

double sprt_lower(const SprtSpec *spec) {
    return log(spec->beta / (1.0 - spec->alpha));
}

double sprt_upper(const SprtSpec *spec) {
    return log((1.0 - spec->beta) / spec->alpha);
}

Status sprt_llr(const SprtSpec *spec, const MatchCounts *counts, double *llr, Err *err) {
    Status status = sprt_check(spec, err);
    if (status != STATUS_OK) return status;
    Sample sample;
    status = sprt_sample(spec, counts, &sample, err);
    if (status != STATUS_OK) return status;
    double ratio0[OUTCOMES_MAX], ratio1[OUTCOMES_MAX];
    status = sprt_fit(spec->model, &sample, spec->elo0, ratio0, err);
    if (status == STATUS_OK) status = sprt_fit(spec->model, &sample, spec->elo1, ratio1, err);
    if (status != STATUS_OK) return status;
    *llr = 0.0;
    for (int i = 0; i < sample.kinds; i++) *llr += sample.p[i] * log(ratio0[i] / ratio1[i]);
    *llr *= sample.size;
    return STATUS_OK;
}

Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err) {
    *report = (SprtReport){0};
    const Status status = sprt_llr(spec, counts, &report->llr, err);
    if (status != STATUS_OK) return status;
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
    } else {
        static const char *const keys[] = {"llr", "lower", "upper", "decision"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) record_unknown(record, keys[i]);
    }
    if (counts->has_pairs) {
        record_digits(record, "pair_ratio", strength.pair_ratio, REPORT_DIGITS);
    } else {
        record_unknown(record, "pair_ratio");
    }
    record_digits(record, "draw_ratio", strength.draw_ratio, REPORT_DIGITS);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/strength_verdict.h"

#include <math.h>

// Returns the margin of the verdict "level within +-X", converted into a difference of the mean
// score from 1/2.
static double margin_score(const StrengthVerdict *verdict, const SprtSpec *sprt,
                           const MatchCounts *counts) {
    Sample sample;
    if (!sprt) return score_from_elo(verdict->margin) - 0.5;
    MatchCounts used = *counts;
    if (sprt->model == SPRT_BAYESIAN) used.has_pairs = false;
    sample_for_interval(&used, &sample);
    return sprt_hypothesis_score(sprt, &sample, verdict->margin) - 0.5;
}

// Returns the factor by which the number of pairs or games must grow for a verdict by the 95 %
// interval of the mean score. Assumes that the middle of the interval does not move. The verdict is
// "stronger" or "weaker" if the whole interval lies on one side of 1/2, and "level" if it lies
// within 1/2 +- `margin`.
static double size_to_decide(const StrengthVerdict *verdict, double margin) {
    const double low = score_from_elo(verdict->ci_low), high = score_from_elo(verdict->ci_high);
    const double half = 0.5 * (high - low), off = fabs(0.5 * (low + high) - 0.5);
    const double by_sign = off > 0 ? half / off : INFINITY;
    const double by_margin = off < margin ? half / (margin - off) : INFINITY;
    const double shrink = fmin(by_sign, by_margin);
    return shrink * shrink;
}

static StrengthWord choose_word(const StrengthVerdict *verdict, const SprtSpec *sprt,
                                SprtDecision decision, double margin_elo) {
    if (decision == SPRT_ACCEPT_H1 && sprt->elo0 >= 0) return STRENGTH_STRONGER;
    if (decision == SPRT_ACCEPT_H0 && sprt->elo1 <= 0) return STRENGTH_WEAKER;
    if (verdict->ci_low > 0) return STRENGTH_STRONGER;
    if (verdict->ci_high < 0) return STRENGTH_WEAKER;
    const bool inside = verdict->ci_low >= -margin_elo && verdict->ci_high <= margin_elo;
    return inside ? STRENGTH_LEVEL : STRENGTH_UNDECIDED;
}

// Replaces estimate and interval by the ones that take the stopping rule of the SPRT into account.
// If there are few pairs, widens the new interval until it includes the old one, which is valid for
// few pairs. Does nothing if one player won every game.
static void take_stop_into_account(StrengthVerdict *verdict, const MatchCounts *counts,
                                   const SprtSpec *sprt) {
    StoppedElo stopped;
    if (verdict->one_sided || stopped_elo_from_counts(sprt, counts, &stopped, NULL) != STATUS_OK) {
        return;
    }
    verdict->stopped = true;
    verdict->elo = stopped.elo_median;
    const bool few = verdict->few_pairs;
    verdict->ci_low = few ? fmin(verdict->ci_low, stopped.ci_low) : stopped.ci_low;
    verdict->ci_high = few ? fmax(verdict->ci_high, stopped.ci_high) : stopped.ci_high;
}

void strength_verdict(const MatchCounts *counts, const SprtSpec *sprt, bool stops,
                      StrengthVerdict *verdict) {
    Strength strength;
    Sample wide;
    SprtReport report = {.decision = SPRT_CONTINUE};
    if (sprt && sprt_report(sprt, counts, &report, NULL) != STATUS_OK) sprt = NULL;
    strength_of_match(counts, &strength);
    sample_for_interval(counts, &wide);
    const double half = Z95 * sqrt(wide.variance / wide.size);
    *verdict = (StrengthVerdict){
        .elo = strength.elo,
        .ci_low = elo_from_score(wide.mean - half),
        .ci_high = elo_from_score(wide.mean + half),
        .one_sided = match_counts_one_sided(counts),
        .few_pairs = match_counts_few(counts),
        .margin = sprt && sprt->elo1 > 0 ? sprt->elo1 : LEVEL_MARGIN_ELO,
        .margin_normalized = sprt && sprt->model == SPRT_NORMALIZED,
        .has_pairs = counts->has_pairs,
    };
    if (sprt && stops) take_stop_into_account(verdict, counts, sprt);
    const double margin = margin_score(verdict, sprt, counts);
    verdict->word = choose_word(verdict, sprt, report.decision, elo_from_score(0.5 + margin));
    if (verdict->word != STRENGTH_UNDECIDED) return;
    verdict->more = sprt && report.decision == SPRT_CONTINUE
                        ? sprt_expected_more(sprt, counts, NULL)
                        : wide.size * (size_to_decide(verdict, margin) - 1);
    verdict->more = fmax(1, ceil(verdict->more));
}

void strength_word_add(Text *text, const StrengthVerdict *verdict) {
    static const char *const words[] = {"not decided", "stronger", "weaker", "level within"};
    text_add(text, "%s", words[verdict->word]);
    if (verdict->word == STRENGTH_LEVEL) {
        text_add(text, " +-%g%s Elo", verdict->margin,
                 verdict->margin_normalized ? " normalized" : "");
    }
}

// Rounds to a whole number of Elo. Never returns -0, which would be printed as "-0".
static double whole(double elo) {
    return round(elo) + 0.0;
}

// Bounds of an interval at or beyond this Elo are not shown, because they usually come from the
// limits of elo_from_score() and stopped_elo_from_counts().
static const double elo_shown_max = 1000;

// Appends a bound of an interval in whole Elo. A bound that would be rounded to 0 is printed with
// one significant digit, because its sign tells whether the interval contains 0.
static void add_bound(Text *text, double elo) {
    const bool small = whole(elo) == 0 && fabs(elo) >= 0.001;
    text_add(text, small ? "%.1g" : "%.0f", small ? elo : whole(elo));
}

void strength_bounds_add(Text *text, double low, double high) {
    const bool open_low = whole(low) <= -elo_shown_max, open_high = whole(high) >= elo_shown_max;
    if (!open_low && !open_high) {
        text_add(text, ", ");
        add_bound(text, low);
        text_add(text, " to ");
        add_bound(text, high);
    } else if (!open_low) {
        text_add(text, ", at least ");
        add_bound(text, low);
    } else if (!open_high) {
        text_add(text, ", at most ");
        add_bound(text, high);
    }
}

void strength_interval_add(Text *text, const StrengthVerdict *verdict) {
    if (verdict->one_sided) {
        text_add(text, "%s every game", verdict->elo > 0 ? "won" : "lost");
    } else {
        text_add(text, "%+.0f Elo", whole(verdict->elo));
    }
    const size_t before = text->length;
    strength_bounds_add(text, verdict->ci_low, verdict->ci_high);
    if (verdict->one_sided && text->length > before) text_add(text, " Elo");
}

bool strength_open_above(const StrengthVerdict *verdict) {
    return whole(verdict->ci_high) >= elo_shown_max;
}

// Rounds an estimated number up to two significant digits.
static double two_digits(double count) {
    const double unit = pow(10, fmax(0, floor(log10(count)) - 1));
    return ceil(count / unit) * unit;
}

// Returns true if the verdict is "stronger" or "weaker" only by the SPRT: the 95 % interval
// contains 0. Such a verdict is possible because the errors of the SPRT are one-sided.
static bool sprt_alone(const StrengthVerdict *verdict) {
    return (verdict->word == STRENGTH_STRONGER && verdict->ci_low <= 0) ||
           (verdict->word == STRENGTH_WEAKER && verdict->ci_high >= 0);
}

void strength_remark_add(Text *text, const StrengthVerdict *verdict) {
    if (!sprt_alone(verdict)) return;
    text_add(text, ", the interval contains 0, but the SPRT has found a winner");
}

void strength_more_add(Text *text, const StrengthVerdict *verdict) {
    if (verdict->word != STRENGTH_UNDECIDED) return;
    const double more = two_digits(verdict->more);
    text_add(text, "about %.0f more %s%s would decide if the score stays as it is", more,
             verdict->has_pairs ? "pair" : "game", more == 1 ? "" : "s");
}

void strength_verdict_record(Record *record, const StrengthVerdict *verdict, bool interval) {
    AUTO(Text) words = {0};
    const char *const more = verdict->has_pairs ? "more_pairs" : "more_games";
    strength_word_add(&words, verdict);
    record_add(record, "strength %s", words.data);
    if (verdict->more > 0) {
        record_add(record, "%s %.0f", more, verdict->more);
    } else {
        record_unknown(record, more);
    }
    if (interval) {
        record_add(record, "ci_low %.*g ci_high %.*g", REPORT_DIGITS, verdict->ci_low,
                   REPORT_DIGITS, verdict->ci_high);
    }
}

// Difference of the mean score from 1/2, in standard errors, that a two-sided test at 5 % detects
// with 80 % power. It is the sum of the 97.5 % and 80 % quantiles of the normal distribution.
static const double detected_errors = Z95 + 0.841621233572914;

void strength_power(const MatchCounts *counts, double cpu_s_per_game, StrengthPower *power) {
    Sample sample;
    sample_for_interval(counts, &sample);
    const double detected = detected_errors * sqrt(sample.variance);
    const double small = detected / (score_from_elo(SMALL_ELO) - 0.5);
    power->seen_elo = elo_from_score(0.5 + detected / sqrt(sample.size));
    power->small_games = ceil(small * small) * (counts->has_pairs ? 2 : 1);
    power->small_cpu_s = power->small_games * cpu_s_per_game;
}

void strength_power_add(Text *text, const StrengthPower *power) {
    const bool open = power->seen_elo >= elo_shown_max;
    text_add(text,
             open ? "this number of games can detect only differences above %.0f Elo"
                  : "this number of games can detect differences of at least %.0f Elo",
             open ? elo_shown_max : ceil(power->seen_elo));
    text_add(text, "; %d Elo would need about %.0f games", SMALL_ELO,
             two_digits(power->small_games));
    const bool hours = power->small_cpu_s >= 3600;
    const double time = power->small_cpu_s / (hours ? 3600 : 60);
    if (power->small_cpu_s > 0) {
        text_add(text,
                 time < 10 ? " and %.2g CPU %s on this machine"
                           : " and %.0f CPU %s on this machine",
                 time, hours ? "hours" : "minutes");
    }
    text_add(text, " (80 %% power)");
}

void strength_power_record(Record *record, const StrengthPower *power) {
    if (!power) {
        record_unknown(record, "seen_elo");
        record_unknown(record, "games_for_5_elo");
        return;
    }
    record_add(record, "seen_elo %.1f games_for_5_elo %.0f", power->seen_elo, power->small_games);
    if (power->small_cpu_s > 0)
        record_add(record, "seconds_cpu_for_5_elo %.0f", power->small_cpu_s);
}

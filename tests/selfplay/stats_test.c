// SPDX-License-Identifier: GPL-3.0-or-later
// Compares match statistics with results of fishtest and of other programs that use the same
// formulas. tests/cli/sprt.py tests extreme counts and input that must be refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "selfplay/stats/sprt.h"
#include "tests/test.h"

// Indices of the six expected numbers in a row of tests/data/sprt.tsv. A number is NAN if the
// source program does not print it.
enum { ELO, ELO_ERROR, NELO, NELO_ERROR, LOS, LLR, VALUES };

// Computes the numbers that fishtest prints, by the same formulas. Like fishtest, replaces zero
// counts by 1e-3.
static void print_values(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    Strength strength;
    SprtReport report;
    Err err = {0};
    strength_from_counts(counts, &strength);
    values[ELO] = strength.elo;
    values[ELO_ERROR] = strength.elo_error95;
    values[NELO] = strength.nelo;
    values[NELO_ERROR] = strength.nelo_error95;
    values[LOS] = strength.los;
    values[LLR] = sprt_report(spec, counts, &report, &err) == STATUS_OK ? report.llr : NAN;
}

// The programs from which the known answers come. Their formula of the LLR (log-likelihood ratio)
// equals ours. The tolerance is relative to max(1, |LLR|). Only the rows of fishtest also have
// expected values of the other five numbers: Elo, normalized Elo, the errors of both, and LOS.
static const struct Source {
    const char *name, *model;
    double llr_tolerance;
} sources[] = {
    {"fishtest", "normalized", 1e-6},
    {"fishtest", "logistic", 1e-6},
    {"fishtest", "bayesian", 1e-6},
    {"openbench", "normalized", 1e-6},
    // For the LLR, fastchess solves an equation numerically, to an accuracy of 1e-3.
    {"fastchess", "normalized", 5e-6},
    {"fastchess", "logistic", 2.5e-3},
};
enum { SOURCE_COUNT = sizeof sources / sizeof *sources };

static SprtModel model_of(const char *text) {
    if (strncmp(text, "bayes", 5) == 0) return SPRT_BAYESIAN;
    return strncmp(text, "logistic", 8) == 0 ? SPRT_LOGISTIC : SPRT_NORMALIZED;
}

// Checks a row of known answers: source program, SPRT model, number of outcomes, elo0, elo1,
// counts, and the six expected numbers (ELO to LLR).
static void known_row(TestContext *t, char *const *fields) {
    int k = 0;
    while (k < SOURCE_COUNT &&
           (strcmp(fields[0], sources[k].name) || strcmp(fields[1], sources[k].model)))
        k++;
    if (!CHECK_MSG(k < SOURCE_COUNT, "no source is called %s %s", fields[0], fields[1])) return;
    const SprtSpec spec = {model_of(fields[1]), atof(fields[3]), atof(fields[4]), 0.05, 0.05};
    MatchCounts counts;
    Err err = {0};
    if (!CHECK_OK(match_counts_parse(fields[5], &counts, &err), err)) return;
    double values[VALUES];
    print_values(&spec, &counts, values);
    for (int i = strcmp(fields[0], "fishtest") == 0 ? 0 : LLR; i < VALUES; i++) {
        const double answer = atof(fields[6 + i]);
        if (isfinite(answer))
            CHECK_NEAR(values[i], answer, i == LLR ? sources[k].llr_tolerance : 1e-6);
    }
}

void test_sprt_known_answers(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "sprt.tsv", 1, 6 + VALUES, known_row), 282);
}

// Checks the report of an SPRT that has stopped. A row has model, elo0, elo1, counts, the two
// bounds, the median Elo, its confidence interval (two numbers), LOS and LLR.
static void stopped_row(TestContext *t, char *const *fields) {
    const SprtSpec spec = {model_of(fields[0]), atof(fields[1]), atof(fields[2]), 0.05, 0.05};
    MatchCounts counts;
    SprtReport report;
    StoppedElo stopped;
    Err err = {0};
    if (!CHECK_OK(match_counts_parse(fields[3], &counts, &err), err) ||
        !CHECK_OK(sprt_report(&spec, &counts, &report, &err), err) ||
        !CHECK_OK(stopped_elo_from_counts(&spec, &counts, &stopped, &err), err))
        return;
    const double values[] = {report.lower,    report.upper, stopped.elo_median, stopped.ci_low,
                             stopped.ci_high, stopped.los,  report.llr};
    for (int i = 0; i < 7; i++) CHECK_NEAR(values[i], atof(fields[4 + i]), 1e-6);
}

void test_sprt_stopped_elo(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "sprt_stopped_elo.tsv", 1, 11, stopped_row), 36);
}

// Tests sprt_exit_time() with simulated random walks of small steps. The mean and the standard
// deviation of the times at which the walks leave the interval must be the computed ones, for
// drifts of either sign and 0.
void test_sprt_exit_time(TestContext *t) {
    enum { WALKS = 4000 };
    static const double cases[][3] = {
        {0.004, 2, 2}, {-0.004, 3, 1}, {0.0, 1, 2}, {1e-7, 1, 2}, {0.05, 2, 3}};
    Random random;
    random_init(&random, 11, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double drift = cases[i][0], down = cases[i][1], up = cases[i][2];
        const double step = 0.08, high = 0.5 * (1 + drift / step);
        double sum = 0, squares = 0, mean, sd;
        for (int k = 0; k < WALKS; k++) {
            double x = 0, time = 0;
            for (; x > -down + step / 2 && x < up - step / 2; time++) {
                x += random_real(&random) < high ? step : -step;
            }
            sum += time;
            squares += time * time;
        }
        sprt_exit_time(drift, step * step - drift * drift, down, up, &mean, &sd);
        const double got = sum / WALKS, spread = sqrt(squares / WALKS - got * got);
        CHECK_MSG(fabs(mean / got - 1) < 0.06,
                  "case %zu: the computed mean is %.1f, that of "
                  "the walks %.1f",
                  i, mean, got);
        CHECK_MSG(fabs(sd / spread - 1) < 0.06,
                  "case %zu: the computed sd is %.1f, that of "
                  "the walks %.1f",
                  i, sd, spread);
    }
}

// Checks properties of match statistics. Exchanging the players A and B negates the Elo, and with
// mirrored hypotheses also the LLR. Ten times the results have ten times the LLR. A match that is
// added pair by pair has the right counts.
void test_sprt_properties(TestContext *t) {
    const MatchCounts counts = {.has_pairs = true, .penta = {12, 80, 200, 110, 20}};
    const MatchCounts swapped = {.has_pairs = true, .penta = {20, 110, 200, 80, 12}};
    const MatchCounts tenfold = {.has_pairs = true, .penta = {120, 800, 2000, 1100, 200}};
    for (SprtModel model = SPRT_NORMALIZED; model <= SPRT_LOGISTIC; model++) {
        const SprtSpec spec = {model, -3, 5, 0.05, 0.05}, mirrored = {model, -5, 3, 0.05, 0.05};
        double values[VALUES], other[VALUES], more[VALUES];
        print_values(&spec, &counts, values);
        print_values(&mirrored, &swapped, other);
        print_values(&spec, &tenfold, more);
        CHECK_NEAR(other[ELO], -values[ELO], 1e-12);
        CHECK_NEAR(other[NELO], -values[NELO], 1e-12);
        CHECK_NEAR(other[LOS], 1.0 - values[LOS], 1e-12);
        CHECK_NEAR(other[LLR], -values[LLR], 1e-9);
        CHECK_NEAR(more[LLR], 10.0 * values[LLR], 1e-9);
    }
    MatchCounts added = {.has_pairs = true, .has_games = true};
    match_counts_add_pair(&added, 0, 0);
    match_counts_add_pair(&added, 2, 0);
    match_counts_add_pair(&added, 1, 1);
    match_counts_add_pair(&added, 1, 2);
    match_counts_add_pair(&added, 2, 2);
    const long long expected[PAIR_OUTCOMES] = {1, 0, 2, 1, 1};
    CHECK(memcmp(added.penta, expected, sizeof expected) == 0);
    CHECK_INT(added.losses, 3);
    CHECK_INT(added.draws, 3);
    CHECK_INT(added.wins, 4);
    CHECK_INT(match_counts_games(&added), 10);
    Strength strength;
    strength_from_counts(&added, &strength);
    CHECK_NEAR(strength.pair_ratio, 2.0, 1e-12);
    CHECK_NEAR(strength.draw_ratio, 0.4, 1e-12);
}

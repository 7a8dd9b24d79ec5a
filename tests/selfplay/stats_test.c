// SPDX-License-Identifier: GPL-3.0-or-later
// Match statistics: known answers of fishtest and of the other programs, each by its own formula,
// and counts at the edge of what they can be.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/stats/sprt.h"
#include "tests/test.h"

// The six numbers of a row of tests/data/sprt.tsv; NAN where the source gives none.
enum { ELO, ELO_ERROR, NELO, NELO_ERROR, LOS, LLR, VALUES };
static const char *const value_names[VALUES] = {"elo",          "error95", "nelo",
                                                "nelo_error95", "LOS",     "LLR"};

typedef void Formula(const SprtSpec *spec, const MatchCounts *counts, double *values);

// fishtest: what `paotai sprt` prints. Zero counts are 1e-3 everywhere.
static void as_fishtest(const SprtSpec *spec, const MatchCounts *counts, double *values) {
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

// Mean and variance of the score with the counts as they are.
static void plain_moments(const MatchCounts *counts, double *size, double *mean, double *variance) {
    const long long games[GAME_OUTCOMES] = {counts->losses, counts->draws, counts->wins};
    const long long *n = counts->has_pairs ? counts->penta : games;
    const int kinds = counts->has_pairs ? PAIR_OUTCOMES : GAME_OUTCOMES;
    *size = *mean = *variance = 0.0;
    for (int i = 0; i < kinds; i++) *size += (double)n[i];
    for (int i = 0; i < kinds; i++) *mean += (double)n[i] / *size * i / (kinds - 1);
    for (int i = 0; i < kinds; i++) {
        const double off = (double)i / (kinds - 1) - *mean;
        *variance += (double)n[i] / *size * off * off;
    }
}

static double plain_elo(double score) {
    return -400.0 * log10(1.0 / score - 1.0);
}

// fastchess: Elo and its error from the counts as they are, without a limit (inf and nan appear);
// normalized Elo's error maps the interval of the mean with a fixed sigma; LOS is printed with four
// digits. Its ratio takes 1e-3 for zero and is fishtest's but for a coarse root finder.
static void as_fastchess(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    as_fishtest(spec, counts, values);
    double size, mean, variance;
    plain_moments(counts, &size, &mean, &variance);
    const double interval = 1.959963984540054 * sqrt(variance / size);
    const double per_sigma = 800.0 / log(10.0) / (counts->has_pairs ? sqrt(2.0) : 1.0);
    values[ELO] = plain_elo(mean);
    values[ELO_ERROR] = (plain_elo(mean + interval) - plain_elo(mean - interval)) / 2.0;
    values[NELO] = per_sigma * (mean - 0.5) / sqrt(variance);
    values[NELO_ERROR] = per_sigma * interval / sqrt(variance);
    values[LOS] = normal_cdf((mean - 0.5) / sqrt(variance / size));
}

static double bayes_llr(double loss, double draw, double win, double elo0, double elo1) {
    const double n = loss + draw + win;
    const double d = 200.0 * log10((1.0 - loss / n) / (loss / n) * (1.0 - win / n) / (win / n));
    double p[2][3];
    for (int h = 0; h < 2; h++) {
        const double elo = h ? elo1 : elo0;
        p[h][2] = 1.0 / (1.0 + pow(10.0, (d - elo) / 400.0));
        p[h][0] = 1.0 / (1.0 + pow(10.0, (d + elo) / 400.0));
        p[h][1] = 1.0 - p[h][0] - p[h][2];
    }
    return loss * log(p[1][0] / p[0][0]) + draw * log(p[1][1] / p[0][1]) +
           win * log(p[1][2] / p[0][2]);
}

// fastchess, bayesian: the hypotheses become mean scores by the sample's draw Elo, and then the
// logistic ratio; 0 without a win or without a loss.
static void as_fastchess_bayes(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    as_fastchess(spec, counts, values);
    const double l = (double)counts->losses, w = (double)counts->wins, d = (double)counts->draws;
    values[LLR] = 0.0;
    if (l == 0.0 || w == 0.0) return;
    const double x = sqrt((w + d) * (l + d) / (w * l)); // 10^(draw Elo/400)
    SprtSpec logistic = {SPRT_LOGISTIC, 0, 0, spec->alpha, spec->beta};
    for (int h = 0; h < 2; h++) {
        const double e = pow(10.0, (h ? spec->elo1 : spec->elo0) / 400.0);
        const double win = e / (e + x), loss = 1.0 / (1.0 + e * x);
        *(h ? &logistic.elo1 : &logistic.elo0) = plain_elo(win + 0.5 * (1.0 - win - loss));
    }
    Err err = {0};
    if (sprt_llr(&logistic, counts, &values[LLR], &err) != STATUS_OK) values[LLR] = NAN;
}

// OpenBench: Elo from the counts as they are, scores kept within [0.001, 0.999]; the error takes
// Student's t with size-1 degrees of freedom and the larger side; the ratio is fishtest's.
static void as_openbench(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    as_fishtest(spec, counts, values);
    double size, mean, variance;
    plain_moments(counts, &size, &mean, &variance);
    const double interval = gsl_cdf_tdist_Pinv(0.975, size - 1.0) * sqrt(variance / size);
    values[ELO] = elo_from_score(mean);
    values[ELO_ERROR] = fmax(elo_from_score(mean + interval) - values[ELO],
                             values[ELO] - elo_from_score(mean - interval));
    // The trinomial ratio is 0 without a win or without a loss.
    if (spec->model == SPRT_BAYESIAN && (!counts->losses || !counts->wins)) values[LLR] = 0.0;
}

static void as_alt2(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    Sample sample;
    sample_from_counts(counts, &sample);
    const double s0 = score_from_elo(spec->elo0), s1 = score_from_elo(spec->elo1);
    values[LLR] = sample.size * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / sample.variance / 2.0;
}

static void as_normalized_alt(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    Sample sample;
    sample_from_counts(counts, &sample);
    const double t = (sample.mean - 0.5) / sample_sigma_per_game(&sample);
    const double t0 = spec->elo0 / NELO_PER_SIGMA, t1 = spec->elo1 / NELO_PER_SIGMA;
    const double games = sample.size * (sample.kinds == PAIR_OUTCOMES ? 2.0 : 1.0);
    values[LLR] = games / 2.0 * log((1.0 + (t - t0) * (t - t0)) / (1.0 + (t - t1) * (t - t1)));
}

// c-chess-cli: LLR_alt2 from the counts as they are; 0 when fewer than two outcomes occurred.
static void as_cchess(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    double size, mean, variance;
    plain_moments(counts, &size, &mean, &variance);
    const double s0 = score_from_elo(spec->elo0), s1 = score_from_elo(spec->elo1);
    values[LLR] = variance > 0.0 ? size * (s1 - s0) * (2.0 * mean - s0 - s1) / variance / 2.0 : 0.0;
}

// Winitzki's approximation of the inverse error function, which cutechess uses.
static double winitzki_erf_inverse(double x) {
    const double a = 8.0 * (M_PI - 3.0) / (3.0 * M_PI * (4.0 - M_PI));
    const double y = log(1.0 - x * x);
    const double z = 2.0 / (M_PI * a) + y / 2.0;
    return sqrt(sqrt(z * z - y / a) - z);
}

// cutechess: half a game is added to each outcome and the hypotheses are divided by the scale of
// BayesElo at that draw Elo; LOS ignores draws; the interval's quantile is Winitzki's.
static void as_cutechess(const SprtSpec *spec, const MatchCounts *counts, double *values) {
    double size, mean, variance;
    plain_moments(counts, &size, &mean, &variance);
    const double interval = sqrt(2.0) * winitzki_erf_inverse(0.95) * sqrt(variance / size);
    const double wins = (double)counts->wins, losses = (double)counts->losses;
    values[ELO] = plain_elo(mean);
    values[ELO_ERROR] = (plain_elo(mean + interval) - plain_elo(mean - interval)) / 2.0;
    values[LOS] = 0.5 + 0.5 * erf((wins - losses) / sqrt(2.0 * (wins + losses)));
    const double l = losses + 0.5, d = (double)counts->draws + 0.5, w = wins + 0.5, n = l + d + w;
    const double draw_elo = 200.0 * log10((1.0 - l / n) / (l / n) * (1.0 - w / n) / (w / n));
    const double x = pow(10.0, -draw_elo / 400.0);
    const double scale = 4.0 * x / ((1.0 + x) * (1.0 + x));
    values[LLR] = bayes_llr(l, d, w, spec->elo0 / scale, spec->elo1 / scale);
}

// Which formula belongs to which source, and how near it must come. A tolerance is relative to
// max(1, |answer|); 0: 1e-6.
static const struct Source {
    const char *name, *model;
    Formula *formula;
    double los_tolerance, llr_tolerance;
    int rows; // at least so many in the file
} sources[] = {
    {"fishtest", "normalized", as_fishtest, 0, 0, 50},
    {"fishtest", "logistic", as_fishtest, 0, 0, 50},
    {"fishtest", "bayesian", as_fishtest, 0, 0, 6},
    {"fishtest-LLR_alt2", "logistic", as_alt2, 0, 0, 50},
    {"fishtest-LLR_normalized_alt", "normalized", as_normalized_alt, 0, 0, 50},
    {"openbench", "normalized", as_openbench, 0, 0, 40},
    {"openbench", "bayesian", as_openbench, 0, 0, 6},
    // fastchess's root finder stops at 1e-3 in the multiplier.
    {"fastchess", "normalized", as_fastchess, 5e-5, 5e-6, 50},
    {"fastchess", "logistic", as_fastchess, 5e-5, 2.5e-3, 50},
    {"fastchess", "bayesian", as_fastchess_bayes, 5e-5, 2.5e-3, 6},
    {"c-chess-cli", "logistic-approx", as_cchess, 0, 0, 12},
    {"cutechess", "bayeselo-scaled+0.5prior", as_cutechess, 0, 0, 18},
};
enum { SOURCE_COUNT = sizeof sources / sizeof *sources };

static SprtModel model_of(const char *text) {
    if (strncmp(text, "bayes", 5) == 0) return SPRT_BAYESIAN;
    return strncmp(text, "logistic", 8) == 0 ? SPRT_LOGISTIC : SPRT_NORMALIZED;
}

static bool open_data(TestContext *t, const char *name, LineReader *reader) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", t->data, name);
    Err err = {0};
    if (!CHECK_MSG(line_reader_open(reader, path, &err) == STATUS_OK, "%s", err.text)) return false;
    return CHECK(line_reader_next_record(reader)); // header
}

static void check_row(TestContext *t, const struct Source *source, size_t line, char **fields) {
    const SprtSpec spec = {.model = model_of(source->model),
                           .elo0 = atof(fields[3]),
                           .elo1 = atof(fields[4]),
                           .alpha = 0.05,
                           .beta = 0.05};
    MatchCounts counts;
    Err err = {0};
    if (!CHECK_MSG(match_counts_parse(fields[5], &counts, &err) == STATUS_OK, "%s", err.text))
        return;
    double values[VALUES] = {NAN, NAN, NAN, NAN, NAN, NAN};
    source->formula(&spec, &counts, values);
    for (int i = 0; i < VALUES; i++) {
        const double answer = atof(fields[6 + i]);
        if (!isfinite(answer)) continue;
        double tolerance = i == LOS   ? source->los_tolerance
                           : i == LLR ? source->llr_tolerance
                                      : 0.0;
        if (tolerance == 0.0) tolerance = 1e-6;
        CHECK_MSG(fabs(values[i] - answer) <= tolerance * fmax(1.0, fabs(answer)),
                  "line %zu (%s %s): %s is %.12g, expected %.12g", line, source->name,
                  source->model, value_names[i], values[i], answer);
    }
}

void test_sprt_known_answers(TestContext *t) {
    LineReader reader;
    if (!open_data(t, "sprt.tsv", &reader)) return;
    int rows[SOURCE_COUNT] = {0};
    while (line_reader_next_record(&reader)) {
        char *fields[6 + VALUES], *cursor = reader.line;
        for (int i = 0; i < 6 + VALUES; i++) {
            fields[i] = text_next_field(&cursor, '\t');
            if (!CHECK_MSG(fields[i], "line %zu is short", reader.number)) goto out;
        }
        int found = 0;
        for (int i = 0; i < SOURCE_COUNT; i++) {
            if (strcmp(fields[0], sources[i].name) || strcmp(fields[1], sources[i].model)) continue;
            check_row(t, &sources[i], reader.number, fields);
            rows[i]++;
            found++;
        }
        CHECK_MSG(found == 1, "line %zu: %d formulas for %s %s", reader.number, found, fields[0],
                  fields[1]);
    }
    for (int i = 0; i < SOURCE_COUNT; i++) {
        CHECK_MSG(rows[i] >= sources[i].rows, "only %d rows of %s %s", rows[i], sources[i].name,
                  sources[i].model);
    }
out:
    line_reader_close(&reader, NULL);
}

void test_sprt_stopped_elo(TestContext *t) {
    enum { FIELDS = 11 };
    LineReader reader;
    if (!open_data(t, "sprt_stopped_elo.tsv", &reader)) return;
    int rows = 0;
    while (line_reader_next_record(&reader)) {
        char *fields[FIELDS], *cursor = reader.line;
        for (int i = 0; i < FIELDS; i++) {
            fields[i] = text_next_field(&cursor, '\t');
            if (!CHECK_MSG(fields[i], "line %zu is short", reader.number)) goto out;
        }
        const SprtSpec spec = {.model = model_of(fields[0]),
                               .elo0 = atof(fields[1]),
                               .elo1 = atof(fields[2]),
                               .alpha = 0.05,
                               .beta = 0.05};
        MatchCounts counts;
        SprtReport report;
        StoppedElo stopped;
        Err err = {0};
        Status status = match_counts_parse(fields[3], &counts, &err);
        if (status == STATUS_OK) status = sprt_report(&spec, &counts, &report, &err);
        if (status == STATUS_OK) status = stopped_elo_from_counts(&spec, &counts, &stopped, &err);
        if (!CHECK_MSG(status == STATUS_OK, "line %zu: %s", reader.number, err.text)) continue;
        const double values[] = {report.lower,    report.upper, stopped.elo_median, stopped.ci_low,
                                 stopped.ci_high, stopped.los,  report.llr};
        for (int i = 0; i < FIELDS - 4; i++) {
            const double answer = atof(fields[4 + i]);
            CHECK_MSG(fabs(values[i] - answer) <= 1e-6 * fmax(1.0, fabs(answer)),
                      "line %zu, column %d is %.12g, expected %.12g", reader.number, 5 + i,
                      values[i], answer);
        }
        rows++;
    }
    CHECK_MSG(rows >= 36, "only %d rows read", rows);
out:
    line_reader_close(&reader, NULL);
}

// No games, one outcome only, draws only, as many as are allowed: every number is finite.
void test_sprt_edges(TestContext *t) {
    static const char *const samples[] = {
        "0,0,0,0,0",
        "0,0,0",
        "0,0,7,0,0",
        "9,0,0,0,0",
        "0,0,0,0,9",
        "0,3,0,0,0",
        "0,5,0",
        "5,0,0",
        "0,0,5",
        "1,0,0,0,1",
        "1000000000000000,0,0,0,1",
        "0,0,1000000000000000,0,0",
        "1000000000000000,1000000000000000,1000000000000000,1000000000000000,1000000000000000"};
    static const double elos[][2] = {{0, 2}, {-1.75, 0.25}, {0, 100}, {-400, 400}, {999, 1000}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        MatchCounts counts;
        Err err = {0};
        if (!CHECK_MSG(match_counts_parse(samples[i], &counts, &err) == STATUS_OK, "%s", err.text))
            continue;
        for (size_t k = 0; k < sizeof elos / sizeof *elos; k++) {
            for (SprtModel model = SPRT_NORMALIZED; model <= SPRT_BAYESIAN; model++) {
                const SprtSpec spec = {model, elos[k][0], elos[k][1], 0.05, 0.05};
                if (model == SPRT_BAYESIAN && counts.has_pairs) continue;
                double values[VALUES];
                as_fishtest(&spec, &counts, values);
                for (int v = 0; v < VALUES; v++) {
                    CHECK_MSG(isfinite(values[v]), "%s of %s, model %d, [%g, %g] is %g",
                              value_names[v], samples[i], (int)model, spec.elo0, spec.elo1,
                              values[v]);
                }
                StoppedElo stopped;
                CHECK(stopped_elo_from_counts(&spec, &counts, &stopped, &err) == STATUS_OK);
                CHECK_MSG(isfinite(stopped.elo_median) && isfinite(stopped.ci_low) &&
                              isfinite(stopped.ci_high) && isfinite(stopped.los),
                          "stopped Elo of %s, model %d, [%g, %g]: %g %g %g %g", samples[i],
                          (int)model, spec.elo0, spec.elo1, stopped.elo_median, stopped.ci_low,
                          stopped.ci_high, stopped.los);
            }
        }
    }
}

void test_sprt_refusals(TestContext *t) {
    static const char *const counts_refused[] = {"",
                                                 ",",
                                                 "1",
                                                 "1,2",
                                                 "1,2,3,4",
                                                 "1,2,3,4,5,6",
                                                 "1,2,-3",
                                                 "1,,3",
                                                 "1,2,x",
                                                 "1.5,2,3",
                                                 " 1,2,3",
                                                 "1,2,3 ",
                                                 "nan,1,1",
                                                 "1e3,1,1",
                                                 "1000000000000001,0,0",
                                                 "99999999999999999999999999,0,0",
                                                 "1,2,3,4,5,",
                                                 "0x10,1,1"};
    for (size_t i = 0; i < sizeof counts_refused / sizeof *counts_refused; i++) {
        MatchCounts counts;
        Err err = {0};
        CHECK_MSG(match_counts_parse(counts_refused[i], &counts, &err) != STATUS_OK,
                  "'%s' was taken", counts_refused[i]);
        CHECK_MSG(err.text[0], "'%s' was refused without a word", counts_refused[i]);
    }
    static const SprtSpec specs_refused[] = {
        {SPRT_NORMALIZED, 2, 2, 0.05, 0.05},    {SPRT_NORMALIZED, 2, 0, 0.05, 0.05},
        {SPRT_NORMALIZED, 0, 1001, 0.05, 0.05}, {SPRT_LOGISTIC, (double)NAN, 2, 0.05, 0.05},
        {SPRT_LOGISTIC, 0, 2, 0, 0.05},         {SPRT_LOGISTIC, 0, 2, 0.05, 0.5},
    };
    const MatchCounts pairs = {.has_pairs = true, .penta = {1, 2, 3, 4, 5}};
    for (size_t i = 0; i < sizeof specs_refused / sizeof *specs_refused; i++) {
        Err err = {0};
        double llr;
        CHECK_INT(sprt_llr(&specs_refused[i], &pairs, &llr, &err), STATUS_USAGE);
    }
    Err err = {0};
    double llr;
    const SprtSpec bayesian = {SPRT_BAYESIAN, 0, 2, 0.05, 0.05};
    CHECK_INT(sprt_llr(&bayesian, &pairs, &llr, &err), STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "L,D,W"), "%s", err.text);
}

// What the formulas must obey whatever the counts: swapping the sides negates; a match counted pair
// by pair equals one given by its counts; more of the same evidence is proportionally more.
void test_sprt_properties(TestContext *t) {
    const MatchCounts counts = {.has_pairs = true, .penta = {12, 80, 200, 110, 20}};
    const MatchCounts swapped = {.has_pairs = true, .penta = {20, 110, 200, 80, 12}};
    const MatchCounts tenfold = {.has_pairs = true, .penta = {120, 800, 2000, 1100, 200}};
    for (SprtModel model = SPRT_NORMALIZED; model <= SPRT_LOGISTIC; model++) {
        const SprtSpec spec = {model, -3, 5, 0.05, 0.05}, mirrored = {model, -5, 3, 0.05, 0.05};
        double values[VALUES], other[VALUES], more[VALUES];
        as_fishtest(&spec, &counts, values);
        as_fishtest(&mirrored, &swapped, other);
        as_fishtest(&spec, &tenfold, more);
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

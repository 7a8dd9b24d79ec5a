// SPDX-License-Identifier: GPL-3.0-or-later
// Match statistics: known answers of fishtest, and of other programs where their formula is ours.
// tests/cli/sprt.sh has counts at the edge of what they can be, and refusals.
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

// The numbers that `paotai sprt` prints, as fishtest does. Zero counts are 1e-3 everywhere.
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

// A program whose LLR is ours, and how near it must come, relative to max(1, |answer|); of fishtest
// the other numbers, too.
static const struct Source {
    const char *name, *model;
    double llr_tolerance;
    int rows; // at least so many in the file
} sources[] = {
    {"fishtest", "normalized", 1e-6, 50},
    {"fishtest", "logistic", 1e-6, 50},
    {"fishtest", "bayesian", 1e-6, 6},
    {"openbench", "normalized", 1e-6, 40},
    // fastchess's root finder stops at 1e-3 in the multiplier.
    {"fastchess", "normalized", 5e-6, 50},
    {"fastchess", "logistic", 2.5e-3, 50},
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
    print_values(&spec, &counts, values);
    const bool all = strcmp(source->name, "fishtest") == 0;
    for (int i = all ? 0 : LLR; i < VALUES; i++) {
        const double answer = atof(fields[6 + i]);
        const double tolerance = i == LLR ? source->llr_tolerance : 1e-6;
        if (!isfinite(answer)) continue;
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

// What the formulas must obey whatever the counts: swapping the sides negates; a match counted pair
// by pair equals one given by its counts; more of the same evidence is proportionally more.
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a term in the rows, independent of weights: where it occurs and which other terms
// explain it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/rows/terms.h"
#include "tuner/term/occurrence.h"
#include "tuner/term/ties.h"
#include "tuner/term/told.h"

// Terms of the rows in this file.
enum { BASE, OTHER, COPY, NEAR, NOISE, NEVER, RARE, TERMS };
static const char *const term_names[TERMS] = {"base",  "other", "copy", "near",
                                              "noise", "never", "rare"};
enum { GAMES = 400, GAME_ROWS = 10 };

static int sign_of(Random *random) {
    return random_next(random) >> 63 ? 1 : -1;
}

// 400 games of 10 rows. near is 3 base plus an independent sign, so base explains 9 of its variance
// 10. rare is 1 in one row of each of the first 5 games, which are won.
static void make_rows(RowSet *rows) {
    RowPart part = {0};
    Random random;
    random_init(&random, 1, 0);
    row_set_init(rows, TERMS, 24);
    rows->names = memory_alloc(TERMS, sizeof *rows->names);
    for (int i = 0; i < TERMS; i++) snprintf(rows->names[i], TERM_NAME_SIZE, "%s", term_names[i]);
    for (int row = 0; row < GAMES * GAME_ROWS; row++) {
        const int game = row / GAME_ROWS, base = sign_of(&random);
        const bool rare = game < 5 && row % GAME_ROWS == 0;
        const int64_t index[TERMS] = {0, 1, 2, 3, 4, 5, 6};
        const double value[TERMS] = {
            base, sign_of(&random), base, 3 * base + sign_of(&random), sign_of(&random), 0, rare};
        const bool won = rare || game % 2 == 0;
        const RowHead head = {.phase = (float)random_below(&random, 25),
                              .result = won ? 1 : 0,
                              .score_red = SCORE_UNKNOWN};
        const RowGame of = {.id = (uint64_t)game, .split = (uint64_t)game};
        row_part_add_entries(&part, TERMS, index, value, TERMS, 0, &head, &of);
    }
    row_set_append(rows, &part);
    row_part_clear(&part);
    row_set_finish(rows);
}

static void choose(int term, bool *chosen) {
    for (int i = 0; i < 2 * TERMS; i++) chosen[i] = i / 2 == term;
}

void test_term_occurrence(TestContext *t) {
    AUTO(RowSet) rows = {0};
    bool chosen[2 * TERMS];
    Occurrence found;
    AUTO(Text) text = {0};
    make_rows(&rows);
    choose(NEVER, chosen);
    occurrence_measure(&rows, chosen, &found);
    occurrence_describe(&found, &text);
    CHECK(occurrence_never(&found));
    CHECK_MSG(strstr(text.data, "occurs in 0 of 4000 positions and in 0 of 400 games") &&
                  strstr(text.data, "nothing was measured"),
              "%s", text.data);
    choose(RARE, chosen);
    occurrence_measure(&rows, chosen, &found);
    CHECK_INT(found.positions, 5);
    CHECK_INT(found.games, 5);
    CHECK_INT(found.winner, 5);
    CHECK_INT(found.loser, 0);
    choose(BASE, chosen);
    occurrence_measure(&rows, chosen, &found);
    CHECK_INT(found.positions, 4000);
    CHECK_INT(found.games, 400);
    CHECK_INT(found.winner + found.loser, 4000);
    CHECK_INT(found.by_stage[STAGE_ENDGAME] + found.by_stage[STAGE_MIDDLEGAME] +
                  found.by_stage[STAGE_OPENING],
              4000);
    // Phases are uniform over 0..24: 9 of 25 are below 9, and 9 are in 9..17.
    CHECK_NEAR((double)found.by_stage[STAGE_ENDGAME], 4000 * 9 / 25.0, 100);
    CHECK_NEAR((double)found.by_stage[STAGE_OPENING], 4000 * 7 / 25.0, 100);
}

static void check_ties(TestContext *t, const Fit *fit, const bool *without, int term, double r2,
                       double tolerance, int by) {
    bool chosen[2 * TERMS], others[2 * TERMS];
    Ties ties;
    choose(term, chosen);
    for (int i = 0; i < fit->n; i++) others[i] = !chosen[i] && !without[i / 2];
    TieBasis *basis = tie_basis_new(fit, others);
    ties_measure(basis, chosen, &ties);
    tie_basis_free(basis);
    CHECK_MSG(fabs(ties.r2 - r2) <= tolerance, "%s: R2 %.5f, not %.3f", term_names[term], ties.r2,
              r2);
    CHECK_INT(ties.count, by >= 0);
    if (ties.count) CHECK_INT(ties.term[0], by);
}

// A copy is explained fully, a near copy by the share known from its construction, and noise not at
// all.
void test_term_ties(TestContext *t) {
    AUTO(RowSet) rows = {0};
    AUTO(Fit) fit = {0};
    const double start[2 * TERMS] = {0};
    const FitSetup setup = {
        .lambda = 1, .k = 0.004, .threads = 2, .seed = 1, .prior = {.sd = 50, .material_sd = 50}};
    bool without[TERMS] = {0}, chosen[2 * TERMS];
    double r2[TERMS];
    bool wanted[TERMS], all[2 * TERMS];
    Err err = {0};
    Ties ties;
    AUTO(Text) text = {0};
    make_rows(&rows);
    fit_init(&fit, &rows, &setup, start);
    CHECK_OK(fit_run(&fit, &err), err);
    choose(NEVER, chosen);
    ties_of_group(&fit, chosen, &ties);
    CHECK(isnan(ties.r2));
    choose(COPY, chosen);
    ties_of_group(&fit, chosen, &ties);
    CHECK(ties_copy(&ties));
    CHECK(ties_describe(&ties, &rows, &text));
    CHECK_MSG(strstr(text.data, "base 1.00") && strstr(text.data, "only the regularisation"), "%s",
              text.data);
    without[COPY] = true;
    check_ties(t, &fit, without, NEAR, 0.9, 0.01, BASE);
    check_ties(t, &fit, without, BASE, 0.9, 0.01, NEAR);
    check_ties(t, &fit, without, NOISE, 0, 0.01, -1);
    // ties_scan() measures all terms at once and finds the same values.
    for (int i = 0; i < TERMS; i++) wanted[i] = true;
    for (int i = 0; i < fit.n; i++) all[i] = i / 2 != COPY;
    ties_scan(&fit, all, wanted, r2);
    CHECK_NEAR(r2[NEAR], 0.9, 0.01);
    CHECK_NEAR(r2[NOISE], 0, 0.01);
    CHECK(isnan(r2[NEVER]) && isnan(r2[COPY]));
}

// For one value 1.96 standard errors are enough; for several values the test requires more.
void test_term_told(TestContext *t) {
    const bool chosen[4] = {true, true, true, true}, one[4] = {true};
    const double se[4] = {1, 1, 1, 0};
    CHECK(term_differs_from_zero((double[]){2.1, 0, 0, 9}, se, one, 4));
    CHECK(!term_differs_from_zero((double[]){1.9, 0, 0, 9}, se, one, 4));
    CHECK(!term_differs_from_zero((double[]){2.1, 0, 0, 9}, se, chosen, 4));
    CHECK(term_differs_from_zero((double[]){0, 0, -2.5, 0}, se, chosen, 4));
}

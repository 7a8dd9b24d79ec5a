// SPDX-License-Identifier: GPL-3.0-or-later
// Tests in which positions a term occurs, which other terms explain it, whether its values differ
// from 0, and the verdict about it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "selfplay/contest/contest_report.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/fit/collinearity.h"
#include "tuner/fit/occurrence.h"
#include "tuner/fit/significance.h"
#include "tuner/rows/terms.h"
#include "tuner/term/ablate_table.h"
#include "tuner/term/term_plan.h"
#include "tuner/term/term_verdict.h"

enum { BASE, OTHER, COPY, NEAR, NOISE, NEVER, RARE, TERMS };
static const char *const term_names[TERMS] = {"base",  "other", "copy", "near",
                                              "noise", "never", "rare"};
enum { GAMES = 400, GAME_ROWS = 10 };

static int sign_of(Random *random) {
    return random_next(random) >> 63 ? 1 : -1;
}

// Makes 400 games of 10 positions. The term `near` is 3 times the term `base` plus an independent
// sign (-1 or 1), so `base` explains 9/10 of the variance of `near`. The term `copy` equals `base`.
// The term `rare` is 1 in the first position of each of the first 5 games. These 5 positions are
// won.
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
    // In these rows the phase is uniform over 0..24. 9 of these 25 phases (0..8) are the endgame,
    // and 7 (18..24) are the opening.
    CHECK_NEAR((double)found.by_stage[STAGE_ENDGAME], 4000 * 9 / 25.0, 100);
    CHECK_NEAR((double)found.by_stage[STAGE_OPENING], 4000 * 7 / 25.0, 100);
}

static void check_collinearity(TestContext *t, const Fit *fit, const bool *without, int term,
                               double r2, double tolerance, int by) {
    bool chosen[2 * TERMS], others[2 * TERMS];
    Collinearity collinearity;
    choose(term, chosen);
    for (int i = 0; i < fit->n; i++) others[i] = !chosen[i] && !without[i / 2];
    Regressors *regressors = regressors_new(fit, others);
    collinearity_measure(regressors, chosen, &collinearity);
    regressors_free(regressors);
    CHECK_MSG(fabs(collinearity.r2 - r2) <= tolerance, "%s: R2 is %.5f, expected %.3f",
              term_names[term], collinearity.r2, r2);
    CHECK_INT(collinearity.count, by >= 0);
    if (collinearity.count) CHECK_INT(collinearity.term[0], by);
}

// Tests how well other terms explain a term (R2): a copy is explained completely, a near copy to
// the share that follows from its construction (0.9), and noise not at all.
void test_term_collinearity(TestContext *t) {
    AUTO(RowSet) rows = {0};
    AUTO(Fit) fit = {0};
    const double start[2 * TERMS] = {0};
    const FitSetup setup = {
        .lambda = 1, .k = 0.004, .threads = 2, .seed = 1, .prior = {.sd = 50, .material_sd = 50}};
    bool without[TERMS] = {0}, chosen[2 * TERMS];
    double r2[TERMS];
    bool wanted[TERMS], all[2 * TERMS];
    Err err = {0};
    Collinearity collinearity;
    AUTO(Text) text = {0};
    make_rows(&rows);
    fit_init(&fit, &rows, &setup, start);
    CHECK_OK(fit_run(&fit, &err), err);
    choose(NEVER, chosen);
    collinearity_of_group(&fit, chosen, &collinearity);
    CHECK(isnan(collinearity.r2));
    choose(COPY, chosen);
    collinearity_of_group(&fit, chosen, &collinearity);
    CHECK(collinearity_is_copy(&collinearity));
    CHECK(collinearity_describe(&collinearity, &rows, &text));
    CHECK_MSG(strstr(text.data, "base 1.00") && strstr(text.data, "differ only by the prior"), "%s",
              text.data);
    // Terms with the start weight 0 do not play: they explain nothing.
    fit.start[2 * NOISE] = 10;
    collinearity_of_playing(&fit, chosen, &collinearity);
    CHECK_MSG(collinearity.r2 < 0.01, "R2 %.4f by a term of weight 0", collinearity.r2);
    fit.start[2 * BASE + 1] = 10;
    collinearity_of_playing(&fit, chosen, &collinearity);
    CHECK(collinearity_is_copy(&collinearity) && collinearity.term[0] == BASE);
    without[COPY] = true;
    check_collinearity(t, &fit, without, NEAR, 0.9, 0.01, BASE);
    check_collinearity(t, &fit, without, BASE, 0.9, 0.01, NEAR);
    check_collinearity(t, &fit, without, NOISE, 0, 0.01, -1);
    // collinearity_scan(), which measures all terms at once, finds the values that
    // collinearity_of_group() finds.
    for (int i = 0; i < TERMS; i++) wanted[i] = true;
    for (int i = 0; i < fit.n; i++) all[i] = i / 2 != COPY;
    collinearity_scan(&fit, all, wanted, r2);
    CHECK_NEAR(r2[NEAR], 0.9, 0.01);
    CHECK_NEAR(r2[NOISE], 0, 0.01);
    CHECK(isnan(r2[NEVER]) && isnan(r2[COPY]));
}

// Tests when the values of a term differ significantly from 0. A single value must be more than
// 1.96 standard errors from 0. If there are several values, the limit is higher.
void test_term_significance(TestContext *t) {
    const bool chosen[4] = {true, true, true, true}, one[4] = {true};
    const double se[4] = {1, 1, 1, 0};
    CHECK(term_differs_from_zero((double[]){2.1, 0, 0, 9}, se, one, 4));
    CHECK(!term_differs_from_zero((double[]){1.9, 0, 0, 9}, se, one, 4));
    CHECK(!term_differs_from_zero((double[]){2.1, 0, 0, 9}, se, chosen, 4));
    CHECK(term_differs_from_zero((double[]){0, 0, -2.5, 0}, se, chosen, 4));
}

// Calls term_decide() for a term study that contains only the results passed here. `second` are the
// results of the second match, or NULL. Returns the verdict as a word, and stores the sentence that
// explains it in *sentence.
static const char *decide_second(uint64_t games, uint64_t searched, const MatchCounts *counts,
                                 const MatchCounts *second, bool significant, double r2,
                                 Text *sentence) {
    static const TermSettings settings = {
        .weights = "default", .nodes = 200, .confirm_nodes = 5000, .sprt = {.elo1 = 20}};
    const SprtSpec sprt = {SPRT_NORMALIZED, 0, 20, 0.05, 0.05};
    TermStudy *study = memory_alloc(1, sizeof *study);
    *study = (TermStudy){.settings = &settings,
                         .base = {.terms = "new", .significant = significant},
                         .search = {1000, searched},
                         .fitted = games >= OCCURRENCE_FEW_GAMES,
                         .unchanged = counts == NULL};
    study->base.occurrence =
        (Occurrence){.all_positions = 9000, .all_games = 900, .positions = games, .games = games};
    study->base.collinearity = (Collinearity){.r2 = r2};
    study->base.match = weights_match_of(counts, &sprt);
    study->confirm = weights_match_of(second, NULL);
    term_decide(study);
    const char *word = term_verdict_word(study->verdict);
    text_reset(sentence);
    text_add(sentence, "%s", text_get(&study->sentence));
    term_study_clear(study);
    free(study);
    return word;
}

static const char *decide(uint64_t games, uint64_t searched, const MatchCounts *counts,
                          bool significant, double r2, Text *sentence) {
    return decide_second(games, searched, counts, NULL, significant, r2, sentence);
}

static MatchCounts counts_of(const char *pentanomial) {
    MatchCounts counts;
    Err err = {0};
    match_counts_parse(pentanomial, &counts, &err);
    return counts;
}

void test_term_verdict(TestContext *t) {
    const MatchCounts won = counts_of("5,20,60,90,60"), even = counts_of("300,1000,1500,1000,300");
    const MatchCounts few = counts_of("3,5,10,6,4");
    AUTO(Text) said = {0};
    // The verdict "never" needs a term that occurs in no game and in no search.
    CHECK_TEXT(decide(0, 0, NULL, false, 0, &said), "never");
    CHECK(strstr(said.data, "in 0 of 1000 evaluations") != NULL);
    CHECK_TEXT(decide(0, 7, NULL, false, 0, &said), "undecided");
    CHECK(strstr(said.data, "7 of 1000 evaluations (0.70 %)") != NULL);
    CHECK_TEXT(decide(29, 7, NULL, false, 0, &said), "undecided");
    CHECK(strstr(said.data, "fewer than 30 games") != NULL);
    // The term's rounded value is 0, so no match was played.
    CHECK_TEXT(decide(500, 7, NULL, true, 0, &said), "drop");
    CHECK_TEXT(decide(500, 7, &won, true, 0.99995, &said), "copy");
    CHECK_TEXT(decide(500, 7, &won, true, 0.2, &said), "keep");
    CHECK(strstr(said.data, "differs from 0") == NULL);
    // The match decides, even if no value of the term differs from 0 by more than chance. The
    // sentence says so.
    CHECK_TEXT(decide(500, 7, &won, false, 0.2, &said), "keep");
    CHECK_MSG(strstr(said.data, "; the games of the fit alone do not show it: no weight of the "
                                "term differs from 0 by more than chance"),
              "%s", said.data);
    // The SPRT with its one-sided error accepts H1, but the 95 % interval, -0.16 to 29.7, contains
    // 0. The sentence says so, and does not print the lower bound as 0.
    const MatchCounts close = counts_of("45,155,220,197,58");
    CHECK_TEXT(decide(500, 7, &close, true, 0.2, &said), "keep");
    CHECK_MSG(strstr(said.data, " Elo, -0.2 to 30 (") &&
                  strstr(said.data, " 95 %, the interval contains 0, but the SPRT has found a "
                                    "winner)"),
              "%s", said.data);
    // The verdict of `match` has the same remark.
    MatchOutcome outcome = {.names = {"new", "old"}, .counts = close};
    const SprtSpec sprt = {SPRT_NORMALIZED, 0, 20, 0.05, 0.05};
    strength_verdict(&close, &sprt, true, &outcome.verdict);
    text_reset(&said);
    match_outcome_add_short(&outcome, &said);
    CHECK_MSG(strstr(said.data, "contains 0, but the SPRT has found a winner)"), "%s", said.data);
    CHECK_TEXT(decide(500, 7, &even, true, 0.2, &said), "drop");
    CHECK_MSG(strstr(said.data, "more than +") && strstr(said.data, " Elo is excluded: with it "),
              "%s", said.data);
    CHECK_TEXT(decide(500, 7, &few, true, 0.2, &said), "undecided");
    CHECK(strstr(said.data, "80 % power") != NULL && strstr(said.data, "5 Elo would need"));
}

// Tests the second match with longer searches. A term that loses it is not kept. The sentence names
// its node limit and its result.
void test_term_second_match(TestContext *t) {
    const MatchCounts won = counts_of("5,20,60,90,60"), lost = counts_of("60,90,60,20,5");
    const MatchCounts few = counts_of("3,5,10,6,4");
    AUTO(Text) said = {0};
    CHECK_TEXT(decide_second(500, 7, &won, &won, true, 0.2, &said), "keep");
    CHECK_MSG(strstr(said.data, "stronger: ") == said.data &&
                  strstr(said.data, "; at 5000 nodes the gain holds: +") &&
                  strstr(said.data, " (470 games, 95 %)"),
              "%s", said.data);
    CHECK_TEXT(decide_second(500, 7, &won, &few, true, 0.2, &said), "keep");
    CHECK_MSG(strstr(said.data, "; at 5000 nodes the gain is not decided: +"), "%s", said.data);
    CHECK_TEXT(decide_second(500, 7, &won, &lost, true, 0.2, &said), "undecided");
    CHECK_MSG(
        strstr(said.data, "not decided: it gains at 200 nodes, but loses at 5000: with it ") ==
                said.data &&
            strstr(said.data, "; at 5000 nodes it is weaker: -"),
        "%s", said.data);
    CHECK_TEXT(decide_second(500, 7, &won, NULL, true, 0.2, &said), "keep");
    CHECK(!strstr(said.data, "5000 nodes"));
}

static bool simulate(TestContext *t, double elo, TermOutcomes *outcomes) {
    const SprtSpec sprt = {SPRT_NORMALIZED, 0, 5, 0.05, 0.05};
    Err err = {0};
    return CHECK_OK(term_plan_simulate(&sprt, 80000, elo, 1000, 2, outcomes, &err), err);
}

// Simulates 1,000 verdicts of the default match for terms of 0, 3, 5 and 8 Elo, with the results of
// such a match. At least 95 of 100 terms of +5 Elo must be kept, and at most 5 of 100 that are
// worth nothing; 6 of 100 are allowed here, because 1,000 verdicts have a standard error of 0.7 %.
void test_term_verdict_shares(TestContext *t) {
    static const struct {
        double elo, keep_least, keep_most, drop_most;
    } rows[] = {{0, 0.03, 0.06, 0.97}, {3, 0.6, 0.9, 0.35}, {5, 0.95, 1, 0.03}, {8, 0.99, 1, 0.01}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TermOutcomes found;
        if (!simulate(t, rows[i].elo, &found)) return;
        const double runs = found.runs, keep = found.keep / runs, drop = found.drop / runs;
        CHECK_MSG(keep >= rows[i].keep_least && keep <= rows[i].keep_most &&
                      drop <= rows[i].drop_most && found.undecided / runs <= 0.01,
                  "%+.0f Elo: keep %.3f, drop %.3f, undecided %d of %d, %.0f games, 95 %%: %lld",
                  rows[i].elo, keep, drop, found.undecided, found.runs, found.mean_games,
                  found.games_p95);
    }
    // A match of at most 60 pairs decides nothing about a worthless term.
    TermOutcomes few;
    const SprtSpec sprt = {SPRT_NORMALIZED, 0, 5, 0.05, 0.05};
    Err err = {0};
    if (!CHECK_OK(term_plan_simulate(&sprt, 60, 0, 1000, 2, &few, &err), err)) return;
    CHECK_MSG(few.undecided > 900 && few.games_p95 == 120, "%d undecided", few.undecided);
    AUTO(Text) said = {0};
    const SprtSpec wide = {SPRT_NORMALIZED, 0, 20, 0.05, 0.05};
    CHECK_OK(term_plan_describe(&wide, 2000, 2, 0.064, &said, &err), err);
    // 0,20 with 2,000 pairs, an earlier default, keeps a quarter of the terms of +5 Elo.
    CHECK_MSG(
        strstr(said.data, "keeps a term of +5 Elo in 2") &&
            strstr(said.data, " if it is worth nothing, in one of twenty matches all 4000: ") &&
            strstr(said.data, "minutes of processor time"),
        "%s", said.data);
}

// The table first lists the groups of terms that played a match, in the order of their Elo. Groups
// without a match, such as copies of other terms, must not disturb this order.
void test_ablate_order(TestContext *t) {
    static const char *const order[] = {"strong", "weak", "copy", "never"};
    const MatchCounts won = counts_of("5,20,60,90,60"), even = counts_of("20,40,60,40,20");
    AUTO_FREE AblateTable *table = memory_alloc(1, sizeof *table);
    char *memory = NULL;
    size_t size;
    FILE *out = open_memstream(&memory, &size);
    const AblateLine lines[] = {
        {.terms = "never", .match = weights_match_of(NULL, &weights_match_sprt)},
        {.terms = "weak",
         .change.value = -0.003,
         .match = weights_match_of(&even, &weights_match_sprt)},
        {.terms = "copy",
         .change.value = -0.002,
         .match = weights_match_of(NULL, &weights_match_sprt)},
        {.terms = "strong",
         .change.value = -0.001,
         .match = weights_match_of(&won, &weights_match_sprt)}};
    memcpy(table->lines, lines, sizeof lines);
    table->count = 4;
    ablate_table_print(table, false, out);
    fclose(out);
    free(memory);
    for (int i = 0; i < 4; i++) CHECK_TEXT(table->lines[i].terms, order[i]);
}

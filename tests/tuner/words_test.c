// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates games with known truth, and counts how often conclusions of fits are false:
// `significant` of `term`, `helps` and `hurts` of `ablate`, and the calibration. The rows of a game
// share its result, most of its terms, and a part of the error of its search scores.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/term/ablate_verdict.h"
#include "tuner/tune/tune.h"

enum { TERMS = 30, GAME_ROWS = 8, FRESH_GAMES = 1000 };
static const double true_k = 0.004, true_sd = 120;

static double normal(Random *random) {
    return sqrt(-2 * log(1 - random_real(random))) * cos(2 * M_PI * random_real(random));
}

// The true values of the terms (one for both phases). The term `tested` has the value that the
// caller chose. Term i occurs in half of the rows (i = 0) to 1 of 50 (the last one).
typedef struct World {
    double truth[TERMS];
    int tested;
    Random random;
} World;

static void world_init(World *world, int tested, double worth, uint64_t seed) {
    random_init(&world->random, seed, 0);
    world->tested = tested;
    for (int i = 0; i < TERMS; i++) world->truth[i] = true_sd * normal(&world->random);
    world->truth[tested] = worth;
}

// Draws the coefficients of a row again, each with the probability `change`.
static void draw_row(World *world, double change, int coefficient[TERMS]) {
    for (int i = 0; i < TERMS; i++) {
        if (random_real(&world->random) >= change) continue;
        const bool occurs = random_real(&world->random) < 0.5 * pow(0.04, i / (TERMS - 1.0));
        coefficient[i] = !occurs ? 0 : random_next(&world->random) >> 63 ? 1 : -1;
    }
}

static void play_game(World *world, uint64_t game, RowPart *part) {
    int coefficient[TERMS];
    const double luck = random_real(&world->random), wrong = 100 * normal(&world->random);
    draw_row(world, 1, coefficient);
    for (int row = 0; row < GAME_ROWS; row++) {
        int64_t index[TERMS];
        double value[TERMS], score = 0;
        size_t count = 0;
        draw_row(world, 0.3, coefficient);
        for (int i = 0; i < TERMS; i++) {
            if (!coefficient[i]) continue;
            index[count] = i;
            value[count++] = coefficient[i];
            score += coefficient[i] * world->truth[i];
        }
        const RowHead head = {.phase = (float)random_below(&world->random, 25),
                              .result = luck < loss_expected_points(true_k * score) ? 1 : 0,
                              .score_red = (int16_t)(score + wrong + 60 * normal(&world->random))};
        const RowGame id = {.id = game, .split = game};
        row_part_add_entries(part, TERMS, index, value, count, 0, &head, &id);
    }
}

static void play(World *world, int games, RowSet *set) {
    RowPart part = {0};
    row_set_init(set, TERMS, 24);
    set->chunk_rows = TEST_CHUNK;
    set->names = memory_alloc(TERMS, sizeof *set->names);
    for (int i = 0; i < TERMS; i++) snprintf(set->names[i], TERM_NAME_SIZE, "t%d", i);
    for (int game = 0; game < games; game++) play_game(world, (uint64_t)game, &part);
    row_set_append(set, &part);
    row_part_clear(&part);
    row_set_finish(set);
}

// Makes the study of the tested term. As in `term`, only its weights are fitted (`alone`), and the
// others are the true ones; or, as in `ablate`, all are fitted, from values 60 units away.
static bool make_study(TestContext *t, World *world, int games, bool alone, uint64_t seed,
                       Study *study) {
    const FitSetup setup = {.loss = LOSS_CROSS_ENTROPY,
                            .lambda = 0.2,
                            .prior = {.sd = 80, .material_sd = 80},
                            .valid_fraction = 0.2,
                            .seed = seed,
                            .threads = 2};
    double start[2 * TERMS] = {0};
    Err err = {0};
    play(world, games, &study->rows);
    study->chosen = memory_alloc(2 * TERMS, sizeof *study->chosen);
    study->chosen[2 * world->tested] = study->chosen[2 * world->tested + 1] = true;
    for (int i = 0; i < 2 * TERMS; i++) {
        start[i] = world->truth[i / 2] + (alone ? 0 : 60 * normal(&world->random));
    }
    start[2 * world->tested] = start[2 * world->tested + 1] = 0;
    return CHECK_OK(study_fit_with(study, &setup, start, alone ? study->chosen : NULL, &err),
                    err) &&
           CHECK_OK(study_fit_without(study, &err), err) &&
           CHECK_OK(study_find_values(study, false, &err), err);
}

// Returns the change of the loss by the term on many other games.
static double true_change(World *world, const Study *study) {
    AUTO(RowSet) fresh = {0};
    play(world, FRESH_GAMES, &fresh);
    LossSetup loss = study->with.loss;
    loss.game_weight = NULL;
    return measure_difference(&fresh, &loss, study->with.weights, &loss, study->without.weights)
        .value;
}

typedef struct WordCounts {
    int runs, significant, helps, hurts, helps_false, hurts_false;
} WordCounts;

static void count_words(World *world, const Study *study, WordCounts *words) {
    AUTO(Text) word = {0};
    ablate_word_add(study, &word);
    const bool helps = !strcmp(word.data, "helps"), hurts = !strcmp(word.data, "hurts");
    words->runs++;
    words->significant += study->significant;
    words->helps += helps;
    words->hurts += hurts;
    if (!helps && !hurts) return;
    const double change = true_change(world, study);
    words->helps_false += helps && change > 0;
    words->hurts_false += hurts && change < 0;
}

static WordCounts study_often(TestContext *t, int tested, double worth, int games, bool alone,
                              int runs) {
    WordCounts words = {0};
    for (int run = 0; run < runs; run++) {
        World world;
        AUTO(Study) study = {.terms = "tested"};
        world_init(&world, tested, worth, (uint64_t)run + 1);
        if (make_study(t, &world, games, alone, (uint64_t)run + 1, &study)) {
            count_words(&world, &study, &words);
        }
    }
    if (t->full) {
        printf("# %s, term of %g units in 1 of %.0f rows, %d games: of %d, %d significant, %d "
               "helps (%d false), %d hurts (%d false)\n",
               alone ? "alone" : "all fitted", worth, 2 / pow(0.04, tested / (TERMS - 1.0)), games,
               words.runs, words.significant, words.helps, words.helps_false, words.hurts,
               words.hurts_false);
        printf("significant_%s_%g_units_%d_games %.1f\nhelps_%s_%g_units_%d_games %.1f\n",
               alone ? "alone" : "all", worth, games, 100.0 * words.significant / words.runs,
               alone ? "alone" : "all", worth, games, 100.0 * words.helps / words.runs);
    }
    return words;
}

// A worthless term is significant in at most 5 of 100 fits, a useful one in most. Both words on the
// loss are false in at most 5 of 100. The test allows for the error of few runs.
void test_tuner_false_words(TestContext *t) {
    const int runs = t->full ? 250 : 50, most = t->full ? 20 : 7;
    static const int terms[] = {4, 25}, games[] = {100, 300};
    for (int i = 0; i < (t->full ? 8 : 3); i++) {
        const int tested = terms[i % 2], number = games[i / 4];
        const bool alone = i / 2 % 2 == 0;
        if (number > 100 && tested != terms[0]) continue;
        const WordCounts none = study_often(t, tested, 0, number, alone, runs);
        CHECK_MSG(
            none.significant <= most && none.helps_false <= most && none.hurts_false <= most,
            "a worthless term %d, %d games, %s: %d significant, %d helps, %d of %d hurts falsely",
            tested, number, alone ? "alone" : "all", none.significant, none.helps, none.hurts_false,
            none.hurts);
        const WordCounts good = study_often(t, tested, 60, number, alone, runs);
        CHECK_MSG(good.helps_false <= most && good.hurts_false <= most,
                  "a useful term %d, %d games: %d of %d helps falsely, %d of %d hurts", tested,
                  number, good.helps_false, good.helps, good.hurts_false, good.hurts);
        CHECK_MSG(tested != terms[0] || good.significant > 0.5 * good.runs,
                  "a useful term %d, %d games: %d significant", tested, number, good.significant);
    }
}

// The bars of the calibration of the true weights contain the prediction in 95 of 100 bins, also
// with few games, and near 0 and 1, where all games of a bin may have the same result.
void test_tuner_false_calibration(TestContext *t) {
    const int runs = t->full ? 1000 : 100;
    for (int games = 40; games <= 1000; games *= 5) {
        int seen[2] = {0}, apart[2] = {0}; // in the inner bins [0] and the outer two [1]
        for (int run = 0; run < runs; run++) {
            CalibrationBin bins[CALIBRATION_BINS];
            AUTO(RowSet) set = {0};
            World world;
            double flat[2 * TERMS];
            world_init(&world, 0, 250, (uint64_t)run + 1);
            play(&world, games, &set);
            for (int i = 0; i < 2 * TERMS; i++) flat[i] = world.truth[i / 2];
            const LossSetup loss = {.k = true_k, .lambda = 1, .threads = 1};
            measure_calibration(&set, &loss, flat, bins);
            for (int i = 0; i < CALIBRATION_BINS; i++) {
                const bool outer = i == 0 || i == CALIBRATION_BINS - 1;
                if (bins[i].observed.games < 10) continue;
                seen[outer]++;
                apart[outer] +=
                    fabs(bins[i].observed.value - bins[i].predicted) > Z95 * bins[i].observed.error;
            }
        }
        for (int outer = 0; outer < 2; outer++) {
            const double share = apart[outer] / (double)seen[outer];
            if (t->full) {
                printf("%s_bins_apart_%d_games %.2f\n", outer ? "outer" : "inner", games,
                       100 * share);
            }
            CHECK_MSG(share < 0.075, "%d games: %.3f of %d %s bins are apart", games, share,
                      seen[outer], outer ? "outer" : "inner");
        }
    }
}

// The bars of the residuals of the true weights contain 0 in 95 of 100 bins of phase, lead and
// pieces, also where one side wins nearly all games.
void test_tuner_false_residuals(TestContext *t) {
    const int runs = t->full ? 400 : 40, games[] = {40, 300};
    for (int i = 0; i < 2; i++) {
        AUTO(RowSet) rows = {0};
        Weights truth;
        double flat[N];
        int seen = 0, apart = 0;
        if (!random_rows(t, games[i], 0.003, &truth, flat, &rows)) return;
        const LossSetup loss = {.k = 0.003, .lambda = 1, .threads = 1};
        for (int run = 0; run < runs; run++) {
            Residuals residuals;
            const ResidualBin *bins = (const ResidualBin *)&residuals;
            draw_results(&rows, flat, loss.k, true, (uint64_t)run + 1);
            measure_residuals(&rows, &loss, flat, &residuals);
            for (size_t bin = 0; bin < sizeof residuals / sizeof *bins; bin++) {
                if (bins[bin].residual.games < 10) continue;
                seen++;
                apart += fabs(bins[bin].residual.value) > Z95 * bins[bin].residual.error;
            }
        }
        if (t->full) printf("residuals_apart_%d_games %.2f\n", games[i], 100.0 * apart / seen);
        CHECK_MSG(apart < 0.075 * seen, "%d games: %d of %d bins are apart", games[i], apart, seen);
    }
}

// `next` of `tune` claims nothing that verdict and more_games do not show. Each case has a change
// of the validation loss (verdict) and a difference to the fit to half of the games (more_games),
// both with the standard error 1, and may have most weights determined by the prior.
void test_tuner_next(TestContext *t) {
    for (int i = 0; i < 36; i++) {
        const double change = 5.0 * (i % 3 - 1), half = 5.0 * (i / 3 % 3 - 1);
        const SparseTerms foreign = {.start = NULL};
        const bool ours = i / 18 == 0;
        TuneFit tune = {.half = {.value = half, .error = 1},
                        .settings = {.rows = "rows.h5"},
                        .terms = ours ? NULL : &foreign,
                        .fitted = 2,
                        .by_prior = i / 9 % 2 ? 2 : 0};
        AUTO(Text) next = {0};
        tune.fit.loss_change[PART_VALID] = (Estimate){.value = change, .error = 1};
        tune_add_next(&tune, &next);
        const char *text = text_get(&next);
        // Only a fit that predicts worse is given up, and values of 0 are never recommended.
        CHECK_MSG(!strstr(text, "keep the start") == !(change > 0 && ours), "%d: %s", i, text);
        CHECK_MSG(!strstr(text, "do not use") == !(change > 0 && !ours), "%d: %s", i, text);
        CHECK_MSG(!strstr(text, "all games together") == !(change <= 0 && half < 0), "%d: %s", i,
                  text);
        CHECK_MSG(!strstr(text, "of one kind") == !(change <= 0 && half > 0), "%d: %s", i, text);
        CHECK_MSG(!strstr(text, "do not show whether") == !(change <= 0 && half == 0), "%d: %s", i,
                  text);
        CHECK_MSG(!strstr(text, "match") == !(change < 0), "%d: %s", i, text);
        CHECK_MSG(!strstr(text, "little") && !strstr(text, "would improve"), "%d: %s", i, text);
    }
}

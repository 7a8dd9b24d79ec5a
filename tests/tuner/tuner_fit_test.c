// SPDX-License-Identifier: GPL-3.0-or-later
// Tests fits: minimum, recovery of known weights, standard errors, cross-validation, and weights
// that the data cannot distinguish.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/tuner/tuner_data.h"
#include "tuner/fit/cholesky.h"
#include "tuner/fit/cv.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/identify.h"
#include "tuner/rows/terms.h"

// Newton's method must reach the minimum of each loss function (cross entropy, squared error) up to
// rounding, from near and distant starts.
void test_tuner_newton(TestContext *t) {
    Weights truth, start;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N];
    weights_classic(&start);
    if (!random_rows(t, 160, 0.003, &truth, flat, &rows)) return;
    FitSetup setup = fit_setup(2);
    for (int kind = LOSS_CROSS_ENTROPY; kind <= LOSS_SQUARED; kind++) {
        setup.loss = (LossKind)kind;
        AUTO(Fit) near, far;
        if (!run_fit(t, &rows, &setup, &start, &near)) return;
        CHECK(near.converged);
        CHECK_MSG(near.last.iteration <= 14, "%d iterations", near.last.iteration);
        CHECK_MSG(near.last.gradient_norm < 1e-11, "gradient %.3g", near.last.gradient_norm);
        values_flat(&start, flat);
        fit_init(&far, &rows, &setup, flat);
        far.loss = near.loss;
        far.loss.game_weight = far.train;
        for (int i = 0; i < N; i++) far.weights[i] += i % 2 ? 150 : -150;
        CHECK_OK(fit_minimise(&far, true, &err), err);
        CHECK(far.converged);
        double away = 0.0;
        for (int i = 0; i < N; i++) away = fmax(away, fabs(far.weights[i] - near.weights[i]));
        CHECK_MSG(away < 1e-5, "loss %d: a weight differs by %.3g units", kind, away);
    }
}

// Checks that values_check() refuses weights in which one entry of table_horse differs from the
// fit.
static void check_bent(TestContext *t, const RowSet *rows, const double *before, double k_before,
                       const double *weights, double k) {
    Err err = {0};
    double bent[N];
    memcpy(bent, weights, sizeof bent);
    bent[2 * WEIGHT_INDEX(table_horse)] += 1;
    CHECK_INT(values_check(rows, before, k_before, bent, k, 0.1, &err), STATUS_NUMERIC);
    CHECK_MSG(strstr(err.text, "weights.def"), "%s", err.text);
}

// Returns the K with the least loss if each position has its expected result: a third of the
// results are draws, and of the others a share of sigmoid(0.004 score) are wins. The draws make
// this K smaller than 0.004. Restores the results at the end.
static double expected_k(const RowSet *rows, const double *flat) {
    double scores[TEST_CHUNK], k = 0;
    float(*drawn)[TEST_CHUNK] = memory_alloc(rows->chunk_count, sizeof *drawn);
    LossSetup plain = {.lambda = 1.0, .threads = 2};
    Err err = {0};
    for (size_t c = 0; c < rows->chunk_count; c++) {
        float *result = (float *)rows->chunks[c].result;
        memcpy(drawn[c], result, rows->chunks[c].count * sizeof *result);
        loss_chunk_scores(rows, c, flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            result[i] = (float)((0.5 + 2 / (1 + exp(-0.004 * scores[i]))) / 3);
        }
    }
    if (loss_fit_slopes(rows, &plain, flat, &err) == STATUS_OK) k = plain.k;
    for (size_t c = 0; c < rows->chunk_count; c++) {
        memcpy((float *)rows->chunks[c].result, drawn[c], rows->chunks[c].count * sizeof(float));
    }
    free(drawn);
    return k;
}

// The results are simulated with known weights. The fit must recover the values of the pieces; the
// K of the known weights must be as expected. Afterwards, centring, scaling and rounding must leave
// the predictions unchanged.
void test_tuner_recovery(TestContext *t) {
    Weights truth, start, whole;
    AUTO(RowSet) rows = {0};
    AUTO(Fit) fit = {0};
    Err err = {0};
    double flat[N], before[N];
    weights_classic(&start);
    if (!random_rows(t, 1500, 0.004, &truth, NULL, &rows)) return;
    const FitSetup setup = fit_setup(2);
    if (!run_fit(t, &rows, &setup, &start, &fit)) return;
    CHECK(fit.part_loss[PART_TRAIN].value < fit.start_loss[PART_TRAIN].value);
    CHECK(fit.part_loss[PART_VALID].value < fit.start_loss[PART_VALID].value);
    double true_flat[N];
    values_flat(&truth, flat);
    values_flat(&truth, true_flat);
    double k = 0, k_truth = 0;
    LossSetup plain = {.lambda = 1.0, .threads = 2};
    CHECK(loss_fit_slopes(&rows, &plain, flat, &err) == STATUS_OK);
    k_truth = plain.k;
    CHECK_MSG(fabs(k_truth / expected_k(&rows, flat) - 1) < 0.05,
              "K of the true weights is %.5f, expected %.5f", k_truth, expected_k(&rows, flat));
    const double k_fit = fit.loss.k;
    memcpy(before, fit.weights, sizeof before);
    const double fitted_chariot = piece_share(&rows, GROUP_CHARIOT, VALUE_MEAN, before);
    values_centre(&rows, fit.weights);
    k = k_fit;
    CHECK(values_apply_scale(&rows, fit.weights, &k, &err) == STATUS_OK);
    const double chariot = piece_share(&rows, GROUP_CHARIOT, VALUE_MEAN, fit.weights);
    const double true_chariot = piece_share(&rows, GROUP_CHARIOT, VALUE_MEAN, true_flat);
    // values_have_scale() is false if some terms count several pieces together. Then the weights
    // are not scaled to a chariot of 900 units: their scale follows from K, the slope of the
    // sigmoid.
    const double scale = values_have_scale(&rows) ? 900 / fitted_chariot : 1;
    CHECK_NEAR(chariot, scale * fitted_chariot, 1e-9);
    CHECK_NEAR(fit.weights[2 * WEIGHT_INDEX(material_chariot)],
               piece_share(&rows, GROUP_CHARIOT, VALUE_MIDDLEGAME, fit.weights), 1e-9);
    CHECK_OK(values_check(&rows, before, k_fit, fit.weights, k, 1e-9, &err), err);
    check_bent(t, &rows, before, k_fit, fit.weights, k);
    for (int term = 0; term < WEIGHT_TERM_COUNT; term++) {
        if (weight_terms[term].part != TERM_MATERIAL) continue;
        const WeightGroup group = weight_terms[term].group;
        const double mean = piece_share(&rows, group, VALUE_MEAN, fit.weights);
        const double expected = piece_share(&rows, group, VALUE_MEAN, true_flat);
        const double truth_value =
            values_have_scale(&rows) ? expected * 900 / true_chariot : expected * k_truth / k;
        CHECK_MSG(fabs(mean - truth_value) < 100,
                  "%s: the fitted value is %.0f, the true value %.0f",
                  weight_group_name((WeightGroup)group), mean, truth_value);
    }
    CHECK(values_round(&rows, fit.weights, fit.hessian, NULL, &whole, &err) == STATUS_OK);
    values_flat(&whole, flat);
    CHECK_NEAR(piece_share(&rows, GROUP_CHARIOT, VALUE_MEAN, flat), scale * fitted_chariot, 0.0002);
    fit.loss.k = k;
    const double fitted_loss = fit.part_loss[PART_TRAIN].value;
    fit_compare(&fit, flat);
    CHECK_NEAR(fitted_loss, fit.part_loss[PART_TRAIN].value, 1e-5);
    for (int part = PART_TRAIN; part <= PART_VALID; part++) {
        const Estimate change = fit.loss_change[part];
        CHECK_NEAR(change.value, fit.part_loss[part].value - fit.start_loss[part].value, 1e-12);
        CHECK(change.error > 0 && change.error < 0.7 * fit.part_loss[part].error);
    }
    fit.weights[4] = 40000;
    CHECK_INT(values_round(&rows, fit.weights, NULL, NULL, &whole, &err), STATUS_NUMERIC);
}

// If no K minimises the loss, the error message depends on which end of the range was reached.
void test_tuner_minimum(TestContext *t) {
    Err err = {0};
    // First each result agrees with the sign of the score. Then each result is reversed.
    Weights weights;
    AUTO(RowSet) rows = {0};
    double slope[N];
    weights_classic(&weights);
    if (!random_rows(t, 60, 0.003, &weights, slope, &rows)) return;
    for (int turned = 0; turned < 2; turned++) {
        LossSetup setup = {.lambda = 1.0, .threads = 1};
        draw_results(&rows, slope, turned ? -1e6 : 1e6, false, 1);
        CHECK_INT(loss_fit_slopes(&rows, &setup, slope, &err), STATUS_NUMERIC);
        CHECK_MSG(strstr(err.text, turned ? "from Red's view" : "add games"), "%s", err.text);
    }
}

// The best K of given scores is that of the weights that give these scores. If the scores are twice
// as large, it is half as large. Positions with weight 0 change nothing. Scores that predict the
// opposite have the smallest K.
void test_tuner_k_of_scores(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N], scores[TEST_CHUNK];
    if (!random_rows(t, 300, 0.004, &truth, flat, &rows)) return;
    LossSetup setup = {.lambda = 1.0, .threads = 1};
    CHECK_OK(loss_fit_slopes(&rows, &setup, flat, &err), err);
    AUTO_FREE float *numbers = memory_alloc(2 * (rows.count + 1), sizeof *numbers);
    AUTO_FREE double *weight = memory_alloc(rows.count + 1, sizeof *weight);
    float *const target = numbers + rows.count + 1;
    for (size_t c = 0, i = 0; c < rows.chunk_count; c++) {
        loss_chunk_scores(&rows, c, flat, scores);
        for (uint32_t j = 0; j < rows.chunks[c].count; j++, i++) {
            numbers[i] = (float)scores[j];
            target[i] = rows.chunks[c].result[j];
            weight[i] = 1;
        }
    }
    numbers[rows.count] = 1e6F;
    const ScoredRows scored = {numbers, target, weight, rows.count + 1};
    const double k = loss_fit_k(LOSS_CROSS_ENTROPY, &scored);
    CHECK_MSG(fabs(k / setup.k - 1) < 1e-4, "K %.8f, by Newton's method %.8f", k, setup.k);
    for (size_t i = 0; i < rows.count; i++) numbers[i] *= 2;
    CHECK_NEAR(loss_fit_k(LOSS_CROSS_ENTROPY, &scored) / k, 0.5, 1e-4);
    for (size_t i = 0; i < rows.count; i++) numbers[i] *= -1;
    CHECK_NEAR(loss_fit_k(LOSS_CROSS_ENTROPY, &scored), 1e-5, 1e-7);
}

// All scores favour the side to move by 35 units. The fit of the sigmoid that converts scores to
// expected results must find this bonus and the slope.
void test_tuner_mover(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N];
    const double k = 0.004;
    if (!random_rows(t, 1500, k, &truth, flat, &rows)) return;
    draw_results(&rows, flat, k, false, 21);
    for (size_t c = 0; c < rows.chunk_count; c++) {
        for (uint32_t i = 0; i < rows.chunks[c].count; i++) {
            int16_t *score = (int16_t *)rows.chunks[c].score_red + i;
            *score = (int16_t)(*score + 35 * rows.chunks[c].side_to_move[i]);
        }
    }
    LossSetup setup = {.lambda = 0.0, .threads = 2};
    CHECK_OK(loss_fit_slopes(&rows, &setup, flat, &err), err);
    CHECK_MSG(fabs(setup.mover_units - 35) < 12, "%.1f units", setup.mover_units);
    CHECK_MSG(fabs(setup.k_score - k) < 0.1 * k, "k_score %.5f", setup.k_score);
}

// A lead wins less often when few pieces remain. The sigmoid that converts scores to expected
// results must have the right slope in the upper half of the phases, where the positions are, and a
// smaller positive slope at phase 0.
void test_tuner_score_sigmoid(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N], scores[TEST_CHUNK];
    const double k = 0.006;
    uint64_t at[3] = {0};
    if (!random_rows(t, 1500, k, &truth, flat, &rows)) return;
    for (size_t c = 0; c < rows.chunk_count; c++) {
        Random random;
        random_init(&random, 23, c);
        loss_chunk_scores(&rows, c, flat, scores);
        for (uint32_t i = 0; i < rows.chunks[c].count; i++) {
            const double share = rows.chunks[c].phase[i] / rows.phase_max;
            const bool win = random_real(&random) < 1 / (1 + exp(-k * share * share * scores[i]));
            ((float *)rows.chunks[c].result)[i] = win ? 1 : 0;
            at[(int)(2.999 * share)]++;
        }
    }
    LossSetup setup = {.lambda = 0.0, .threads = 2};
    CHECK_OK(loss_fit_slopes(&rows, &setup, flat, &err), err);
    CHECK_MSG(at[1] > 1000 && at[2] > 1000,
              "only %d and %d rows are in the middle and in the last third of the phases",
              (int)at[1], (int)at[2]);
    for (int tenth = 5; tenth <= 10; tenth++) {
        const double share = tenth / 10.0, true_slope = k * share * share;
        const double slope = loss_score_slope(&setup, share * rows.phase_max);
        CHECK_MSG(fabs(slope - true_slope) < 0.25 * true_slope,
                  "phase share %g: the slope is %.5f, the true slope %.5f", share, slope,
                  true_slope);
    }
    CHECK(loss_score_slope(&setup, 0) > 0);
    CHECK(loss_score_slope(&setup, 0) < loss_score_slope(&setup, rows.phase_max));
}

// Fits only the material weights to simulated games. Increments held[i] if the 95 % interval of
// weight i contains flat[i], the value that was used to simulate the results. Adds the number of
// fitted weights to *fitted. Returns false, after a failed check, if the fit fails.
static bool count_held(TestContext *t, const RowSet *rows, const FitSetup *setup,
                       const double *flat, int held[N], int *fitted) {
    Err err = {0};
    AUTO(Fit) fit;
    AUTO(FitErrors) errors = {0};
    fit_init(&fit, rows, setup, flat);
    for (int i = 0; i < N; i++) fit.frozen[i] = true;
    Status status = row_choose_weights(rows, "material_*", false, fit.frozen, &err);
    if (status == STATUS_OK) status = fit_run(&fit, &err);
    if (status == STATUS_OK) status = errors_of_fit(&fit, false, &errors, &err);
    for (int i = 0; i < N; i++) {
        held[i] += !fit.frozen[i] && fabs(fit.weights[i] - flat[i]) <= 1.96 * errors.weight[i];
        *fitted += !fit.frozen[i];
    }
    return CHECK_OK(status, err);
}

// Over many runs with new results, the 95 % intervals contain the true weights in 95 % of the
// cases. Only the material is fitted; the other weights are fixed at their true values.
void test_tuner_coverage(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    double flat[N];
    const int runs = t->full ? 200 : 20;
    if (!random_rows(t, 150, 0.004, &truth, flat, &rows)) return;
    FitSetup setup = fit_setup(2);
    setup.k = 0.004;
    setup.weigh = WEIGH_ROWS;
    setup.valid_fraction = 0;
    setup.prior = (PriorSetup){.sd = 1e5, .material_sd = 1e5};
    int held[N] = {0}, all = 0, fitted = 0;
    for (int run = 0; run < runs; run++) {
        draw_results(&rows, flat, 0.004, false, (uint64_t)run);
        if (!count_held(t, &rows, &setup, flat, held, &fitted)) break;
    }
    CHECK_INT(fitted, 14 * runs);
    // For each weight, the share of runs whose 95 % interval contains the true value may differ
    // from 0.95 by at most 4.5 standard errors of a binomial share. For the mean of these shares
    // over all weights, the limit is half of that. A smaller limit would be too strict, because the
    // weights of a run are not independent.
    const double one = 4.5 * sqrt(0.95 * 0.05 / runs);
    for (int i = 0; i < N; i++) {
        if (held[i] == 0) continue;
        all += held[i];
        CHECK_MSG(fabs((double)held[i] / runs - 0.95) < one,
                  "%s.%s: %d of %d intervals contain the true value", weight_term_of(i / 2)->name,
                  i % 2 ? "eg" : "mg", held[i], runs);
    }
    CHECK_MSG(fabs((double)all / fitted - 0.95) < one / 2,
              "%d of %d intervals contain the true value", all, fitted);
}

// Positions of a game share one result, and there are few games. The 95 % intervals still contain
// the true weights in 95 % of the cases.
void test_tuner_few_games(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    double flat[N];
    int held[N] = {0}, all = 0, fitted = 0;
    const int runs = t->full ? 300 : 20;
    if (!random_rows(t, 100, 0.004, &truth, flat, &rows)) return;
    FitSetup setup = fit_setup(2);
    setup.k = 0.004;
    setup.valid_fraction = 0;
    setup.prior = (PriorSetup){.sd = 1e4, .material_sd = 1e4};
    for (int run = 0; run < runs; run++) {
        draw_results(&rows, flat, 0.004, true, (uint64_t)run);
        if (!count_held(t, &rows, &setup, flat, held, &fitted)) break;
    }
    for (int i = 0; i < N; i++) all += held[i];
    // The share of intervals that contain the true value has a standard error of 0.025 in 20
    // simulated fits and 0.007 in 300.
    CHECK_MSG(all >= (t->full ? 0.93 : 0.9) * fitted, "%d of %d intervals contain the true value",
              all, fitted);
    CHECK_MSG(all <= 0.985 * fitted, "%d of %d intervals contain the true value", all, fitted);
}

// Fits the material weights to results and scores several times, each time with newly simulated
// results. K and the sigmoid of the search scores are estimated from the same games, and the
// weights depend on them. The reported errors must be as large as the scatter of the weights.
void test_tuner_slopes_errors(TestContext *t) {
    enum { RUNS = 16, WITH_ERRORS = 2 };
    Weights truth;
    AUTO(RowSet) rows = {0};
    Err err = {0};
    double flat[N], sum[N] = {0}, squares[N] = {0}, variance[N] = {0};
    if (!random_rows(t, 80, 0.004, &truth, flat, &rows)) return;
    FitSetup setup = fit_setup(2);
    setup.lambda = 0.2;
    setup.valid_fraction = 0;
    setup.prior = (PriorSetup){.sd = 1e4, .material_sd = 1e4};
    for (int run = 0; run < RUNS; run++) {
        AUTO(Fit) fit;
        AUTO(FitErrors) errors = {0};
        draw_results(&rows, flat, 0.004, true, (uint64_t)run);
        fit_init(&fit, &rows, &setup, flat);
        for (int i = 0; i < N; i++) fit.frozen[i] = true;
        CHECK_OK(row_choose_weights(&rows, "material_*", false, fit.frozen, &err), err);
        CHECK_OK(fit_run(&fit, &err), err);
        if (run < WITH_ERRORS) CHECK_OK(errors_of_fit(&fit, false, &errors, &err), err);
        for (int i = 0; i < N; i++) {
            sum[i] += fit.weights[i] / RUNS;
            squares[i] += fit.weights[i] * fit.weights[i] / RUNS;
            if (run < WITH_ERRORS) variance[i] += pow(errors.weight[i], 2) / WITH_ERRORS;
        }
    }
    double worst = 1, all = 0;
    int fitted = 0;
    for (int i = 0; i < N; i++) {
        if (!(variance[i] > 0)) continue;
        const double scatter = (squares[i] - sum[i] * sum[i]) * RUNS / (RUNS - 1);
        const double ratio = sqrt(scatter / variance[i]);
        all += log(ratio);
        fitted++;
        if (fabs(log(ratio)) > fabs(log(worst))) worst = ratio;
    }
    CHECK_INT(fitted, 14);
    CHECK_MSG(worst > 0.6 && worst < 1.6, "a weight scatters %.2f times its error", worst);
    CHECK_MSG(fabs(all / fitted) < 0.2, "weights scatter %.2f times their errors",
              exp(all / fitted));
}

// Cross-validation must prefer a reasonable prior to an extremely weak one and an extremely strong
// one. One thread and two threads must give the same loss.
void test_tuner_cv(TestContext *t) {
    Weights truth, start;
    AUTO(RowSet) rows = {0};
    double flat[N];
    int best[2] = {-1, -1};
    double loss[2] = {0, 0}, best_loss = 0;
    Err err = {0};
    weights_classic(&start);
    values_flat(&start, flat);
    if (!random_rows(t, 300, 0.004, &truth, NULL, &rows)) return;
    for (int run = 0; run < 2; run++) {
        CvSetting settings[] = {{.prior = {.sd = 0.01, .material_sd = 1000}},
                                {.prior = {.sd = 20, .material_sd = 1000}},
                                {.prior = {.sd = 3000, .material_sd = 3000}}};
        const FitSetup setup = fit_setup(run + 1);
        AUTO(Fit) fit;
        fit_init(&fit, &rows, &setup, flat);
        for (int i = 0; i < N; i++) fit.frozen[i] = true;
        CHECK_OK(row_choose_weights(&rows, "material_*,table_*", false, fit.frozen, &err), err);
        const Status status = cv_run(&fit, 3, settings, 3, NULL, &best[run], &err);
        CHECK_OK(status, err);
        loss[run] = settings[2].loss;
        best_loss = settings[1].loss;
        CHECK(settings[1].difference.value == 0.0);
        CHECK(settings[0].difference.value > 0.0 && settings[2].difference.value > 0.0);
        CHECK(settings[2].difference.error > 0.0);
    }
    CHECK_INT(best[0], 1);
    CHECK_INT(best[1], 1);
    CHECK(loss[0] == loss[1]);
    // Positions without a result must not count in the mean loss.
    for (size_t c = 0; c < rows.chunk_count; c++) {
        for (uint32_t i = 0; i < rows.chunks[c].count; i += 2) {
            ((float *)rows.chunks[c].result)[i] = -1;
            rows.without_result++;
        }
    }
    CvSetting half = {.prior = {.sd = 20, .material_sd = 1000}};
    const FitSetup setup = fit_setup(2);
    AUTO(Fit) fit;
    fit_init(&fit, &rows, &setup, flat);
    CHECK_OK(cv_run(&fit, 3, &half, 1, NULL, best, &err), err);
    CHECK_MSG(fabs(half.loss / best_loss - 1) < 0.2,
              "mean loss %.4f, without half of the results %.4f", best_loss, half.loss);
}

// Only evaluation terms of the same group in weights.def, such as those about horses, may be
// reported as not distinguishable. Each weight must be reported either as occurring in the
// positions (active) or as never occurring (silent).
void test_tuner_identify(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    if (!random_rows(t, 400, 0.004, &truth, NULL, &rows)) return;
    const FitSetup setup = fit_setup(2);
    AUTO(Fit) fit;
    AUTO(Identity) identity = {0};
    if (!run_fit(t, &rows, &setup, &truth, &fit)) return;
    identify(&fit, &identity);
    int directions = 0, silent = 0;
    for (int i = 0; i < N; i++) silent += identity.silent[i];
    CHECK_INT(identity.active + silent, N);
    for (int set = 1; set <= identity.set_count; set++) {
        const WeightTerm *first = NULL;
        for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
            if (identity.set[i] != set) continue;
            if (!first) first = &weight_terms[i];
            CHECK_MSG(weight_terms[i].group == first->group, "%s and %s are not distinguished",
                      first->name, weight_terms[i].name);
        }
        directions += identity.directions[set];
    }
    // identify() must find all combinations of weights that change no score. In some terms each
    // piece counts in exactly one entry. If a group has two such terms, a constant can be added to
    // all entries of one term and subtracted from those of the other. A constant in the table of
    // the general cancels out, because each side has one general. Each such combination counts
    // twice, for the middlegame and the endgame.
    bool met[GROUP_COUNT] = {[GROUP_GENERAL] = true};
    int expected = 0;
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (weight_terms[i].part > TERM_ENTRY) continue;
        expected += met[weight_terms[i].group] ? 2 : 0;
        met[weight_terms[i].group] = true;
    }
    CHECK_MSG(directions >= expected && expected >= 24,
              "only %d directions change nothing, expected at least %d", directions, expected);
    CHECK_INT(identity.rank, identity.active - directions);
}

// cholesky_factorise() must agree with GSL for small matrices, which it leaves to GSL, and for
// larger ones, whose size is not a multiple of the number of rows that it computes at a time. It
// must refuse a matrix that is not positive definite.
void test_cholesky(TestContext *t) {
    const size_t sizes[] = {1, 64, 65, 97, 330};
    Random random;
    random_init(&random, 1, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        gsl_matrix *ours = gsl_matrix_alloc(n, n), *theirs = gsl_matrix_alloc(n, n);
        double worst = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= i; j++) {
                const double value = random_real(&random) + (i == j ? (double)n : 0);
                gsl_matrix_set(ours, i, j, value);
                gsl_matrix_set(ours, j, i, value);
            }
        }
        gsl_matrix_memcpy(theirs, ours);
        CHECK(gsl_linalg_cholesky_decomp1(theirs) == GSL_SUCCESS);
        CHECK(cholesky_factorise(ours) == GSL_SUCCESS);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= i; j++) {
                const double wanted = gsl_matrix_get(theirs, i, j);
                worst = fmax(worst, fabs(gsl_matrix_get(ours, i, j) - wanted));
            }
        }
        CHECK_MSG(worst < 1e-12 * sqrt((double)n), "%zu rows: off by %.3g", n, worst);
        gsl_matrix_set_identity(ours);
        gsl_matrix_set(ours, n - 1, n - 1, -1);
        CHECK(cholesky_factorise(ours) != GSL_SUCCESS);
        gsl_matrix_free(ours);
        gsl_matrix_free(theirs);
    }
}

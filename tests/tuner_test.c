// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner: rows, loss, minimisers, scale, weight files, tables on the board.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attacks.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/test.h"
#include "tuner/board.h"
#include "tuner/cv.h"
#include "tuner/errors.h"
#include "tuner/fit.h"
#include "tuner/measure.h"
#include "tuner/select.h"
#include "tuner/values.h"

enum { N = 2 * WEIGHT_COUNT };

// Weights that a test pretends to be the truth: classic material with some life in the tables.
static void invent_weights(Weights *weights) {
    Random random;
    random_init(&random, 99, 0);
    weights_classic(weights);
    Score *flat = weights_flat(weights);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        flat[i].mg += (int32_t)random_below(&random, 61) - 30;
        flat[i].eg += (int32_t)random_below(&random, 61) - 30;
    }
}

// Rows of `games` random games (every fourth position from the tenth ply on), whose results are
// drawn from sigma(k * score of `truth`) with a third of draws; scores are those of `truth`.
static bool random_rows(TestContext *t, int games, const Weights *truth, double k, RowSet *rows) {
    Err err = {0};
    row_set_init(rows, WEIGHT_COUNT, PHASE_MAX);
    for (int g = 0; g < games; g++) {
        RowPart part = {0};
        Random random;
        random_init(&random, 4, (uint64_t)g);
        Position position;
        position_init_start(&position);
        for (uint16_t ply = 0; ply < 120; ply++) {
            MoveList moves;
            position_legal_moves(&position, &moves);
            if (moves.count == 0) break;
            const Move move = moves.moves[random_below(&random, (uint64_t)moves.count)];
            if (ply >= 10 && ply % 4 == 0) {
                PositionRecord record = {.game = (uint64_t)g, .position = position, .ply = ply};
                const int score = evaluate(&position, truth) * (position.stm == RED ? 1 : -1);
                const double sigma = 1.0 / (1.0 + exp(-k * score));
                record.score_red = (int16_t)score;
                record.result = random_below(&random, 3) == 0  ? 0
                                : random_real(&random) < sigma ? 1
                                                               : -1;
                const Status status = row_part_add_position(&part, &record, 0, truth, &err);
                if (!CHECK_MSG(status == STATUS_OK, "%s", err.text)) return false;
            }
            Position after;
            position_do_move(&position, move, &after);
            position = after;
        }
        row_set_append(rows, &part);
        row_part_clear(&part);
    }
    row_set_finish(rows);
    return true;
}

static LossSetup loss_setup(LossKind kind, double lambda, int threads) {
    return (LossSetup){
        .kind = kind, .k = 0.004, .lambda = lambda, .k_score = 0.003, .threads = threads};
}

void test_tuner_rows(TestContext *t) {
    Weights weights;
    RowPart part = {0};
    Err err = {0};
    EvalTrace trace;
    Position position;
    const RowOrigin origin = {.game = 5, .score_red = SCORE_UNKNOWN, .result_red = 1};
    invent_weights(&weights);
    // Five soldiers against one: a coefficient too large to be repeated.
    const char *fen = "4k4/9/9/4P4/P1P3P1P/9/4p4/9/1C7/R3K4 w";
    CHECK(position_from_fen(&position, fen, &err) == STATUS_OK);
    evaluate_traced(&position, &weights, &trace);
    CHECK_MSG(row_part_add(&part, &trace, &weights, &origin, &err) == STATUS_OK, "%s", err.text);
    CHECK_INT(part.count, 1);
    CHECK_INT(part.heads[0].result, 2);
    CHECK(part.heads[0].other > 0);
    // What is scored without being traced, or traced without being scored, is refused.
    EvalTrace broken = trace;
    broken.count[RED][WEIGHT_INDEX(material_chariot)]++;
    CHECK_INT(row_part_add(&part, &broken, &weights, &origin, &err), STATUS_MISMATCH);
    broken = trace;
    broken.sum.eg++;
    CHECK_INT(row_part_add(&part, &broken, &weights, &origin, &err), STATUS_MISMATCH);
    CHECK_INT(part.count, 1);
    PositionRecord record = {.game = 7, .position = position, .ply = 31, .result = 4};
    CHECK_INT(row_part_add_position(&part, &record, 0, &weights, &err), STATUS_CORRUPT);
    CHECK_MSG(strstr(err.text, "game 7, ply 31") && strstr(err.text, "4k4/9/9"), "%s", err.text);
    row_part_clear(&part);
    RowSet rows;
    if (!random_rows(t, 200, &weights, 0.003, &rows)) return;
    CHECK_INT(rows.chunk_count, (rows.count + ROWS_CHUNK - 1) / ROWS_CHUNK);
    CHECK_INT(rows.game_count, 200);
    const double bytes = (double)row_set_coefficient_bytes(&rows);
    CHECK(row_set_head_bytes(&rows) <= 16 * rows.count);
    CHECK_MSG(bytes <= 3.0 * (double)rows.coefficients, "%.3f bytes a coefficient",
              bytes / (double)rows.coefficients);
    // The rows still say what the evaluation says, wherever sorting has put them.
    double flat[N], scores[ROWS_CHUNK];
    values_flat(&weights, flat);
    loss_chunk_scores(&rows, 0, flat, scores);
    for (uint32_t i = 0; i < rows.chunks[0].count; i++) {
        CHECK_MSG(fabs(scores[i] - rows.chunks[0].score_red[i]) < 1.0, "row %u: %.2f and %d", i,
                  scores[i], rows.chunks[0].score_red[i]);
    }
    row_set_clear(&rows);
}

// Gradient and Hessian against central differences, for both losses and a blended target.
void test_tuner_derivatives(TestContext *t) {
    Weights weights;
    RowSet rows;
    double x[N], gradient[N], up[N], down[N];
    invent_weights(&weights);
    if (!random_rows(t, 60, &weights, 0.003, &rows)) return;
    values_flat(&weights, x);
    double *hessian = memory_alloc((size_t)N * N, sizeof *hessian);
    for (int kind = LOSS_CROSS_ENTROPY; kind <= LOSS_SQUARED; kind++) {
        const LossSetup setup = loss_setup((LossKind)kind, 0.7, 2);
        loss_evaluate(&rows, &setup, x, gradient);
        loss_hessian(&rows, &setup, x, true, hessian);
        double scale = 0.0, curvature = 0.0;
        for (int i = 0; i < N; i++) {
            scale = fmax(scale, fabs(gradient[i]));
            curvature = fmax(curvature, hessian[i * N + i]);
        }
        for (int i = 0; i < N; i += 7) {
            const double step = 0.1, kept = x[i];
            x[i] = kept + step;
            const double above = loss_evaluate(&rows, &setup, x, up).loss;
            x[i] = kept - step;
            const double below = loss_evaluate(&rows, &setup, x, down).loss;
            x[i] = kept;
            CHECK_MSG(fabs((above - below) / (2 * step) - gradient[i]) < 1e-6 * scale,
                      "loss %d, weight %d: slope %.9g, by differences %.9g", kind, i, gradient[i],
                      (above - below) / (2 * step));
            for (int j = 0; j < N; j++) {
                const double by_difference = (up[j] - down[j]) / (2 * step);
                CHECK_MSG(fabs(by_difference - hessian[i * N + j]) < 1e-5 * curvature,
                          "loss %d, weights %d %d: curvature %.9g, by differences %.9g", kind, i, j,
                          hessian[i * N + j], by_difference);
            }
        }
    }
    free(hessian);
    row_set_clear(&rows);
}

static FitSetup fit_setup(OptimiserKind optimiser, int threads) {
    return (FitSetup){.loss = LOSS_CROSS_ENTROPY,
                      .lambda = 1.0,
                      .valid_fraction = 0.2,
                      .seed = 3,
                      .iterations = 5000,
                      .tolerance = 1e-12,
                      .optimiser = optimiser,
                      .threads = threads};
}

static bool run_fit(TestContext *t, const RowSet *rows, const FitSetup *setup, const Weights *start,
                    FitResult *result) {
    double flat[N];
    Err err = {0};
    Prior prior;
    const PriorSetup strengths = {40, 1000, 0};
    values_flat(start, flat);
    prior_for_evaluation(&prior, &strengths, rows, flat);
    const Status status = fit_run(rows, setup, &prior, flat, result, &err);
    prior_clear(&prior);
    return CHECK_MSG(status == STATUS_OK, "%s", err.text);
}

// 1 thread equals N threads, bit for bit: loss, gradient, Hessian, fitted weights.
void test_tuner_threads(TestContext *t) {
    Weights truth, start;
    RowSet rows;
    double x[N], gradient[2][N];
    invent_weights(&truth);
    weights_classic(&start);
    if (!random_rows(t, 400, &truth, 0.003, &rows)) return;
    values_flat(&truth, x);
    double *hessian[2] = {memory_alloc((size_t)N * N, sizeof(double)),
                          memory_alloc((size_t)N * N, sizeof(double))};
    LossSetup setup = loss_setup(LOSS_CROSS_ENTROPY, 0.5, 1);
    const double loss = loss_evaluate(&rows, &setup, x, gradient[0]).loss;
    loss_hessian(&rows, &setup, x, false, hessian[0]);
    FitSetup fit = fit_setup(OPTIMISER_NEWTON, 1);
    FitResult result[2];
    if (!run_fit(t, &rows, &fit, &start, &result[0])) return;
    for (int threads = 2; threads <= 4; threads++) {
        setup.threads = fit.threads = threads;
        const double again = loss_evaluate(&rows, &setup, x, gradient[1]).loss;
        loss_hessian(&rows, &setup, x, false, hessian[1]);
        CHECK_MSG(loss == again, "%d threads: loss %.17g and %.17g", threads, loss, again);
        CHECK(memcmp(gradient[0], gradient[1], sizeof gradient[0]) == 0);
        CHECK(memcmp(hessian[0], hessian[1], (size_t)N * N * sizeof(double)) == 0);
        if (!run_fit(t, &rows, &fit, &start, &result[1])) return;
        CHECK(result[0].k == result[1].k);
        CHECK(memcmp(result[0].weights, result[1].weights, N * sizeof(double)) == 0);
        fit_result_clear(&result[1]);
    }
    fit_result_clear(&result[0]);
    free(hessian[0]);
    free(hessian[1]);
    row_set_clear(&rows);
}

// Every optimiser finds Newton's optimum.
void test_tuner_optimisers(TestContext *t) {
    Weights truth, start;
    RowSet rows;
    FitResult newton, bfgs;
    invent_weights(&truth);
    weights_classic(&start);
    if (!random_rows(t, 100, &truth, 0.003, &rows)) return;
    FitSetup setup = fit_setup(OPTIMISER_NEWTON, 2);
    if (!run_fit(t, &rows, &setup, &start, &newton)) return;
    CHECK(newton.optimiser.converged);
    CHECK_MSG(newton.optimiser.iterations <= 8, "%d iterations", newton.optimiser.iterations);
    CHECK_MSG(newton.optimiser.gradient_norm < 1e-12, "gradient norm %.3g",
              newton.optimiser.gradient_norm);
    setup.optimiser = OPTIMISER_BFGS;
    if (!run_fit(t, &rows, &setup, &start, &bfgs)) return;
    CHECK(bfgs.optimiser.converged);
    CHECK_NEAR(bfgs.optimiser.value, newton.optimiser.value, 1e-8);
    CHECK_MSG(bfgs.optimiser.value >= newton.optimiser.value - 1e-15, "below the optimum: %.17g",
              bfgs.optimiser.value - newton.optimiser.value);
    double away = 0.0;
    for (int i = 0; i < N; i++) away = fmax(away, fabs(bfgs.weights[i] - newton.weights[i]));
    CHECK_MSG(away < 0.5, "a weight differs by %.3g units", away);
    fit_result_clear(&newton);
    fit_result_clear(&bfgs);
    row_set_clear(&rows);
}

// Results drawn from known weights: the fit finds the material again, and K; then the scale rule,
// centring and rounding, none of which changes what is predicted.
void test_tuner_recovery(TestContext *t) {
    Weights truth, start, whole;
    RowSet rows;
    FitResult result;
    Err err = {0};
    double loss[PART_COUNT], flat[N], before[ROWS_CHUNK], after[ROWS_CHUNK];
    invent_weights(&truth);
    weights_classic(&start);
    if (!random_rows(t, 1500, &truth, 0.004, &rows)) return;
    const FitSetup setup = fit_setup(OPTIMISER_NEWTON, 2);
    if (!run_fit(t, &rows, &setup, &start, &result)) return;
    CHECK(result.loss[PART_TRAIN] < result.start_loss[PART_TRAIN]);
    CHECK(result.loss[PART_VALID] < result.start_loss[PART_VALID]);
    PieceValue fitted[GROUP_COUNT], expected[GROUP_COUNT];
    values_flat(&truth, flat);
    piece_values(&rows, flat, expected);
    double k = 0, k_truth = 0;
    const LossSetup plain = {.lambda = 1.0, .threads = 2};
    CHECK(loss_fit_k(&rows, &plain, flat, &k_truth, &err) == STATUS_OK);
    // A third of draws flattens the slope: the fitted k is that of the drawn results, not 0.004.
    CHECK_MSG(k_truth > 0.0015 && k_truth < 0.004, "k of the truth %.5f", k_truth);
    const double k_fit = result.k;
    loss_chunk_scores(&rows, 0, result.weights, before);
    values_centre(&rows, result.weights);
    k = k_fit;
    CHECK(values_apply_scale(&rows, result.weights, &k, &err) == STATUS_OK);
    piece_values(&rows, result.weights, fitted);
    CHECK_NEAR(fitted[GROUP_CHARIOT].mean, 900, 1e-12);
    CHECK_NEAR(result.weights[2 * WEIGHT_INDEX(material_chariot)], fitted[GROUP_CHARIOT].middlegame,
               1e-9);
    loss_chunk_scores(&rows, 0, result.weights, after);
    for (uint32_t i = 0; i < rows.chunks[0].count; i++) {
        CHECK_MSG(fabs(k * after[i] - k_fit * before[i]) < 1e-9, "row %u predicts otherwise", i);
    }
    for (int group = GROUP_ADVISOR; group < GROUP_COUNT; group++) {
        const double truth_value = expected[group].mean * 900 / expected[GROUP_CHARIOT].mean;
        CHECK_MSG(fabs(fitted[group].mean - truth_value) < 100, "%s: fitted %.0f, truth %.0f",
                  weight_group_name((WeightGroup)group), fitted[group].mean, truth_value);
    }
    CHECK(values_round(&rows, result.weights, result.hessian, &whole, &err) == STATUS_OK);
    values_flat(&whole, flat);
    piece_values(&rows, flat, fitted);
    CHECK_NEAR(fitted[GROUP_CHARIOT].mean, 900, 0.0002);
    fit_measure(&rows, &setup, k, 0, flat, loss);
    CHECK_NEAR(loss[PART_TRAIN], result.loss[PART_TRAIN], 1e-5);
    result.weights[4] = 40000;
    CHECK_INT(values_round(&rows, result.weights, NULL, &whole, &err), STATUS_NUMERIC);
    fit_result_clear(&result);
    row_set_clear(&rows);
}

// Draws every row's result anew from sigma(k * score of the weights): no draws, rows independent.
static void draw_results(const RowSet *rows, const double *flat, double k, uint64_t seed) {
    double scores[ROWS_CHUNK];
    for (size_t c = 0; c < rows->chunk_count; c++) {
        Random random;
        random_init(&random, seed, c);
        loss_chunk_scores(rows, c, flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const bool win = random_real(&random) < 1.0 / (1.0 + exp(-k * scores[i]));
            ((uint8_t *)rows->chunks[c].result)[i] = win ? 2 : 0;
        }
    }
}

// Results drawn from known weights again and again: the 95 % intervals hold the truth in 95 % of
// the runs. The material of all kinds is fitted, the rest is known.
void test_tuner_coverage(TestContext *t) {
    Weights truth;
    RowSet rows;
    double flat[N];
    bool frozen[N];
    Err err = {0};
    const int runs = t->full ? 200 : 20;
    const double k = 0.004;
    invent_weights(&truth);
    values_flat(&truth, flat);
    if (!random_rows(t, 150, &truth, k, &rows)) return;
    for (int i = 0; i < N; i++) frozen[i] = true;
    CHECK(select_weights("material_*", false, frozen, &err) == STATUS_OK);
    FitSetup setup = fit_setup(OPTIMISER_NEWTON, 2);
    setup.k = k;
    setup.weigh = WEIGH_ROWS;
    setup.valid_fraction = 0;
    setup.frozen = frozen;
    const PriorSetup weak = {1e5, 1e5, 0};
    Prior prior;
    prior_for_evaluation(&prior, &weak, &rows, flat);
    int held[N] = {0}, all = 0, fitted = 0;
    for (int run = 0; run < runs; run++) {
        FitResult result;
        double *covariance = NULL, start[N];
        draw_results(&rows, flat, k, (uint64_t)run);
        memcpy(start, flat, sizeof start);
        Status status = fit_run(&rows, &setup, &prior, start, &result, &err);
        if (status == STATUS_OK) {
            status = errors_covariance(&rows, &setup, &result, &covariance, &err);
        }
        if (!CHECK_MSG(status == STATUS_OK, "run %d: %s", run, err.text)) break;
        for (int i = 0; i < N; i++) {
            const double error = 1.96 * sqrt(covariance[i * N + i]);
            held[i] += !frozen[i] && fabs(result.weights[i] - flat[i]) <= error;
        }
        free(covariance);
        fit_result_clear(&result);
    }
    // Each weight within 4.5 standard errors of the binomial share, their mean within as many of a
    // share with a third as many independent trials.
    const double one = 4.5 * sqrt(0.95 * 0.05 / runs);
    for (int i = 0; i < N; i++) {
        if (frozen[i]) continue;
        fitted++;
        all += held[i];
        CHECK_MSG(fabs((double)held[i] / runs - 0.95) < one, "%s.%s: %d of %d intervals hold",
                  weight_term_of(i / 2)->name, i % 2 ? "eg" : "mg", held[i], runs);
    }
    CHECK_INT(fitted, 14);
    CHECK_MSG(fabs((double)all / (runs * fitted) - 0.95) < one / 2, "%d of %d intervals hold", all,
              runs * fitted);
    prior_clear(&prior);
    row_set_clear(&rows);
}

// Value, gradient and Hessian of the prior agree; its pieces do what they say.
void test_tuner_prior(TestContext *t) {
    Weights weights;
    RowSet rows;
    double centre[N], x[N], gradient[N], up[N], down[N];
    invent_weights(&weights);
    values_flat(&weights, centre);
    if (!random_rows(t, 20, &weights, 0.003, &rows)) return;
    const PriorSetup strengths = {40, 1000, 25};
    Prior prior;
    prior_for_evaluation(&prior, &strengths, &rows, centre);
    CHECK(prior_value(&prior, centre, NULL) == 0.0);
    double *hessian = memory_alloc((size_t)N * N, sizeof *hessian);
    prior_add_hessian(&prior, hessian);
    Random random;
    random_init(&random, 8, 0);
    for (int i = 0; i < N; i++) x[i] = centre[i] + 20 * random_real(&random);
    memset(gradient, 0, sizeof gradient);
    prior_value(&prior, x, gradient);
    for (int i = 0; i < N; i += 11) {
        const double kept = x[i];
        memset(up, 0, sizeof up);
        memset(down, 0, sizeof down);
        x[i] = kept + 1;
        const double above = prior_value(&prior, x, up);
        x[i] = kept - 1;
        const double below = prior_value(&prior, x, down);
        x[i] = kept;
        CHECK_NEAR((above - below) / 2, gradient[i], 1e-9);
        for (int j = 0; j < N; j++) CHECK_NEAR((up[j] - down[j]) / 2, hessian[i * N + j], 1e-9);
    }
    // A horse on b0 has neighbours on a0, c0 and b1; a0 and d0 are not neighbours.
    const WeightTerm *horse = board_find_table("table_horse", NULL);
    const int b0 = 2 * (horse->first + board_entry(horse, square_make(1, 0)));
    const int a0 = 2 * (horse->first + board_entry(horse, square_make(0, 0)));
    const int d0 = 2 * (horse->first + board_entry(horse, square_make(3, 0)));
    const double tie = 1.0 / (25 * 25), tied = hessian[b0 * N + a0],
                 free_pair = hessian[a0 * N + d0];
    prior_clear(&prior);
    const PriorSetup rough = {40, 1000, 0};
    prior_for_evaluation(&prior, &rough, &rows, centre);
    memset(hessian, 0, (size_t)N * N * sizeof *hessian);
    prior_add_hessian(&prior, hessian);
    CHECK_NEAR(tied - hessian[b0 * N + a0], -tie, 1e-12);
    CHECK_NEAR(free_pair - hessian[a0 * N + d0], 0.0, 1e-12);
    prior_clear(&prior);
    free(hessian);
    row_set_clear(&rows);
}

// Cross-validation prefers a sensible prior to none and to one that lets nothing move.
void test_tuner_cv(TestContext *t) {
    Weights truth, start;
    RowSet rows;
    double flat[N];
    int best[2] = {-1, -1};
    double loss[2] = {0, 0};
    Err err = {0};
    invent_weights(&truth);
    weights_classic(&start);
    values_flat(&start, flat);
    if (!random_rows(t, 300, &truth, 0.004, &rows)) return;
    FitSetup setup = fit_setup(OPTIMISER_NEWTON, 1);
    for (int run = 0; run < 2; run++) {
        CvSetting settings[] = {
            {.prior = {0.01, 1000, 0}}, {.prior = {20, 1000, 0}}, {.prior = {3000, 3000, 0}}};
        setup.threads = run + 1;
        const Status status = cv_run(&rows, &setup, flat, 3, settings, 3, NULL, &best[run], &err);
        CHECK_MSG(status == STATUS_OK, "%s", err.text);
        loss[run] = settings[2].loss;
        CHECK(settings[1].difference.value == 0.0);
        CHECK(settings[0].difference.value > 0.0 && settings[2].difference.value > 0.0);
        CHECK(settings[2].difference.error > 0.0);
    }
    CHECK_INT(best[0], 1);
    CHECK_INT(best[1], 1);
    CHECK(loss[0] == loss[1]);
    row_set_clear(&rows);
}

// Rounding by loss is never worse than rounding to the nearest.
void test_tuner_rounding(TestContext *t) {
    double *hessian = memory_alloc((size_t)N * N, sizeof *hessian), weights[N], mean[2] = {0, 0};
    Random random;
    Err err = {0};
    random_init(&random, 12, 0);
    RowSet rows; // without chariots: nothing to hold
    row_set_init(&rows, WEIGHT_COUNT, PHASE_MAX);
    for (int i = 0; i < N; i++) {
        weights[i] = random_real(&random) * 100;
        for (int j = 0; j < N; j++) hessian[i * N + j] = i == j ? 1.05 : 1.0;
    }
    for (int by_loss = 0; by_loss < 2; by_loss++) {
        Weights whole;
        double flat[N];
        CHECK(values_round(&rows, weights, by_loss ? hessian : NULL, &whole, &err) == STATUS_OK);
        values_flat(&whole, flat);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                mean[by_loss] +=
                    (flat[i] - weights[i]) * hessian[i * N + j] * (flat[j] - weights[j]);
            }
        }
    }
    CHECK_MSG(mean[1] < 0.9 * mean[0], "by loss %.4f, nearest %.4f", mean[1], mean[0]);
    free(hessian);
}

void test_tuner_refusals(TestContext *t) {
    Weights weights;
    RowSet rows;
    FitResult result;
    Err err = {0};
    double flat[N];
    invent_weights(&weights);
    values_flat(&weights, flat);
    row_set_init(&rows, WEIGHT_COUNT, PHASE_MAX);
    row_set_finish(&rows);
    CHECK_INT(fit_check_rows(&rows, &err), STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "no sampled positions"), "%s", err.text);
    if (!random_rows(t, 20, &weights, 1.0, &rows)) return;
    for (size_t c = 0; c < rows.chunk_count; c++) {
        for (uint32_t i = 0; i < rows.chunks[c].count; i++) {
            ((uint8_t *)rows.chunks[c].result)[i] = 2;
        }
    }
    CHECK_INT(fit_check_rows(&rows, &err), STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "wins for Red"), "%s", err.text);
    row_set_clear(&rows);
    if (!random_rows(t, 20, &weights, 0.003, &rows)) return;
    Prior prior;
    const PriorSetup strengths = {40, 1000, 0};
    const FitSetup setup = fit_setup(OPTIMISER_NEWTON, 1);
    flat[17] = NAN;
    prior_for_evaluation(&prior, &strengths, &rows, flat);
    CHECK_INT(fit_run(&rows, &setup, &prior, flat, &result, &err), STATUS_NUMERIC);
    CHECK_MSG(strstr(err.text, "nan"), "%s", err.text);
    prior_clear(&prior);
    row_set_clear(&rows);
}

void test_weight_files(TestContext *t) {
    Weights weights, again;
    Text text = {0};
    Err err = {0};
    invent_weights(&weights);
    weights_format(&weights, "who made it\nand how", &text);
    CHECK_MSG(weights_parse(text_get(&text), "x", &again, &err) == STATUS_OK, "%s", err.text);
    CHECK(memcmp(&weights, &again, sizeof weights) == 0);
    static const struct {
        const char *find, *replace, *word;
    } cases[] = {
        {"material_horse ", "# material_horse ", "material_horse is missing"},
        {"material_horse ", "material_pony ", "unknown term 'material_pony'"},
        {"table_advisor ", "material_horse 1 2\ntable_advisor ", "given twice"},
        {"material_horse ", "material_horse 1 ", "more than its 2 values"},
        {"material_horse ", "material_horse x", "x"},
        {"material_horse ", "material_horse 99999 1\n#", "99999"},
        {"schema ", "schema 00", "schema"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(text_get(&text), cases[i].find);
        Text changed = {0};
        text_add_bytes(&changed, text.data, (size_t)(at - text.data));
        text_add(&changed, "%s%s", cases[i].replace, at + strlen(cases[i].find));
        const Status status = weights_parse(text_get(&changed), "file", &again, &err);
        CHECK_MSG(status != STATUS_OK && strstr(err.text, cases[i].word) &&
                      strstr(err.text, "file"),
                  "case %zu: %d '%s'", i, status, err.text);
        text_clear(&changed);
    }
    text_clear(&text);
}

// Mirrored tables cover both halves; the crossed soldier's lies on the far half.
void test_board_tables(TestContext *t) {
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        CHECK(board_is_table(term) == (strncmp(term->name, "table_", 6) == 0));
        if (!board_is_table(term)) continue;
        bool seen[WEIGHT_COUNT] = {false};
        for (int square = 0; square < SQUARE_COUNT; square++) {
            const int entry = board_entry(term, square);
            CHECK_INT(entry, board_entry(term, square_mirror(square)));
            CHECK(entry >= -1 && entry < term->count);
            if (entry >= 0) seen[entry] = true;
        }
        for (int k = 0; k < term->count; k++) {
            CHECK_MSG(seen[k], "%s[%d] is nowhere on the board", term->name, k);
        }
    }
    Err err = {0};
    CHECK(!board_find_table("material_horse", &err));
    CHECK_MSG(strstr(err.text, "table_soldier_crossed"), "%s", err.text);
    const WeightTerm *crossed = board_find_table("table_soldier_crossed", &err);
    CHECK_INT(board_entry(crossed, square_make(4, 4)), -1);
    CHECK(board_entry(crossed, square_make(4, 5)) >= 0);
    Weights weights;
    Text svg = {0};
    invent_weights(&weights);
    weights.table_soldier_crossed[4] = (Score){-77, 1234};
    term_board_svg(&weights, crossed, "<from> & to", &svg);
    CHECK(strstr(text_get(&svg), ">\xe2\x88\x92"
                                 "77<") != NULL);
    CHECK(strstr(text_get(&svg), ">1234<") != NULL);
    CHECK(strstr(text_get(&svg), "&lt;from&gt; &amp; to") != NULL);
    int discs = 0;
    for (const char *at = text_get(&svg); (at = strstr(at, "<circle")); at++) discs++;
    CHECK_INT(discs, 2 * 45);
    text_clear(&svg);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/fit.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tuner/rows/row_ranks.h"

// ---- what can be fitted -------------------------------------------------------------------------

// Rows by result: lost, drawn, won, none, and anything between; and of all those that have a score.
enum { LOST, DRAWN, WON, NO_RESULT, BETWEEN, SCORED, COUNTS };
static void count_results(const RowSet *rows, double counts[COUNTS]) {
    memset(counts, 0, COUNTS * sizeof *counts);
    for (size_t c = rows->own_first; c < rows->own_end; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const float result = chunk->result[i];
            counts[result < 0       ? NO_RESULT
                   : result == 0    ? LOST
                   : result == 0.5f ? DRAWN
                   : result == 1    ? WON
                                    : BETWEEN]++;
            counts[SCORED] += chunk->score_red[i] != SCORE_UNKNOWN;
        }
    }
    ranks_sum(rows, COUNTS, counts);
}

Status fit_check_rows(const RowSet *rows, Err *err) {
    if (rows->count == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "there are no sampled positions to fit; 'paotai data info DIR' says what is "
                       "there, 'data import --sample-after' from which ply on positions are taken");
    }
    double counts[COUNTS];
    const double count = (double)rows->count;
    count_results(rows, counts);
    if (row_set_trouble(rows, err) != STATUS_OK) return rows->trouble->status;
    if (counts[NO_RESULT] == count && counts[SCORED] == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "none of the %zu positions has a result or a score: there is nothing to "
                       "fit them to",
                       rows->count);
    }
    static const char *const names[] = {"losses for Red", "draws", "wins for Red"};
    for (int i = 0; i < 3; i++) {
        if (counts[i] == 0 || counts[i] + counts[NO_RESULT] != count) continue;
        if (counts[i] != count && counts[SCORED] > 0) continue;
        return err_set(
            err, STATUS_BAD_INPUT,
            "all %.0f positions come from %s: a fit needs more than one result; add games",
            counts[i], names[i]);
    }
    return STATUS_OK;
}

// ---- games in parts -----------------------------------------------------------------------------

// The part of a game: a function of the seed and RowGame.split alone.
static FitPart fit_part_of_game(const FitSetup *setup, uint64_t split) {
    const uint64_t mixed = random_mix(setup->seed ^ random_mix(split + 1));
    const double place = (double)(mixed >> 11) * 0x1p-53;
    if (place < setup->test_fraction) return PART_TEST;
    return place < setup->test_fraction + setup->valid_fraction ? PART_VALID : PART_TRAIN;
}

double *fit_game_weights(const RowSet *rows, FitWeigh weigh) {
    double *weight = memory_alloc(rows->game_count, sizeof *weight);
    const double mean = (double)rows->count / (double)rows->game_count;
    for (size_t i = 0; i < rows->game_count; i++) {
        weight[i] = weigh == WEIGH_GAMES ? mean / rows->games[i].rows : 1.0;
    }
    return weight;
}

double *fit_part_weights(const RowSet *rows, const FitSetup *setup, FitPart part) {
    double *weight = fit_game_weights(rows, setup->weigh);
    for (size_t i = 0; i < rows->game_count; i++) {
        if (fit_part_of_game(setup, rows->games[i].split) != part) weight[i] = 0.0;
    }
    return weight;
}

LossSetup fit_loss_setup(const FitSetup *setup, const double *game_weight) {
    return (LossSetup){.kind = setup->loss,
                       .k = setup->k,
                       .lambda = setup->lambda,
                       .game_weight = game_weight,
                       .threads = setup->threads};
}

// Mean losses on each part, of what each game's rows sum up to.
static void part_means(const RowSet *rows, const FitSetup *setup, const double *losses,
                       const double *counts, Estimate loss[PART_COUNT]) {
    const size_t games = rows->game_count;
    double *sums = memory_alloc(2 * games, sizeof *sums);
    for (int part = 0; part < PART_COUNT; part++) {
        for (size_t i = 0; i < games; i++) {
            const bool inside = (int)fit_part_of_game(setup, rows->games[i].split) == part;
            sums[i] = inside ? losses[i] : 0.0;
            sums[games + i] = inside ? counts[i] : 0.0;
        }
        loss[part] = measure_ratio(sums, sums + games, games);
    }
    free(sums);
}

// The sums of each game and, where they are wanted, the weights of its rows; to be freed.
static double *game_losses(const RowSet *rows, const FitSetup *setup, const LossSetup *slopes,
                           const double *weights, double *counts) {
    LossSetup all = *slopes;
    double *weight = fit_game_weights(rows, setup->weigh);
    double *losses = memory_alloc(rows->game_count, sizeof *losses);
    all.game_weight = weight;
    measure_game_losses(rows, &all, weights, 1.0, losses, counts);
    free(weight);
    return losses;
}

void fit_losses(const RowSet *rows, const FitSetup *setup, const LossSetup *slopes,
                const double *weights, Estimate loss[PART_COUNT]) {
    double *counts = memory_alloc(rows->game_count, sizeof *counts);
    double *losses = game_losses(rows, setup, slopes, weights, counts);
    part_means(rows, setup, losses, counts, loss);
    free(losses);
    free(counts);
}

// The losses of the start and of the fit, and how far they are apart.
static void compare_losses(const RowSet *rows, const FitSetup *setup, const double *start,
                           FitResult *result) {
    double *counts = memory_alloc(rows->game_count, sizeof *counts);
    double *before = game_losses(rows, setup, &result->slopes, start, counts);
    double *now = game_losses(rows, setup, &result->slopes, result->weights, NULL);
    part_means(rows, setup, before, counts, result->start_loss);
    part_means(rows, setup, now, counts, result->loss);
    for (size_t i = 0; i < rows->game_count; i++) now[i] -= before[i];
    part_means(rows, setup, now, counts, result->loss_change);
    free(before);
    free(now);
    free(counts);
}

// ---- the fit ------------------------------------------------------------------------------------

typedef struct Fit {
    const FitSetup *setup;
    const double *start;
    FitProblem problem;
    FitResult *result;
    double *weight[2]; // of the games of training and validation
    double *full;      // all weights, for reports
    LossSums last;     // of the last evaluation, with the loss of validation aside
} Fit;

static void fit_keep_step(FitResult *result, const OptimiserStep *step, double train,
                          double valid) {
    const size_t capacity =
        memory_grow((size_t)result->step_capacity, (size_t)result->step_count + 1);
    if ((int)capacity != result->step_capacity) {
        result->steps = memory_resize(result->steps, capacity, sizeof *result->steps);
        result->step_capacity = (int)capacity;
    }
    result->steps[result->step_count++] =
        (FitStep){step->iteration, train, valid, step->value, step->gradient_norm, step->gap};
}

static bool fit_report(void *context, const OptimiserStep *step) {
    Fit *fit = context;
    const FitSetup *setup = fit->setup;
    if (!setup->report) return true;
    fit_free_to_full(&fit->problem, fit->start, step->x, fit->full);
    const double prior = prior_value(fit->problem.prior, fit->full, NULL);
    // Newton's last evaluation is the one of this point.
    LossSums sums = fit->last;
    if (setup->optimiser != OPTIMISER_NEWTON) {
        sums = loss_evaluate(fit->problem.rows, &fit->problem.loss, fit->full, NULL);
    }
    const double valid = sums.aside_weight > 0 ? sums.aside_loss / sums.aside_weight : NAN;
    const double train = step->value - prior / sums.weight;
    fit_keep_step(fit->result, step, train, valid);
    return setup->report(setup->report_context, step, train, valid);
}

static void count_parts(const RowSet *rows, const FitSetup *setup, FitResult *result) {
    for (size_t i = 0; i < rows->game_count; i++) {
        const FitPart part = fit_part_of_game(setup, rows->games[i].split);
        result->games[part]++;
        result->rows[part] += rows->games[i].rows;
    }
}

static Status fit_all(Fit *fit, FitResult *result, Err *err) {
    FitProblem *problem = &fit->problem;
    const RowSet *rows = problem->rows;
    Status status = loss_fit_slopes(rows, &problem->loss, fit->start, err);
    if (status != STATUS_OK) return status;
    if (fit->setup->report) problem->loss.aside_weight = fit->weight[PART_VALID];
    const size_t n = 2 * (size_t)rows->pairs;
    result->n = (int)n;
    result->slopes = problem->loss;
    result->slopes.game_weight = result->slopes.aside_weight = NULL;
    result->weights = memory_alloc(n, sizeof(double));
    result->hessian = memory_alloc(n * n, sizeof(double));
    memcpy(result->weights, fit->start, n * sizeof(double));
    fit->full = memory_alloc(n, sizeof(double));
    status = fit_minimise(problem, result->weights, result->hessian, &result->weight,
                          &result->optimiser, err);
    free(fit->full);
    if (status != STATUS_OK) return status;
    if (fit->setup->only_weights) return status;
    compare_losses(rows, fit->setup, fit->start, result);
    return STATUS_OK;
}

Status fit_run(const RowSet *rows, const FitSetup *setup, const Prior *prior, const double *start,
               FitResult *result, Err *err) {
    memset(result, 0, sizeof *result);
    Status status = fit_check_rows(rows, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < 2 * rows->pairs; i++) {
        if (isfinite(start[i])) continue;
        return err_set(err, STATUS_NUMERIC, "start weight %d is %g, not a number to fit from", i,
                       start[i]);
    }
    count_parts(rows, setup, result);
    if (result->rows[PART_TRAIN] == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "no game is left for training: all %zu fell to validation or test; "
                       "make --valid-fraction smaller or add games",
                       rows->game_count);
    }
    Fit fit = {.setup = setup,
               .start = start,
               .result = result,
               .problem = {.rows = rows,
                           .prior = prior,
                           .frozen = setup->frozen,
                           .near = setup->near,
                           .optimiser = setup->optimiser},
               .weight = {fit_part_weights(rows, setup, PART_TRAIN),
                          fit_part_weights(rows, setup, PART_VALID)}};
    fit.problem.loss = fit_loss_setup(setup, fit.weight[PART_TRAIN]);
    fit.problem.last = &fit.last;
    fit.problem.options = (OptimiserOptions){.max_iterations = setup->iterations,
                                             .tolerance = setup->tolerance,
                                             .threads = setup->threads,
                                             .report = fit_report,
                                             .report_context = &fit};
    status = fit_all(&fit, result, err);
    free(fit.weight[PART_TRAIN]);
    free(fit.weight[PART_VALID]);
    if (status != STATUS_OK) fit_result_clear(result);
    return status;
}

void fit_result_clear(FitResult *result) {
    free(result->weights);
    free(result->hessian);
    free(result->steps);
    result->weights = result->hessian = NULL;
    result->steps = NULL;
    result->step_count = result->step_capacity = 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"

FitPart fit_part_of_game(const FitSetup *setup, uint64_t game_id) {
    const uint64_t mixed = random_mix(setup->seed ^ random_mix(game_id + 1));
    const double place = (double)(mixed >> 11) * 0x1p-53;
    if (place < setup->test_fraction) return PART_TEST;
    return place < setup->test_fraction + setup->valid_fraction ? PART_VALID : PART_TRAIN;
}

// ---- what can be fitted -------------------------------------------------------------------------

static void count_results(const RowSet *rows, uint64_t counts[4]) {
    memset(counts, 0, 4 * sizeof *counts);
    for (size_t c = 0; c < rows->chunk_count; c++) {
        for (uint32_t i = 0; i < rows->chunks[c].count; i++)
            counts[rows->chunks[c].result[i] & 3]++;
    }
}

Status fit_check_rows(const RowSet *rows, Err *err) {
    if (rows->count == 0) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "there are no sampled positions to fit; 'paotai data info DIR' says what is there");
    }
    uint64_t counts[4];
    count_results(rows, counts);
    static const char *const names[] = {"losses for Red", "draws", "wins for Red"};
    for (int i = 0; i < 3; i++) {
        if (counts[i] + counts[ROW_RESULT_NONE] != rows->count || counts[ROW_RESULT_NONE]) continue;
        return err_set(
            err, STATUS_BAD_INPUT,
            "all %zu positions come from %s: a fit needs more than one result; add games",
            rows->count, names[i]);
    }
    return STATUS_OK;
}

// ---- the objective ------------------------------------------------------------------------------

typedef struct Fit {
    const RowSet *rows;
    const FitSetup *setup;
    const double *start;
    const Prior *prior;
    LossSetup loss;
    double *game_weight[PART_COUNT]; // 1 for the games of the part
    double weight;                   // rows of the training part
} Fit;

static double fit_value(void *context, const double *x, double *gradient) {
    const Fit *fit = context;
    const LossSums sums = loss_evaluate(fit->rows, &fit->loss, x, gradient);
    const double prior = prior_value(fit->prior, x, gradient);
    for (int i = 0; i < fit->prior->n; i++) gradient[i] /= fit->weight;
    return (sums.loss + prior) / fit->weight;
}

static void fit_hessian(void *context, const double *x, double *hessian) {
    const Fit *fit = context;
    const size_t n = (size_t)fit->prior->n;
    loss_hessian(fit->rows, &fit->loss, x, false, hessian);
    prior_add_hessian(fit->prior, hessian);
    for (size_t i = 0; i < n * n; i++) hessian[i] /= fit->weight;
}

// Mean loss of a part's rows.
static double part_loss(const Fit *fit, FitPart part, const double *weights) {
    LossSetup loss = fit->loss;
    loss.game_weight = fit->game_weight[part];
    const LossSums sums = loss_evaluate(fit->rows, &loss, weights, NULL);
    return sums.weight > 0 ? sums.loss / sums.weight : NAN;
}

static bool fit_report(void *context, const OptimiserStep *step) {
    Fit *fit = context;
    if (!fit->setup->report) return true;
    // A line search may have evaluated elsewhere last: the loss at x is the value minus the prior.
    const double train = step->value - prior_value(fit->prior, step->x, NULL) / fit->weight;
    return fit->setup->report(fit->setup->report_context, step, train,
                              part_loss(fit, PART_VALID, step->x));
}

// ---- the fit ------------------------------------------------------------------------------------

double *fit_game_weights(const RowSet *rows, FitWeigh weigh) {
    double *weight = memory_alloc(rows->game_count, sizeof *weight);
    const double mean = (double)rows->count / (double)rows->game_count;
    for (size_t i = 0; i < rows->game_count; i++) {
        weight[i] = weigh == WEIGH_GAMES ? mean / rows->games[i].rows : 1.0;
    }
    return weight;
}

double *fit_training_weights(const RowSet *rows, const FitSetup *setup) {
    double *weight = fit_game_weights(rows, setup->weigh);
    for (size_t i = 0; i < rows->game_count; i++) {
        if (fit_part_of_game(setup, rows->games[i].id) != PART_TRAIN) weight[i] = 0.0;
    }
    return weight;
}

static void fit_split(Fit *fit, FitResult *result) {
    const size_t games = fit->rows->game_count;
    for (int part = 0; part < PART_COUNT; part++) {
        fit->game_weight[part] = memory_alloc(games, sizeof(double));
    }
    double *weight = fit_game_weights(fit->rows, fit->setup->weigh);
    for (size_t i = 0; i < games; i++) {
        const FitPart part = fit_part_of_game(fit->setup, fit->rows->games[i].id);
        fit->game_weight[part][i] = weight[i];
        result->games[part]++;
        result->rows[part] += fit->rows->games[i].rows;
    }
    free(weight);
    fit->loss.game_weight = fit->game_weight[PART_TRAIN];
}

static Status fit_prepare(Fit *fit, FitResult *result, Err *err) {
    Status status = fit_check_rows(fit->rows, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < fit->prior->n; i++) {
        if (!isfinite(fit->start[i]) || !isfinite(fit->prior->centre[i])) {
            return err_set(err, STATUS_NUMERIC,
                           "weight %d is %g at the start, not a number to fit from", i,
                           fit->start[i]);
        }
    }
    fit_split(fit, result);
    if (result->rows[PART_TRAIN] == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "no game is left for training: all %zu fell to validation or test; "
                       "make --valid-fraction smaller or add games",
                       fit->rows->game_count);
    }
    if (fit->setup->lambda < 1.0) {
        status = loss_fit_k_score(fit->rows, &fit->loss, &fit->loss.k_score, err);
    }
    if (status == STATUS_OK && fit->setup->k <= 0) {
        status = loss_fit_k(fit->rows, &fit->loss, fit->start, &fit->loss.k, err);
    }
    return status;
}

static Status fit_minimise(Fit *fit, FitResult *result, Err *err) {
    const int n = 2 * fit->rows->pairs;
    const FitSetup *setup = fit->setup;
    result->k = fit->loss.k;
    result->k_score = fit->loss.k_score;
    result->n = n;
    result->weights = memory_alloc((size_t)n, sizeof(double));
    memcpy(result->weights, fit->start, (size_t)n * sizeof(double));
    fit->weight = loss_evaluate(fit->rows, &fit->loss, fit->start, NULL).weight;
    result->weight = fit->weight;
    const Objective objective = {n, fit, fit_value, fit_hessian};
    const OptimiserOptions options = {.max_iterations = setup->iterations,
                                      .tolerance = setup->tolerance,
                                      .report = fit_report,
                                      .report_context = fit};
    const Status status =
        optimise(setup->optimiser, &objective, &options, result->weights, &result->optimiser, err);
    if (status != STATUS_OK) return status;
    result->hessian = memory_alloc((size_t)n * (size_t)n, sizeof(double));
    fit_hessian(fit, result->weights, result->hessian);
    return STATUS_OK;
}

Status fit_run(const RowSet *rows, const FitSetup *setup, const Prior *prior, const double *start,
               FitResult *result, Err *err) {
    memset(result, 0, sizeof *result);
    Fit fit = {.rows = rows,
               .setup = setup,
               .start = start,
               .prior = prior,
               .loss = {.kind = setup->loss,
                        .k = setup->k,
                        .lambda = setup->lambda,
                        .threads = setup->threads}};
    Status status = fit_prepare(&fit, result, err);
    if (status == STATUS_OK) status = fit_minimise(&fit, result, err);
    for (int part = 0; part < PART_COUNT && status == STATUS_OK; part++) {
        result->start_loss[part] = part_loss(&fit, (FitPart)part, start);
        result->loss[part] = part_loss(&fit, (FitPart)part, result->weights);
    }
    for (int part = 0; part < PART_COUNT; part++) free(fit.game_weight[part]);
    if (status != STATUS_OK) fit_result_clear(result);
    return status;
}

void fit_result_clear(FitResult *result) {
    free(result->weights);
    free(result->hessian);
    result->weights = result->hessian = NULL;
}

void fit_measure(const RowSet *rows, const FitSetup *setup, double k, double k_score,
                 const double *weights, double loss[PART_COUNT]) {
    FitResult counts = {0};
    Fit fit = {.rows = rows,
               .setup = setup,
               .loss = {.kind = setup->loss,
                        .k = k,
                        .lambda = setup->lambda,
                        .k_score = k_score,
                        .threads = setup->threads}};
    fit_split(&fit, &counts);
    for (int part = 0; part < PART_COUNT; part++) {
        loss[part] = part_loss(&fit, (FitPart)part, weights);
        free(fit.game_weight[part]);
    }
}

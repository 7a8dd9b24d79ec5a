// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/bootstrap.h"

#include <math.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/random.h"

// Means and sums of squared deviations, updated number by number (Welford 1962).
typedef struct Spread {
    double mean, squares;
} Spread;

static void spread_add(Spread *spread, double value, int count) {
    const double away = value - spread->mean;
    spread->mean += away / count;
    spread->squares += away * (value - spread->mean);
}
static double spread_deviation(const Spread *spread, int count) {
    return count > 1 ? sqrt(spread->squares / (count - 1)) : NAN;
}

// Weights of games drawn with replacement from those with weight: weight times how often drawn.
static void draw_games(const double *training, size_t games, uint64_t seed, int run,
                       double *drawn) {
    size_t *place = memory_alloc(games, sizeof *place), count = 0;
    Random random;
    random_init(&random, seed, (uint64_t)run);
    for (size_t i = 0; i < games; i++) {
        drawn[i] = 0.0;
        if (training[i] > 0) place[count++] = i;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t game = place[random_below(&random, count)];
        drawn[game] += training[game];
    }
    free(place);
}

typedef struct Replicates {
    int n;
    Spread *weight; // [n]
    Spread value[GROUP_COUNT][VALUE_KINDS];
} Replicates;

static void add_replicate(Replicates *all, const RowSet *rows, const double *weights, int count) {
    PieceValue values[GROUP_COUNT];
    if (!rows->names) piece_values(rows, weights, values);
    const double factor =
        values_have_scale(rows) ? SCALE_CHARIOT / values[GROUP_CHARIOT].mean : 1.0;
    for (int i = 0; i < all->n; i++) spread_add(&all->weight[i], factor * weights[i], count);
    for (int g = 0; g < GROUP_COUNT && !rows->names; g++) {
        const double value[VALUE_KINDS] = {values[g].middlegame, values[g].endgame, values[g].mean};
        for (int kind = 0; kind < VALUE_KINDS; kind++) {
            spread_add(&all->value[g][kind], factor * value[kind], count);
        }
    }
}

static void finish(const Replicates *all, int count, FitErrors *errors) {
    for (int i = 0; i < all->n; i++) errors->weight[i] = spread_deviation(&all->weight[i], count);
    for (int g = 0; g < GROUP_COUNT; g++) {
        errors->value[g].middlegame = spread_deviation(&all->value[g][VALUE_MIDDLEGAME], count);
        errors->value[g].endgame = spread_deviation(&all->value[g][VALUE_ENDGAME], count);
        errors->value[g].mean = spread_deviation(&all->value[g][VALUE_MEAN], count);
    }
}

Status bootstrap_run(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                     const FitResult *result, int runs, void (*done)(void *context, int fits),
                     void *context, FitErrors *errors, Err *err) {
    const size_t n = (size_t)result->n;
    double *training = fit_part_weights(rows, setup, PART_TRAIN);
    double *drawn = memory_alloc(rows->game_count, sizeof *drawn);
    double *weights = memory_alloc(n, sizeof *weights);
    Replicates all = {.n = result->n, .weight = memory_alloc(n, sizeof *all.weight)};
    *errors = (FitErrors){.weight = memory_alloc(n, sizeof *errors->weight)};
    FitProblem problem = {.rows = rows,
                          .loss = result->slopes,
                          .prior = prior,
                          .frozen = setup->frozen,
                          .optimiser = setup->optimiser,
                          .options = {.max_iterations = setup->iterations,
                                      .tolerance = fmax(setup->tolerance, 1e-9)}};
    problem.loss.game_weight = drawn;
    Status status = STATUS_OK;
    for (int run = 0; run < runs && status == STATUS_OK; run++) {
        OptimiserResult ignored;
        draw_games(training, rows->game_count, setup->seed, run, drawn);
        memcpy(weights, result->weights, n * sizeof *weights);
        status = interrupt_requested()
                     ? err_set(err, STATUS_INTERRUPTED, "interrupted during the bootstrap")
                     : fit_minimise(&problem, weights, NULL, NULL, &ignored, err);
        if (status != STATUS_OK) break;
        add_replicate(&all, rows, weights, run + 1);
        if (done) done(context, run + 1);
    }
    if (status == STATUS_OK) finish(&all, runs, errors);
    free(all.weight);
    free(weights);
    free(drawn);
    free(training);
    return status;
}

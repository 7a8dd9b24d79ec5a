// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/resample.h"

#include <math.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/random.h"

// A fit to these games from weights, which become its own; the user may interrupt.
static Status fit_again(const RowSet *rows, const FitSetup *setup, const Prior *prior,
                        const LossSetup *loss, const double *game_weight, double *weights,
                        Err *err) {
    FitProblem problem = {.rows = rows,
                          .loss = *loss,
                          .prior = prior,
                          .frozen = setup->frozen,
                          .optimiser = setup->optimiser,
                          .options = {.max_iterations = setup->iterations,
                                      .tolerance = fmax(setup->tolerance, 1e-9)}};
    OptimiserResult ignored;
    problem.loss.game_weight = game_weight;
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted during fits to other games");
    }
    return fit_minimise(&problem, weights, NULL, NULL, &ignored, err);
}

// ---- cross-validation ---------------------------------------------------------------------------

typedef struct Cv {
    const RowSet *rows;
    const FitSetup *setup;
    const double *start;
    LossSetup loss;      // k, k_score; its game_weight is fold_weight
    double *training;    // weight of each game in the training part
    double *fold_weight; // the same without a fold, or of that fold alone
    int *fold;           // of each game
    double *weights;     // of the fit under way: each setting begins where the last one ended
} Cv;

static void choose_games(Cv *cv, int fold, bool inside) {
    for (size_t i = 0; i < cv->rows->game_count; i++) {
        const bool wanted = (cv->fold[i] == fold) == inside;
        cv->fold_weight[i] = wanted ? cv->training[i] : 0.0;
    }
}

// Fits without a fold and adds the fold's losses to losses[game].
static Status fit_fold(Cv *cv, const PriorSetup *strengths, int fold, double *losses, Err *err) {
    Prior prior;
    prior_for_evaluation(&prior, strengths, cv->rows, cv->start);
    choose_games(cv, fold, false);
    const Status status =
        fit_again(cv->rows, cv->setup, &prior, &cv->loss, cv->fold_weight, cv->weights, err);
    prior_clear(&prior);
    if (status != STATUS_OK) return status;
    choose_games(cv, fold, true);
    measure_game_losses(cv->rows, &cv->loss, cv->weights, 1.0, losses, NULL);
    return STATUS_OK;
}

// All folds of all settings; losses is [count][games].
static Status fit_folds(Cv *cv, int folds, const CvSetting *settings, int count, double *losses,
                        FitDone *done, void *context, Err *err) {
    for (int fold = 0; fold < folds; fold++) {
        memcpy(cv->weights, cv->start, 2 * (size_t)cv->rows->pairs * sizeof *cv->weights);
        for (int s = 0; s < count; s++) {
            const Status status = fit_fold(cv, &settings[s].prior, fold,
                                           losses + (size_t)s * cv->rows->game_count, err);
            if (status != STATUS_OK) return status;
            if (done) done(context, fold * count + s + 1);
        }
    }
    return STATUS_OK;
}

// Means, the best of them, and the differences from it.
static void compare_settings(const Cv *cv, CvSetting *settings, int count, double *losses,
                             int *best) {
    const size_t games = cv->rows->game_count;
    double *counts = memory_alloc(games, sizeof *counts);
    for (size_t i = 0; i < games; i++) counts[i] = cv->training[i] * cv->rows->games[i].rows;
    *best = 0;
    for (int s = 0; s < count; s++) {
        settings[s].loss = measure_ratio(losses + (size_t)s * games, counts, games).value;
        if (settings[s].loss < settings[*best].loss) *best = s;
    }
    double *difference = memory_alloc(games, sizeof *difference);
    for (int s = 0; s < count; s++) {
        for (size_t i = 0; i < games; i++) {
            difference[i] = losses[(size_t)s * games + i] - losses[(size_t)*best * games + i];
        }
        settings[s].difference = measure_ratio(difference, counts, games);
    }
    free(difference);
    free(counts);
}

Status cv_run(const RowSet *rows, const FitSetup *setup, const double *start, int folds,
              CvSetting *settings, int count, FitDone *done, void *context, int *best, Err *err) {
    const size_t games = rows->game_count, n = 2 * (size_t)rows->pairs;
    Status status = fit_check_rows(rows, err);
    if (status != STATUS_OK) return status;
    Cv cv = {.rows = rows,
             .setup = setup,
             .start = start,
             .training = fit_part_weights(rows, setup, PART_TRAIN),
             .fold_weight = memory_alloc(games, sizeof(double)),
             .fold = memory_alloc(games, sizeof(int)),
             .weights = memory_alloc(n, sizeof(double))};
    for (size_t i = 0; i < games; i++) {
        // Another stream than that of the parts.
        const uint64_t mixed = random_mix(~setup->seed ^ random_mix(rows->games[i].split + 1));
        cv.fold[i] = (int)(mixed % (uint64_t)folds);
        cv.fold_weight[i] = cv.training[i];
    }
    double *losses = memory_alloc((size_t)count * games, sizeof *losses);
    cv.loss = fit_loss_setup(setup, cv.fold_weight);
    status = loss_fit_slopes(rows, &cv.loss, start, err);
    if (status == STATUS_OK) {
        status = fit_folds(&cv, folds, settings, count, losses, done, context, err);
    }
    if (status == STATUS_OK) compare_settings(&cv, settings, count, losses, best);
    free(losses);
    free(cv.training);
    free(cv.fold_weight);
    free(cv.fold);
    free(cv.weights);
    return status;
}

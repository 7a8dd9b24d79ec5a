// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/cv.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/interrupt.h"

// Fits the weights to the training games outside `fold`. The fit starts from the array `weights`
// and stores its result there. Adds the loss of each game of the fold to losses[game], and the
// total weight of its positions to counts[game] unless `counts` is NULL.
static Status fit_fold(const Fit *all, const PriorSetup *prior, const int *fold_of, int fold,
                       double *weights, double *losses, double *counts, Err *err) {
    const size_t games = all->rows->game_count;
    AUTO_FREE bool *taken = memory_alloc(games, sizeof *taken);
    AUTO_FREE double *held = memory_alloc(games, sizeof *held);
    LossSetup loss = all->loss;
    loss.game_weight = held;
    for (size_t i = 0; i < games; i++) {
        taken[i] = fold_of[i] != fold;
        held[i] = taken[i] ? 0.0 : all->train[i];
    }
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted during cross-validation");
    }
    TRY(fit_again(all, prior, taken, weights, err));
    measure_game_losses(all->rows, &loss, weights, losses, counts);
    return STATUS_OK;
}

// Sets the mean loss of each setting, its difference from the least mean loss, and the index of the
// best setting. losses [count][games] are the losses of the games under each setting, counts
// [games] the total weights of the positions of each game.
static void compare_settings(size_t games, CvSetting *settings, int count, const double *losses,
                             const double *counts, int *best) {
    *best = 0;
    for (int s = 0; s < count; s++) {
        settings[s].loss = measure_ratio(losses + (size_t)s * games, counts, games).value;
        if (settings[s].loss < settings[*best].loss) *best = s;
    }
    for (int s = 0; s < count; s++) {
        settings[s].difference = measure_change(losses + (size_t)s * games,
                                                losses + (size_t)*best * games, counts, games);
    }
}

Status cv_run(const Fit *fit, int folds, CvSetting *settings, int count, Progress *progress,
              int *best, Err *err) {
    const RowSet *rows = fit->rows;
    const size_t games = rows->game_count, n = (size_t)fit->n;
    Fit all = BORROW(*fit);
    TRY(fit_check_rows(rows, all.setup.lambda, err));
    TRY(loss_fit_slopes(rows, &all.loss, all.start, err));
    AUTO_FREE int *fold_of = memory_alloc(games, sizeof *fold_of);
    for (size_t i = 0; i < games; i++) {
        // All bits of the seed are inverted, so that the folds are independent of the division of
        // the games into training, validation and test games.
        const uint64_t mixed = random_mix(~all.setup.seed ^ random_mix(rows->games[i].split + 1));
        fold_of[i] = (int)(mixed % (uint64_t)folds);
    }
    AUTO_FREE double *losses = memory_alloc((size_t)count * games, sizeof *losses);
    AUTO_FREE double *counts = memory_alloc(games, sizeof *counts);
    AUTO_FREE double *weights = memory_alloc(n, sizeof *weights);
    for (int fold = 0; fold < folds; fold++) {
        memcpy(weights, all.start, n * sizeof *weights);
        // Each fit starts from the result of the fit with the previous prior.
        for (int s = 0; s < count; s++) {
            TRY(fit_fold(&all, &settings[s].prior, fold_of, fold, weights,
                         losses + (size_t)s * games, s == 0 ? counts : NULL, err));
            if (progress) progress_update(progress, (uint64_t)(fold * count + s + 1), NULL);
        }
    }
    compare_settings(games, settings, count, losses, counts, best);
    return STATUS_OK;
}

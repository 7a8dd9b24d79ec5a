// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tuner/rows/row_ranks.h"

void tuner_library_init(void) {
    gsl_set_error_handler_off();
}

void fit_keep_memory(void) {
    enum { KEPT_SIZE = 256 << 20 };
    mallopt(M_MMAP_THRESHOLD, KEPT_SIZE);
    mallopt(M_TRIM_THRESHOLD, KEPT_SIZE);
}

void tuner_library_versions(FILE *out) {
    fprintf(out, "gsl %s\n", gsl_version);
}

// ---- what can be fitted -------------------------------------------------------------------------

Status fit_check_rows(const RowSet *rows, double lambda, Err *err) {
    if (rows->count == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "there are no sampled positions to fit: 'paotai data info DIR' shows what "
                       "the run contains; 'data import --sample-after PLY' samples positions");
    }
    const double with_result = (double)(rows->count - rows->without_result);
    const bool scored = rows->without_score < rows->count;
    double counts[3] = {0}; // numbers of positions in which Red lost, drew and won
    for (size_t c = rows->own_first; c < rows->own_end; c++) {
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const float result = rows->chunks[c].result[i];
            for (int k = 0; k < 3; k++) counts[k] += 2 * result == (float)k;
        }
    }
    ranks_sum(rows, 3, counts);
    TRY(row_set_lost(rows, err));
    if (with_result == 0 && !scored) {
        return err_set(err, STATUS_BAD_INPUT,
                       "none of the %zu positions has a result or a search score, so there is no "
                       "target to fit; give games with results or scores",
                       rows->count);
    }
    static const char *const names[] = {"losses for Red", "draws", "wins for Red"};
    for (int i = 0; i < 3; i++) {
        if (counts[i] == 0 || counts[i] != with_result) continue;
        if (with_result < (double)rows->count && scored && lambda < 1) continue;
        return err_set(
            err, STATUS_BAD_INPUT,
            "all %.0f positions with a result come from %s, but a fit needs games with different "
            "results; add games",
            counts[i], names[i]);
    }
    return STATUS_OK;
}

// ---- training, validation and test games --------------------------------------------------------

FitPart fit_part_of_game(const FitSetup *setup, uint64_t split) {
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

// Computes the mean loss of the training, validation and test games from the summed losses and
// total weights of the positions of each game.
static void part_means(const Fit *fit, const double *losses, const double *counts,
                       Estimate loss[PART_COUNT]) {
    const size_t games = fit->rows->game_count;
    AUTO_FREE double *sums = memory_alloc(2 * games, sizeof *sums);
    for (int part = 0; part < PART_COUNT; part++) {
        for (size_t i = 0; i < games; i++) {
            const bool inside =
                (int)fit_part_of_game(&fit->setup, fit->rows->games[i].split) == part;
            sums[i] = inside ? losses[i] : 0.0;
            sums[games + i] = inside ? counts[i] : 0.0;
        }
        loss[part] = measure_ratio(sums, sums + games, games);
    }
}

// Returns an array with the summed loss of each game; the caller frees it. Unless `counts` is NULL,
// adds the weights of all positions of a game to counts[game].
static double *game_losses(const Fit *fit, const double *weights, double k, double *counts) {
    LossSetup all = fit->loss;
    AUTO_FREE double *weight = fit_game_weights(fit->rows, fit->setup.weigh);
    double *losses = memory_alloc(fit->rows->game_count, sizeof *losses);
    all.game_weight = weight;
    all.k = k;
    measure_game_losses(fit->rows, &all, weights, losses, counts);
    return losses;
}

void fit_compare(Fit *fit, const double *weights) {
    const size_t games = fit->rows->game_count;
    AUTO_FREE double *counts = memory_alloc(games, sizeof *counts);
    AUTO_FREE double *before = game_losses(fit, fit->start, fit->start_k, counts);
    AUTO_FREE double *now = game_losses(fit, weights, fit->loss.k, NULL);
    part_means(fit, before, counts, fit->start_loss);
    part_means(fit, now, counts, fit->part_loss);
    for (size_t i = 0; i < games; i++) now[i] -= before[i];
    part_means(fit, now, counts, fit->loss_change);
}

// ---- free weights -------------------------------------------------------------------------------

size_t *fit_free_places(const Fit *fit, size_t *count) {
    size_t *place = memory_alloc((size_t)fit->n, sizeof *place);
    *count = 0;
    for (int i = 0; i < fit->n; i++) {
        if (!fit->frozen[i]) place[(*count)++] = (size_t)i;
    }
    return place;
}

size_t fit_free_count(const Fit *fit) {
    size_t count = 0;
    for (int i = 0; i < fit->n; i++) count += !fit->frozen[i];
    return count;
}

bool fit_is_whole(const Fit *fit) {
    return fit_free_count(fit) == (size_t)fit->n;
}

// ---- the fit ------------------------------------------------------------------------------------

void fit_init(Fit *fit, const RowSet *rows, const FitSetup *setup, const double *start) {
    const size_t n = 2 * (size_t)rows->pairs;
    *fit = (Fit){.rows = rows,
                 .setup = *setup,
                 .n = (int)n,
                 .start = memory_alloc(n, sizeof *fit->start),
                 .frozen = memory_alloc(n, sizeof *fit->frozen),
                 .train = fit_part_weights(rows, setup, PART_TRAIN),
                 .weights = memory_alloc(n, sizeof *fit->weights)};
    memcpy(fit->start, start, n * sizeof *start);
    memcpy(fit->weights, start, n * sizeof *start);
    fit->loss = fit_loss_setup(setup, fit->train);
    prior_for_evaluation(&fit->prior, &setup->prior, rows, start);
}

void fit_set_prior(Fit *fit, const PriorSetup *prior) {
    prior_clear(&fit->prior);
    fit->setup.prior = *prior;
    prior_for_evaluation(&fit->prior, prior, fit->rows, fit->start);
}

void fit_clear(Fit *fit) {
    free(fit->start);
    free(fit->frozen);
    free(fit->train);
    free(fit->weights);
    free(fit->hessian);
    free(fit->factor);
    prior_clear(&fit->prior);
    *fit = (Fit){0};
}

static Status check_start(const Fit *fit, Err *err) {
    for (int i = 0; i < fit->n; i++) {
        if (isfinite(fit->start[i])) continue;
        return err_set(
            err, STATUS_NUMERIC,
            "start weight %d is %g, but a fit needs finite numbers; check the start weights "
            "(--weights)",
            i, fit->start[i]);
    }
    if (fit->setup.lambda >= 1 && fit->rows->without_result == fit->rows->count) {
        return err_set(err, STATUS_BAD_INPUT,
                       "no position has a result, but --lambda 1 fits to results alone; make "
                       "--lambda smaller, or add games with results");
    }
    if (fit->part_rows[PART_TRAIN] > 0) return STATUS_OK;
    return err_set(
        err, STATUS_BAD_INPUT,
        "no game remains for training: all %zu games are kept for validation or test; make "
        "--valid-fraction or --test-fraction smaller, or add games",
        fit->rows->game_count);
}

Status fit_run(Fit *fit, Err *err) {
    const RowSet *rows = fit->rows;
    TRY(fit_check_rows(rows, fit->setup.lambda, err));
    for (size_t i = 0; i < rows->game_count; i++) {
        const FitPart part = fit_part_of_game(&fit->setup, rows->games[i].split);
        fit->games[part]++;
        fit->part_rows[part] += rows->games[i].rows;
    }
    TRY(check_start(fit, err));
    TRY(loss_fit_slopes(rows, &fit->loss, fit->start, err));
    fit->start_k = fit->loss.k;
    AUTO_FREE double *valid = fit_part_weights(rows, &fit->setup, PART_VALID);
    fit->loss.valid_weight = fit->report ? valid : NULL;
    const Status status = fit_minimise(fit, true, err);
    fit->loss.valid_weight = NULL;
    if (status == STATUS_OK) fit_compare(fit, fit->weights);
    return status;
}

// Prepares another fit to the same games, with the same start weights and frozen weights, but with
// the prior `prior`. Its minimisation starts from `weights`.
static void fit_copy(const Fit *fit, const PriorSetup *prior, const double *weights, Fit *other) {
    const size_t n = (size_t)fit->n;
    FitSetup setup = fit->setup;
    setup.prior = *prior;
    fit_init(other, fit->rows, &setup, fit->start);
    memcpy(other->frozen, fit->frozen, n * sizeof *fit->frozen);
    memcpy(other->weights, weights, n * sizeof *weights);
    other->loss = fit->loss;
    other->loss.game_weight = other->train;
    if (!fit->factor) return;
    const size_t count = fit_free_count(fit);
    other->factor = memory_alloc(count * count, sizeof *other->factor);
    memcpy(other->factor, fit->factor, count * count * sizeof *fit->factor);
}

Status fit_results_alone(const Fit *fit, Fit *other, Err *err) {
    fit_copy(fit, &fit->setup.prior, fit->weights, other);
    other->loss = fit_loss_setup(&other->setup, other->train);
    other->loss.lambda = 1;
    TRY(loss_fit_slopes(other->rows, &other->loss, other->start, err));
    return fit_minimise(other, true, err);
}

Status fit_again(const Fit *fit, const PriorSetup *prior, const bool *taken, double *weights,
                 Err *err) {
    AUTO(Fit) other;
    fit_copy(fit, prior, weights, &other);
    for (size_t i = 0; i < fit->rows->game_count; i++) {
        if (!taken[i]) other.train[i] = 0.0;
    }
    TRY(fit_minimise(&other, false, err));
    memcpy(weights, other.weights, (size_t)fit->n * sizeof *weights);
    return STATUS_OK;
}

Status fit_half(const Fit *fit, Estimate *change, Err *err) {
    const size_t games = fit->rows->game_count, n = (size_t)fit->n;
    AUTO_FREE bool *taken = memory_alloc(games, sizeof *taken);
    AUTO_FREE double *weights = memory_alloc(n, sizeof *weights);
    memcpy(weights, fit->weights, n * sizeof *weights);
    for (size_t i = 0; i < games; i++) {
        // Takes half of the games. This choice must be independent of the division into training,
        // validation and test games (fit_part_of_game) and of the folds of cross-validation (cv.c).
        // The hash therefore combines seed and game in another way than those divisions.
        taken[i] = !(random_mix(random_mix(fit->setup.seed) ^ fit->rows->games[i].split) & 1);
    }
    TRY(fit_again(fit, &fit->setup.prior, taken, weights, err));
    AUTO_FREE double *counts = memory_alloc(games, sizeof *counts);
    AUTO_FREE double *all = game_losses(fit, fit->weights, fit->loss.k, counts);
    AUTO_FREE double *fewer = game_losses(fit, weights, fit->loss.k, NULL);
    Estimate parts[PART_COUNT];
    for (size_t i = 0; i < games; i++) all[i] -= fewer[i];
    part_means(fit, all, counts, parts);
    *change = parts[PART_VALID];
    return STATUS_OK;
}

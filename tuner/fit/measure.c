// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/measure.h"

#include <math.h>

#include "core/base/memory.h"
#include "tuner/rows/row_pass.h"

// Mean of sums / counts over games with the error of a ratio of two sums (Cochran, Sampling
// Techniques, 3rd ed., 2.11): games are the independent units.
Estimate measure_ratio(const double *sums, const double *counts, size_t games) {
    double sum = 0.0, count = 0.0, squares = 0.0, units = 0.0;
    for (size_t i = 0; i < games; i++) {
        sum += sums[i];
        count += counts[i];
        units += counts[i] > 0;
    }
    const double mean = sum / count;
    for (size_t i = 0; i < games; i++) {
        const double away = sums[i] - mean * counts[i];
        squares += away * away;
    }
    return (Estimate){mean, units > 1 ? sqrt(squares * units / (units - 1.0)) / count : NAN};
}

// Calls `visit` for each block of rows, in order, with score, target, loss filled in.
typedef void Visit(void *context, const uint32_t *games, const LossBlock *block,
                   const double *weight);

static void for_each_block(const RowSet *rows, const LossSetup *setup, const double *weights,
                           Visit *visit, void *context) {
    RowPass *pass = memory_aligned(64, sizeof *pass);
    double *flat = pass_weights(weights, rows->pairs);
    pass->rows = rows;
    pass->setup = setup;
    pass->weights = flat;
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        row_sums(chunk, flat, pass->sum);
        for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
            pass_forward(pass, chunk, first);
            loss_block(setup->kind, false, &pass->block);
            visit(context, chunk->game + first, &pass->block, pass->row_weight);
        }
    }
    free(flat);
    free(pass);
}

// ---- loss and difference ------------------------------------------------------------------------

typedef struct GameSums {
    double *loss, *count;
    double sign; // of what is added to `loss`
} GameSums;

static void add_losses(void *context, const uint32_t *games, const LossBlock *block,
                       const double *weight) {
    GameSums *sums = context;
    for (int i = 0; i < block->count; i++) {
        sums->loss[games[i]] += sums->sign * weight[i] * block->loss[i];
        if (sums->count) sums->count[games[i]] += weight[i];
    }
}

void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double sign, double *losses, double *counts) {
    GameSums sums = {losses, counts, sign};
    for_each_block(rows, setup, weights, add_losses, &sums);
}

static Estimate estimate(const RowSet *rows, const LossSetup *setup_a, const double *a,
                         const LossSetup *setup_b, const double *b) {
    double *losses = memory_alloc(rows->game_count, sizeof *losses);
    double *counts = memory_alloc(rows->game_count, sizeof *counts);
    measure_game_losses(rows, setup_a, a, 1.0, losses, counts);
    if (b) measure_game_losses(rows, setup_b, b, -1.0, losses, NULL);
    const Estimate result = measure_ratio(losses, counts, rows->game_count);
    free(losses);
    free(counts);
    return result;
}

Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights) {
    return estimate(rows, setup, weights, NULL, NULL);
}

Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b) {
    return estimate(rows, setup_a, a, setup_b, b);
}

// ---- calibration --------------------------------------------------------------------------------

typedef struct Calibration {
    const LossSetup *setup;
    size_t games;
    double *target, *count; // [CALIBRATION_BINS][games]
    CalibrationBin *bins;
    double predicted[CALIBRATION_BINS], weight[CALIBRATION_BINS];
} Calibration;

static void add_bins(void *context, const uint32_t *games, const LossBlock *block,
                     const double *weight) {
    Calibration *c = context;
    for (int i = 0; i < block->count; i++) {
        if (!(weight[i] > 0)) continue;
        const double sigma = loss_expected_points(c->setup, block->score[i]);
        int bin = (int)(sigma * CALIBRATION_BINS);
        if (bin >= CALIBRATION_BINS) bin = CALIBRATION_BINS - 1;
        const size_t cell = (size_t)bin * c->games + games[i];
        c->target[cell] += weight[i] * block->target[i];
        c->count[cell] += weight[i];
        c->predicted[bin] += weight[i] * sigma;
        c->weight[bin] += weight[i];
        c->bins[bin].rows++;
    }
}

void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]) {
    const size_t games = rows->game_count, cells = games * CALIBRATION_BINS;
    Calibration c = {.setup = setup,
                     .games = games,
                     .target = memory_alloc(cells, sizeof(double)),
                     .count = memory_alloc(cells, sizeof(double)),
                     .bins = bins};
    for (int i = 0; i < CALIBRATION_BINS; i++) bins[i] = (CalibrationBin){0};
    for_each_block(rows, setup, weights, add_bins, &c);
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        bins[i].predicted = c.predicted[i] / c.weight[i];
        bins[i].observed =
            measure_ratio(c.target + (size_t)i * games, c.count + (size_t)i * games, games);
    }
    free(c.target);
    free(c.count);
}

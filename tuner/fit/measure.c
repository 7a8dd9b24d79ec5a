// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/measure.h"

#include <math.h>

#include "core/base/memory.h"

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
    double *scores = memory_alloc(ROWS_CHUNK, sizeof *scores);
    LossBlock *block = memory_aligned(64, sizeof *block);
    double weight[LOSS_BLOCK];
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        loss_chunk_scores(rows, c, weights, scores);
        for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
            const uint32_t left = chunk->count - first;
            block->count = left < LOSS_BLOCK ? (int)left : LOSS_BLOCK;
            for (int i = 0; i < block->count; i++) {
                const RowHead row = row_at(chunk, first + (uint32_t)i);
                const double target = loss_target(setup, &row, &block->draw[i]);
                block->score[i] = setup->k * scores[first + (uint32_t)i];
                block->target[i] = isnan(target) ? 0.5 : target;
                weight[i] = isnan(target)        ? 0.0
                            : setup->game_weight ? setup->game_weight[row.game]
                                                 : 1.0;
                if (setup->endgame_weight > 0) {
                    const double p = (double)row.phase / rows->phase_max;
                    weight[i] *= p + setup->endgame_weight * (1.0 - p);
                }
            }
            block->draw_width = setup->draw_width;
            loss_block(setup->kind, false, block);
            visit(context, chunk->game + first, block, weight);
        }
    }
    free(block);
    free(scores);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/loss.h"
#include "tuner/fit/loss_pass.h"

#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/row_ranks.h"

// Computes for each position the derivatives of its weighted loss with respect to the middlegame
// sum and the endgame sum of its score. The gradient with respect to the weights is the sum of the
// coefficients times these derivatives.
static void tapered_slopes(const double *restrict weight, const double *restrict slope,
                           const double *restrict share, int count, double k,
                           double *restrict slopes) {
    for (int i = 0; i < count; i++) {
        const double all = k * weight[i] * slope[i];
        slopes[2 * i] = all * share[i];
        slopes[2 * i + 1] = all * (1.0 - share[i]);
    }
}

// Returns the sum of the four elements of a vector.
ALWAYS_INLINE double quad_sum(const DoubleQuad *quad) {
    return ((*quad)[0] + (*quad)[1]) + ((*quad)[2] + (*quad)[3]);
}
ALWAYS_INLINE const DoubleQuad *quads(const double *numbers) {
    return (const void *)numbers;
}

// Adds the losses of the block of positions to the sums of the pass.
static void pass_add(RowPass *pass) {
    const int count = pass->block.count;
    const LossBlock *block = &pass->block;
    DoubleQuad loss = {0}, weight = {0}, first = {0}, second = {0};
    for (int i = count; i < count + 3; i++) { // fill the last group of four positions with zeros
        if (i >= LOSS_BLOCK) break;
        pass->block.loss[i] = pass->block.score[i] = pass->row_weight[i] = 0.0;
        pass->block.slope[i] = pass->block.curvature[i] = 0.0;
    }
    for (int q = 0; 4 * q < count; q++) {
        const DoubleQuad w = quads(pass->row_weight)[q], u = quads(block->score)[q];
        const DoubleQuad slope = w * u * quads(block->slope)[q];
        loss += w * quads(block->loss)[q];
        weight += w;
        first += slope;
        second += slope + w * u * u * quads(block->curvature)[q];
    }
    if (pass->setup->valid_weight) {
        DoubleQuad valid = {0}, valid_weight = {0};
        for (int i = count; i < count + 3 && i < LOSS_BLOCK; i++) pass->row_valid[i] = 0.0;
        for (int q = 0; 4 * q < count; q++) {
            valid += quads(pass->row_valid)[q] * quads(block->loss)[q];
            valid_weight += quads(pass->row_valid)[q];
        }
        pass->sums.valid_loss += quad_sum(&valid);
        pass->sums.valid_weight += quad_sum(&valid_weight);
    }
    pass->sums.loss += quad_sum(&loss);
    pass->sums.weight += quad_sum(&weight);
    pass->sums.by_log_k += quad_sum(&first);
    pass->sums.by_log_k_twice += quad_sum(&second);
}

static void pass_chunk(RowPass *pass, const RowChunk *chunk) {
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_block(pass, chunk, first, chunk->count);
        pass_add(pass);
        if (!pass->gradient) continue;
        // The middlegame and endgame sums in pass->sum are no longer needed. The derivatives of the
        // loss with respect to these sums replace them in memory.
        tapered_slopes(pass->row_weight, pass->block.slope, pass->share, pass->block.count,
                       pass->setup->k, (double *)(void *)pass->sum);
        row_spread(chunk, first, pass->block.count, pass->sum, pass->gradient);
    }
}

// Layout of the sums over a range of positions: a LossSums, then the gradient if it is requested.
enum { LOSS_SUMS = sizeof(LossSums) / sizeof(double) };

static void pass_run(RowPass *pass, int number, double *sums) {
    size_t chunk;
    const size_t end = chunk_range(pass->rows, number, LOSS_RANGES, &chunk);
    const size_t n = 2 * (size_t)pass->rows->pairs;
    pass->sums = (LossSums){0};
    if (pass->gradient) memset(pass->gradient, 0, (n + 2) * sizeof *pass->gradient);
    for (; chunk < end; chunk++) {
        if (!pass_takes(pass->setup, chunk)) continue;
        pass_chunk(pass, &pass->rows->chunks[chunk]);
    }
    memcpy(sums, &pass->sums, sizeof pass->sums);
    if (pass->gradient) memcpy(sums + LOSS_SUMS, pass->gradient, n * sizeof *sums);
}

LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient) {
    const size_t n = 2 * (size_t)rows->pairs, size = LOSS_SUMS + (gradient ? n : 0);
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    int first;
    const int end = own_ranges(rows, LOSS_RANGES, &first), threads = pass_threads(rows, setup);
    AUTO_FREE double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(threads)
    {
        RowPass *pass = pass_new(rows, setup, flat);
        double *own = gradient ? memory_aligned(64, (n + 2) * sizeof *own) : NULL;
        pass->gradient = own;
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) pass_run(pass, i, sums + (size_t)(i - first) * size);
        free(own);
        free(pass);
    }
    AUTO_FREE double *all = memory_alloc(size, sizeof *all);
    LossSums total;
    ranges_total(rows, LOSS_RANGES, size, sums, all);
    memcpy(&total, all, sizeof total);
    if (gradient) memcpy(gradient, all + LOSS_SUMS, n * sizeof *gradient);
    return total;
}

void loss_chunk(const RowSet *rows, const LossSetup *setup, const double *weights, size_t chunk,
                ChunkLoss *out) {
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    AUTO_FREE RowPass *pass = pass_new(rows, setup, flat);
    const RowChunk *c = &rows->chunks[chunk];
    for (uint32_t first = 0; first < c->count; first += LOSS_BLOCK) {
        pass_block(pass, c, first, c->count);
        const size_t size = (size_t)pass->block.count * sizeof(double);
        memcpy(out->score + first, pass->block.score, size);
        memcpy(out->target + first, pass->block.target, size);
        memcpy(out->loss + first, pass->block.loss, size);
        memcpy(out->weight + first, pass->row_weight, size);
    }
}

void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores) {
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    const RowChunk *c = &rows->chunks[chunk];
    AUTO_FREE DoublePair *sum = memory_aligned(64, c->count * sizeof *sum);
    row_sums(c, 0, (int)c->count, flat, sum);
    for (uint32_t i = 0; i < c->count; i++) {
        const double p = c->phase[i] * (1.0 / rows->phase_max);
        scores[i] = sum[i][0] * p + sum[i][1] * (1.0 - p);
    }
}

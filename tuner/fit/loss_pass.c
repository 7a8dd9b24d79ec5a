// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/loss_pass.h"

#include <string.h>

#include "core/base/memory.h"

// Computes targets and weights of positions from the results alone.
static void plain_targets(const float *restrict result, int count, double *restrict target,
                          double *restrict weight) {
    for (int i = 0; i < count; i++) {
        target[i] = (double)result[i];
        weight[i] = result[i] < 0 ? 0.0 : 1.0;
    }
}

// Computes the targets (the results that should be predicted) and weights of the positions `first`
// to `first` + count - 1 of the array `chunk`.
static void pass_targets(RowPass *pass, const RowChunk *chunk, uint32_t first, int count) {
    const LossSetup *setup = pass->setup;
    double *target = pass->block.target, *weight = pass->row_weight;
    if (setup->lambda < 1.0) {
        loss_targets(setup, chunk, first, count, target, weight);
    } else {
        plain_targets(chunk->result + first, count, target, weight);
    }
    for (int i = 0; setup->valid_weight && i < count; i++) {
        const double valid = setup->valid_weight[chunk->game[first + (uint32_t)i]];
        pass->row_valid[i] = pass->row_weight[i] * valid;
    }
    for (int i = 0; setup->game_weight && i < count; i++) {
        pass->row_weight[i] *= setup->game_weight[chunk->game[first + (uint32_t)i]];
    }
}

// Computes scores from middlegame and endgame sums, weighted by the phase. `sums` is read as an
// array of double so that the compiler can vectorise the loop.
static void tapered_scores(const float *restrict phase, const double *restrict sums, int count,
                           double per_phase, double k, double *restrict share,
                           double *restrict score) {
    for (int i = 0; i < count; i++) {
        const double p = (double)phase[i] * per_phase;
        share[i] = p;
        score[i] = k * (sums[2 * i] * p + sums[2 * i + 1] * (1.0 - p));
    }
}

RowPass *pass_new(const RowSet *rows, const LossSetup *setup, const double *weights) {
    RowPass *pass = memory_aligned(64, sizeof *pass);
    pass->rows = rows;
    pass->setup = setup;
    pass->weights = weights;
    pass->gradient = NULL;
    return pass;
}

void pass_block(RowPass *pass, const RowChunk *chunk, uint32_t first, uint32_t end) {
    const int count = end - first < LOSS_BLOCK ? (int)(end - first) : LOSS_BLOCK;
    pass->block.count = count;
    row_sums(chunk, first, count, pass->weights, pass->sum);
    tapered_scores(chunk->phase + first, (const double *)(const void *)pass->sum, count,
                   1.0 / pass->rows->phase_max, pass->setup->k, pass->share, pass->block.score);
    pass_targets(pass, chunk, first, count);
    loss_block(pass->setup->kind, &pass->block);
}

int pass_threads(const RowSet *rows, const LossSetup *setup) {
    if ((size_t)setup->threads <= rows->chunk_count) return setup->threads;
    return rows->chunk_count ? (int)rows->chunk_count : 1;
}

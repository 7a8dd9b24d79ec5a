// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/loss.h"

#include <string.h>

#include "core/base/memory.h"
#include "tuner/lane.h"

// Adds slope * coefficient to the gradient of every weight of a row.
ALWAYS_INLINE void one_row_spread(const RowGroup *group, const uint16_t *index, const float *value,
                                  double *gradient, DoublePair slope) {
    const int plus = group->plus, both = plus + group->minus;
    int k = 0;
    for (; k + 3 < plus; k += 4) {
        *pair_place(gradient, index[k]) += slope;
        *pair_place(gradient, index[k + 1]) += slope;
        *pair_place(gradient, index[k + 2]) += slope;
        *pair_place(gradient, index[k + 3]) += slope;
    }
    for (; k < plus; k++) *pair_place(gradient, index[k]) += slope;
    for (; k + 3 < both; k += 4) {
        *pair_place(gradient, index[k]) -= slope;
        *pair_place(gradient, index[k + 1]) -= slope;
        *pair_place(gradient, index[k + 2]) -= slope;
        *pair_place(gradient, index[k + 3]) -= slope;
    }
    for (; k < both; k++) *pair_place(gradient, index[k]) -= slope;
    for (k = 0; k < group->other; k++) {
        *pair_place(gradient, index[both + k]) += slope * (DoublePair){value[k], value[k]};
    }
}

// The same for the next `count` rows.
static void row_spread(Cursor at, int count, double *gradient, const DoublePair *slope) {
    while (count > 0) {
        const RowGroup *group;
        int run = cursor_run(&at, count, &group);
        const int length = group->plus + group->minus + group->other;
        count -= run;
        for (; run > 0; run--) {
            one_row_spread(group, at.index, at.value, gradient, *slope++);
            at.index += length;
            at.value += group->other;
        }
    }
}

static void lane_backward(Lane *lane, Cursor at) {
    const double k = lane->setup->k;
    for (int i = 0; i < lane->block.count; i++) {
        const double slope = k * lane->row_weight[i] * lane->block.slope[i];
        lane->sum[i] = (DoublePair){slope * lane->share[i], slope * (1.0 - lane->share[i])};
    }
    row_spread(at, lane->block.count, lane->gradient, lane->sum);
}

// Adds the block's losses in four interleaved sums.
static void lane_add(Lane *lane) {
    double loss[4] = {0}, weight[4] = {0};
    for (int i = 0; i < lane->block.count; i++) {
        loss[i % 4] += lane->row_weight[i] * lane->block.loss[i];
        weight[i % 4] += lane->row_weight[i];
    }
    lane->sums.loss += (loss[0] + loss[1]) + (loss[2] + loss[3]);
    lane->sums.weight += (weight[0] + weight[1]) + (weight[2] + weight[3]);
}

static void lane_chunk(Lane *lane, const RowChunk *chunk) {
    Cursor at = cursor_at(chunk);
    for (uint32_t done = 0; done < chunk->count; done += LOSS_BLOCK) {
        const uint32_t left = chunk->count - done;
        const Cursor begin = at;
        lane_forward(lane, chunk, done, left < LOSS_BLOCK ? (int)left : LOSS_BLOCK, &at);
        loss_block(lane->setup->kind, false, &lane->block);
        lane_add(lane);
        if (lane->gradient) lane_backward(lane, begin);
    }
}

static void lane_run(Lane *lane, int number) {
    size_t chunk;
    const size_t end = lane_range(lane->rows, number, LOSS_LANES, &chunk);
    const size_t batches = lane->setup->batches > 1 ? (size_t)lane->setup->batches : 1;
    for (; chunk < end; chunk++) {
        if (batches > 1 && chunk % batches != (size_t)lane->setup->batch) continue;
        lane_chunk(lane, &lane->rows->chunks[chunk]);
    }
}

LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient) {
    const size_t n = 2 * (size_t)rows->pairs, stride = (n + 2 + 15) / 16 * 16; // whole cache lines
    double *flat = lane_weights(weights, rows->pairs);
    double *sums = gradient ? memory_aligned(64, LOSS_LANES * stride * sizeof *sums) : NULL;
    LossSums lane_sums[LOSS_LANES];
    const int threads = lane_threads(rows, setup);
#pragma omp parallel num_threads(threads)
    {
        Lane *lane = memory_aligned(64, sizeof *lane);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < LOSS_LANES; i++) {
            lane->rows = rows;
            lane->setup = setup;
            lane->weights = flat;
            lane->gradient = sums ? sums + (size_t)i * stride : NULL;
            lane->sums = (LossSums){0, 0};
            if (sums) memset(lane->gradient, 0, stride * sizeof *sums);
            lane_run(lane, i);
            lane_sums[i] = lane->sums;
        }
        free(lane);
    }
    LossSums total = {0, 0};
    for (int i = 0; i < LOSS_LANES; i++) {
        total.loss += lane_sums[i].loss;
        total.weight += lane_sums[i].weight;
    }
    if (gradient) memset(gradient, 0, n * sizeof *gradient);
    for (size_t i = 0; gradient && i < LOSS_LANES; i++) {
        for (size_t k = 0; k < n; k++) gradient[k] += sums[i * stride + k];
    }
    free(sums);
    free(flat);
    return total;
}

void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores) {
    double *flat = lane_weights(weights, rows->pairs);
    DoublePair sum[ROWS_CHUNK];
    const RowChunk *c = &rows->chunks[chunk];
    Cursor at = cursor_at(c);
    row_sums(&at, (int)c->count, flat, sum);
    for (uint32_t i = 0; i < c->count; i++) {
        const double p = c->phase[i] * (1.0 / rows->phase_max);
        scores[i] = sum[i][0] * p + sum[i][1] * (1.0 - p);
    }
    free(flat);
}

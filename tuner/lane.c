// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/lane.h"

#include <string.h>

#include "core/base/memory.h"

Cursor cursor_at(const RowChunk *chunk) {
    return (Cursor){chunk->groups, 0, chunk->indices, chunk->values};
}

// Sums of two rows with equal counts and nothing but +1 and -1: four chains of additions at once.
ALWAYS_INLINE void two_row_sums(const uint16_t *a, int plus, int count, const double *weights,
                                DoublePair sum[2]) {
    const uint16_t *b = a + count;
    DoublePair plus_a = {0, 0}, plus_b = {0, 0}, minus_a = {0, 0}, minus_b = {0, 0};
    int k = 0;
    for (; k + 1 < plus; k += 2) {
        plus_a += pair_at(weights, a[k]);
        plus_b += pair_at(weights, b[k]);
        plus_a += pair_at(weights, a[k + 1]);
        plus_b += pair_at(weights, b[k + 1]);
    }
    for (; k < plus; k++) {
        plus_a += pair_at(weights, a[k]);
        plus_b += pair_at(weights, b[k]);
    }
    for (; k + 1 < count; k += 2) {
        minus_a += pair_at(weights, a[k]);
        minus_b += pair_at(weights, b[k]);
        minus_a += pair_at(weights, a[k + 1]);
        minus_b += pair_at(weights, b[k + 1]);
    }
    for (; k < count; k++) {
        minus_a += pair_at(weights, a[k]);
        minus_b += pair_at(weights, b[k]);
    }
    sum[0] = plus_a - minus_a;
    sum[1] = plus_b - minus_b;
}

ALWAYS_INLINE DoublePair one_row_sum(const RowGroup *group, const uint16_t *index,
                                     const float *value, const double *weights) {
    const int both = group->plus + group->minus;
    DoublePair plus = {0, 0}, minus = {0, 0};
    for (int k = 0; k < group->plus; k++) plus += pair_at(weights, index[k]);
    for (int k = group->plus; k < both; k++) minus += pair_at(weights, index[k]);
    plus -= minus;
    for (int k = 0; k < group->other; k++) {
        plus += pair_at(weights, index[both + k]) * (DoublePair){value[k], value[k]};
    }
    return plus;
}

void row_sums(Cursor *at, int count, const double *weights, DoublePair *sum) {
    while (count > 0) {
        const RowGroup *group;
        int run = cursor_run(at, count, &group);
        const int both = group->plus + group->minus, length = both + group->other;
        count -= run;
        for (; group->other == 0 && run > 1; run -= 2, sum += 2) {
            two_row_sums(at->index, group->plus, both, weights, sum);
            at->index += 2 * both;
        }
        for (; run > 0; run--) {
            *sum++ = one_row_sum(group, at->index, at->value, weights);
            at->index += length;
            at->value += group->other;
        }
    }
}

// Targets and weights of the block's rows, the chunk's rows from `first` on.
static void lane_targets(Lane *lane, const RowChunk *chunk, uint32_t first, int count) {
    const LossSetup *setup = lane->setup;
    const uint8_t *result = chunk->result + first;
    for (int i = 0; i < count; i++) {
        lane->block.target[i] = 0.5 * result[i];
        lane->row_weight[i] = result[i] == ROW_RESULT_NONE ? 0.0 : 1.0;
    }
    for (int i = 0; i < count && (setup->lambda < 1.0 || lane->rows->without_result); i++) {
        const RowHead row = row_at(chunk, first + (uint32_t)i);
        const double target = loss_target(setup, &row);
        const bool known = target == target;
        lane->block.target[i] = known ? target : 0.5;
        lane->row_weight[i] = known ? 1.0 : 0.0;
    }
    for (int i = 0; setup->game_weight && i < count; i++) {
        lane->row_weight[i] *= setup->game_weight[chunk->game[first + (uint32_t)i]];
    }
}

void lane_forward(Lane *lane, const RowChunk *chunk, uint32_t first, int count, Cursor *at) {
    const double per_phase = 1.0 / lane->rows->phase_max, k = lane->setup->k;
    row_sums(at, count, lane->weights, lane->sum);
    lane->block.count = count;
    for (int i = 0; i < count; i++) {
        const double p = chunk->phase[first + (uint32_t)i] * per_phase;
        lane->share[i] = p;
        lane->block.score[i] = k * (lane->sum[i][0] * p + lane->sum[i][1] * (1.0 - p));
    }
    lane_targets(lane, chunk, first, count);
}

double *lane_weights(const double *weights, int pairs) {
    const size_t n = 2 * (size_t)pairs;
    double *result = memory_aligned(64, (n + 2) * sizeof *result);
    memcpy(result, weights, n * sizeof *result);
    result[n] = result[n + 1] = 1.0;
    return result;
}

size_t lane_range(const RowSet *rows, int number, int lanes, size_t *first) {
    *first = rows->chunk_count * (size_t)number / (size_t)lanes;
    return rows->chunk_count * ((size_t)number + 1) / (size_t)lanes;
}

int lane_threads(const RowSet *rows, const LossSetup *setup) {
    if ((size_t)setup->threads <= rows->chunk_count) return setup->threads;
    return rows->chunk_count ? (int)rows->chunk_count : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_pass.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

Cursor cursor_at(const RowChunk *chunk) {
    return (Cursor){.group = chunk->groups,
                    .end = chunk->groups + chunk->group_count,
                    .index = chunk->indices,
                    .place = chunk->place,
                    .value = chunk->values};
}

// So many indices ahead the memory is asked for: a block's worth.
enum { FETCH_AHEAD = 8192 };

// Sums of the stored rows of a run's tiles: as many chains of additions at once as a tile has rows.
static NOINLINE void tiles_sums(const RowRun *run, const double *weights, DoublePair *sum) {
    _Static_assert(ROW_TILE == 4, "a variable for each row");
    const uint16_t *index = run->index, *place = run->place;
    const size_t plus = (size_t)run->group->plus * ROW_TILE;
    const size_t length = (size_t)run->length * ROW_TILE;
    for (int i = 0; i < run->tiled; i += ROW_TILE, place += ROW_TILE) {
        const uint16_t *minus = index + plus, *end = index + length;
        DoublePair a = {0, 0}, b = {0, 0}, c = {0, 0}, d = {0, 0};
        for (int line = 0; line < 3; line++) PREFETCH(index + FETCH_AHEAD + 32 * line);
        for (; index < minus; index += ROW_TILE) {
            a += pair_at(weights, index[0]);
            b += pair_at(weights, index[1]);
            c += pair_at(weights, index[2]);
            d += pair_at(weights, index[3]);
        }
        for (; index < end; index += ROW_TILE) {
            a -= pair_at(weights, index[0]);
            b -= pair_at(weights, index[1]);
            c -= pair_at(weights, index[2]);
            d -= pair_at(weights, index[3]);
        }
        sum[place[0]] = a;
        sum[place[1]] = b;
        sum[place[2]] = c;
        sum[place[3]] = d;
    }
}

ALWAYS_INLINE DoublePair one_row_sum(const RowGroup *group, const uint16_t *index,
                                     const float *value, const double *weights) {
    const int both = group->plus + group->minus;
    DoublePair sum = {0, 0};
    for (int k = 0; k < group->plus; k++) sum += pair_at(weights, index[k]);
    for (int k = group->plus; k < both; k++) sum -= pair_at(weights, index[k]);
    for (int k = 0; k < group->other; k++) {
        sum += pair_at(weights, index[both + k]) * (DoublePair){value[k], value[k]};
    }
    return sum;
}

void row_sums(const RowChunk *chunk, const double *weights, DoublePair *sum) {
    Cursor at = cursor_at(chunk);
    for (RowRun run; cursor_run(&at, &run);) {
        if (run.tiled > 0) tiles_sums(&run, weights, sum);
        const uint16_t *index = run.index + (size_t)run.tiled * (size_t)run.length;
        for (int i = run.tiled; i < run.rows; i++, index += run.length) {
            sum[run.place[i]] = one_row_sum(run.group, index, run.value, weights);
            run.value += run.group->other;
        }
    }
    DoublePair running = {0, 0};
    for (uint32_t i = 0; i < chunk->count; i++) {
        running = chunk->whole[i] ? sum[i] : running + sum[i];
        sum[i] = running;
    }
}

// Targets and weights of rows by result alone.
static void plain_targets(const float *restrict result, int count, double *restrict target,
                          double *restrict weight) {
    for (int i = 0; i < count; i++) {
        target[i] = (double)result[i];
        weight[i] = result[i] < 0 ? 0.0 : 1.0;
    }
}

// Targets and weights of the block's rows, the chunk's rows from `first` on.
static void pass_targets(RowPass *pass, const RowChunk *chunk, uint32_t first, int count) {
    const LossSetup *setup = pass->setup;
    double *target = pass->block.target, *weight = pass->row_weight;
    if (setup->kind == LOSS_DRAWS) {
        for (int i = 0; i < count; i++) {
            const RowHead row = row_at(chunk, first + (uint32_t)i);
            const double known = loss_target(setup, &row, &pass->block.draw[i]);
            target[i] = isnan(known) ? 0.5 : known;
            weight[i] = isnan(known) ? 0.0 : 1.0;
        }
    } else if (setup->lambda < 1.0 || pass->rows->without_result) {
        loss_targets(setup, chunk->result + first, chunk->score_red + first, chunk->mover + first,
                     chunk->phase + first, count, target, weight);
    } else {
        plain_targets(chunk->result + first, count, target, weight);
    }
    for (int i = 0; setup->aside_weight && i < count; i++) {
        const double aside = setup->aside_weight[chunk->game[first + (uint32_t)i]];
        pass->row_aside[i] = pass->row_weight[i] * aside;
    }
    for (int i = 0; setup->game_weight && i < count; i++) {
        pass->row_weight[i] *= setup->game_weight[chunk->game[first + (uint32_t)i]];
    }
    pass->block.draw_width = setup->draw_width;
}

// The pairs one after the other, as the compiler reads several at once.
static void tapered_scores(const float *restrict phase, const double *restrict sums, int count,
                           double per_phase, double k, double *restrict share,
                           double *restrict score) {
    for (int i = 0; i < count; i++) {
        const double p = (double)phase[i] * per_phase;
        share[i] = p;
        score[i] = k * (sums[2 * i] * p + sums[2 * i + 1] * (1.0 - p));
    }
}

void pass_forward(RowPass *pass, const RowChunk *chunk, uint32_t first) {
    const uint32_t left = chunk->count - first;
    const int count = left < LOSS_BLOCK ? (int)left : LOSS_BLOCK;
    pass->block.count = count;
    tapered_scores(chunk->phase + first, (const double *)(const void *)(pass->sum + first), count,
                   1.0 / pass->rows->phase_max, pass->setup->k, pass->share, pass->block.score);
    pass_targets(pass, chunk, first, count);
}

double *pass_weights(const double *weights, int pairs) {
    const size_t n = 2 * (size_t)pairs;
    double *result = memory_aligned(64, (n + 2) * sizeof *result);
    memcpy(result, weights, n * sizeof *result);
    result[n] = result[n + 1] = 1.0;
    return result;
}

size_t chunk_range(const RowSet *rows, int number, int ranges, size_t *first) {
    *first = rows->chunk_count * (size_t)number / (size_t)ranges;
    return rows->chunk_count * ((size_t)number + 1) / (size_t)ranges;
}

int pass_threads(const RowSet *rows, const LossSetup *setup) {
    if ((size_t)setup->threads <= rows->chunk_count) return setup->threads;
    return rows->chunk_count ? (int)rows->chunk_count : 1;
}

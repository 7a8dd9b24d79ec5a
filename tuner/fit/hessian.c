// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/loss_pass.h"
#include "tuner/rows/row_ranks.h"

// Sums of products of two coefficients, which are added as each row says: p p, p q, q q and 0 times
// a curvature. Of the rows of a game each changes a fifth of its coefficients. So two coefficients
// are multiplied when one of them changes: with the sum of what was to be added since both became
// what they are. This sum only grows, as curvatures are not negative: it is since the larger of
// two.
typedef struct Overlaps {
    size_t pairs;
    DoubleQuad *cells; // [pairs][pairs]: two coefficients at [i][j] or [j][i], to be joined
    DoubleQuad now;    // sum up to the last row
    uint32_t row;      // that one, from 1 on
    int count;         // coefficients that are not 0
    DoubleQuad *since; // [count]: the sum when they became what they are
    double *value;
    uint16_t *pair;
    uint32_t *met;   // [count]: the last row that has them
    uint16_t *place; // [pairs]: 1 + where in these lists; 0: nowhere
} Overlaps;

// Takes coefficient i from the lists, in which the last one takes its place, and adds its products.
static void overlaps_end(Overlaps *overlaps, int i) {
    const DoubleQuad now = overlaps->now, since = overlaps->since[i];
    const double value = overlaps->value[i], square = value * value;
    const uint16_t pair = overlaps->pair[i];
    const int last = --overlaps->count;
    DoubleQuad *cells = overlaps->cells + pair * overlaps->pairs;
    overlaps->place[overlaps->pair[last]] = (uint16_t)(i + 1);
    overlaps->place[pair] = 0;
    overlaps->since[i] = overlaps->since[last];
    overlaps->value[i] = overlaps->value[last];
    overlaps->pair[i] = overlaps->pair[last];
    overlaps->met[i] = overlaps->met[last];
    const double *values = overlaps->value;
    const uint16_t *pairs = overlaps->pair;
    const DoubleQuad *begun = overlaps->since;
    for (int j = 0; j < last; j++) {
        const double both = value * values[j];
        DoubleQuad later = since;
        quad_raise(&later, &begun[j]);
        cells[pairs[j]] += (now - later) * (DoubleQuad){both, both, both, both};
    }
    cells[pair] += (now - since) * (DoubleQuad){square, square, square, square};
}

// Goes on to row i of the chunk.
static void overlaps_row(Overlaps *overlaps, const RowChunk *chunk, uint32_t i) {
    const uint32_t begin = chunk->begin[i], row = ++overlaps->row;
    uint32_t end = chunk->begin[i + 1];
    if (end > begin && chunk->pair[end - 1] == overlaps->pairs) end--; // the offset
    for (uint32_t k = begin; k < end; k++) {
        const int at = overlaps->place[chunk->pair[k]] - 1;
        if (at >= 0 && overlaps->value[at] == row_coefficient(chunk, k)) overlaps->met[at] = row;
    }
    for (int at = overlaps->count; at-- > 0;) {
        if (overlaps->met[at] != row) overlaps_end(overlaps, at);
    }
    for (uint32_t k = begin; k < end; k++) {
        const uint16_t pair = chunk->pair[k];
        if (overlaps->place[pair]) continue;
        const int at = overlaps->count++;
        overlaps->place[pair] = (uint16_t)(at + 1);
        overlaps->since[at] = overlaps->now;
        overlaps->value[at] = row_coefficient(chunk, k);
        overlaps->pair[at] = pair;
        overlaps->met[at] = row;
    }
}

static void pass_hessian(RowPass *pass, const RowChunk *chunk, Overlaps *overlaps) {
    const double k = pass->setup->k;
    overlaps->now = (DoubleQuad){0, 0, 0, 0};
    overlaps->row = 0;
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_block(pass, chunk, first, chunk->count);
        for (int i = 0; i < pass->block.count; i++) {
            const double p = pass->share[i], q = 1.0 - p;
            const double h = k * k * pass->row_weight[i] * pass->block.curvature[i];
            overlaps_row(overlaps, chunk, first + (uint32_t)i);
            overlaps->now += (DoubleQuad){h * p * p, h * p * q, h * q * q, 0};
        }
    }
    while (overlaps->count > 0) overlaps_end(overlaps, overlaps->count - 1);
}

// The sums for the pairs i <= j: three numbers for each.
static void join_halves(const Overlaps *overlaps, double *to) {
    const size_t pairs = overlaps->pairs;
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++, to += 3) {
            DoubleQuad sum = overlaps->cells[i * pairs + j];
            if (i < j) sum += overlaps->cells[j * pairs + i];
            for (int k = 0; k < 3; k++) to[k] = sum[k];
        }
    }
}

// Writes the 2 x 2 blocks of pairs i and j, and j and i.
static void store_block(double *hessian, size_t pairs, size_t i, size_t j, const double *sum) {
    const double block[2][2] = {{sum[0], sum[1]}, {sum[1], sum[2]}};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 2; b++) {
            hessian[(2 * i + a) * 2 * pairs + 2 * j + b] = block[a][b];
            hessian[(2 * j + b) * 2 * pairs + 2 * i + a] = block[a][b];
        }
    }
}

// A thread's own: a pass, and the sums of the group that it is at.
typedef struct HessianPass {
    RowPass *pass;
    Overlaps overlaps;
} HessianPass;

static HessianPass *hessian_pass_new(const RowSet *rows, const LossSetup *setup,
                                     const double *weights) {
    const size_t pairs = (size_t)rows->pairs;
    HessianPass *mine = memory_aligned(64, sizeof *mine);
    Overlaps *overlaps = &mine->overlaps;
    mine->pass = pass_new(rows, setup, weights);
    *overlaps = (Overlaps){.pairs = pairs,
                           .cells = memory_aligned(64, pairs * pairs * sizeof *overlaps->cells),
                           .since = memory_aligned(64, pairs * sizeof *overlaps->since),
                           .value = memory_alloc(pairs, sizeof *overlaps->value),
                           .pair = memory_alloc(pairs, sizeof *overlaps->pair),
                           .met = memory_alloc(pairs, sizeof *overlaps->met),
                           .place = memory_alloc(pairs, sizeof *overlaps->place)};
    return mine;
}

static void hessian_pass_free(HessianPass *mine) {
    free(mine->pass);
    free(mine->overlaps.cells);
    free(mine->overlaps.since);
    free(mine->overlaps.value);
    free(mine->overlaps.pair);
    free(mine->overlaps.met);
    free(mine->overlaps.place);
    free(mine);
}

// The sums of a group; they were 0.
static void run_group(HessianPass *mine, int group, double *sums) {
    const RowSet *rows = mine->pass->rows;
    const size_t pairs = (size_t)rows->pairs;
    size_t chunk;
    const size_t end = chunk_range(rows, group, rows->groups, &chunk);
    if (chunk == end) return;
    memset(mine->overlaps.cells, 0, pairs * pairs * sizeof(DoubleQuad));
    for (; chunk < end; chunk++) {
        if (!pass_takes(mine->pass->setup, chunk)) continue;
        pass_hessian(mine->pass, &rows->chunks[chunk], &mine->overlaps);
    }
    join_halves(&mine->overlaps, sums);
}

void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights,
                  double *hessian) {
    const size_t pairs = (size_t)rows->pairs, size = pairs * (pairs + 1) / 2 * 3;
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    int first;
    const int end = own_ranges(rows, rows->groups, &first), threads = pass_threads(rows, setup);
    AUTO_FREE double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(threads)
    {
        HessianPass *mine = hessian_pass_new(rows, setup, flat);
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) run_group(mine, i, sums + (size_t)(i - first) * size);
        hessian_pass_free(mine);
    }
    AUTO_FREE double *total = memory_alloc(size, sizeof *total);
    const double *at = total;
    ranges_total(rows, rows->groups, size, sums, total);
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++, at += 3) store_block(hessian, pairs, i, j, at);
    }
}

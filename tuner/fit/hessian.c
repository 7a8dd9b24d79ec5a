// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/loss_pass.h"
#include "tuner/rows/row_ranks.h"

// Working state of one thread: its buffers for positions, and its sums over a range of positions.
typedef struct HessianPass {
    RowPass *pass;
    size_t pairs;
    // Sums over the positions, [pairs][pairs]. A pair is a middlegame weight and its endgame
    // weight; both have the same coefficient in a position. For each i <= j, the pairs i and j have
    // three sums: of the product of their coefficients, times the second derivative of the loss
    // with respect to the score, times p^2, p (1 - p) or (1 - p)^2, where p is the middlegame share
    // of the phase.
    DoubleQuad *cells;
} HessianPass;

// Adds position i to the sums. The first three elements of `factor` are the second derivative of
// the position's loss with respect to its score, times p^2, p (1 - p) and (1 - p)^2, where p is the
// middlegame share.
static void add_row(HessianPass *mine, const RowChunk *chunk, uint32_t i, DoubleQuad factor) {
    const uint32_t begin = chunk->begin[i];
    uint32_t end = chunk->begin[i + 1];
    // Skip the offset of the score, if there is one: it is the last entry and has no weight.
    if (end > begin && chunk->pair[end - 1] == mine->pairs) end--;
    for (uint32_t a = begin; a < end; a++) {
        const double value = row_coefficient(chunk, a);
        const DoubleQuad times = factor * (DoubleQuad){value, value, value, value};
        DoubleQuad *cells = mine->cells + chunk->pair[a] * mine->pairs;
        for (uint32_t b = a; b < end; b++) {
            const double other = row_coefficient(chunk, b);
            cells[chunk->pair[b]] += times * (DoubleQuad){other, other, other, other};
        }
    }
}

static void add_chunk(HessianPass *mine, const RowChunk *chunk) {
    RowPass *pass = mine->pass;
    const double k = pass->setup->k;
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_block(pass, chunk, first, chunk->count);
        for (int i = 0; i < pass->block.count; i++) {
            const double p = pass->share[i], q = 1.0 - p;
            const double h = k * k * pass->row_weight[i] * pass->block.curvature[i];
            const DoubleQuad factor = {h * p * p, h * p * q, h * q * q, 0};
            if (h != 0.0) add_row(mine, chunk, first + (uint32_t)i, factor);
        }
    }
}

// Writes the 2 x 2 blocks (i, j) and (j, i) of the Hessian; a block holds middlegame and endgame.
static void store_block(double *hessian, size_t pairs, size_t i, size_t j, const double *sum) {
    const double block[2][2] = {{sum[0], sum[1]}, {sum[1], sum[2]}};
    for (size_t a = 0; a < 2; a++) {
        for (size_t b = 0; b < 2; b++) {
            hessian[(2 * i + a) * 2 * pairs + 2 * j + b] = block[a][b];
            hessian[(2 * j + b) * 2 * pairs + 2 * i + a] = block[a][b];
        }
    }
}

// Computes the sums for the Hessian over one range of the positions (`group`, 0 to
// rows->groups - 1). Writes the upper triangle to `sums`: for each i <= j, three numbers for the
// weight pairs i and j (both middlegame weights, one middlegame and one endgame weight, both
// endgame weights).
static void run_group(HessianPass *mine, int group, double *sums) {
    const RowSet *rows = mine->pass->rows;
    size_t chunk;
    const size_t end = chunk_range(rows, group, rows->groups, &chunk);
    memset(mine->cells, 0, mine->pairs * mine->pairs * sizeof *mine->cells);
    for (; chunk < end; chunk++) {
        if (pass_takes(mine->pass->setup, chunk)) add_chunk(mine, &rows->chunks[chunk]);
    }
    for (size_t i = 0; i < mine->pairs; i++) {
        for (size_t j = i; j < mine->pairs; j++) {
            for (int k = 0; k < 3; k++) *sums++ = mine->cells[i * mine->pairs + j][k];
        }
    }
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
        HessianPass mine = {pass_new(rows, setup, flat), pairs,
                            memory_aligned(64, pairs * pairs * sizeof *mine.cells)};
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) run_group(&mine, i, sums + (size_t)(i - first) * size);
        free(mine.pass);
        free(mine.cells);
    }
    AUTO_FREE double *total = memory_alloc(size, sizeof *total);
    const double *at = total;
    ranges_total(rows, rows->groups, size, sums, total);
    for (size_t i = 0; i < pairs; i++) {
        for (size_t j = i; j < pairs; j++, at += 3) store_block(hessian, pairs, i, j, at);
    }
}

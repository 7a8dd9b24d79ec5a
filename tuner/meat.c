// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over games of the outer product of each game's gradient.
#include <string.h>

#include "core/base/memory.h"
#include "tuner/errors.h"
#include "tuner/lane.h"

// At most; fewer where their sums, [n][n] each, would not fit into 256 MB. Never by the threads.
enum { MEAT_LANES = 8 };

static int lanes_of(size_t n) {
    const size_t fit = ((size_t)256 << 20) / (n * n * sizeof(double));
    return fit < 1 ? 1 : fit < MEAT_LANES ? (int)fit : MEAT_LANES;
}

// Games first .. end of the set, in order, and the rows of one chunk at a time.
typedef struct Meat {
    Lane lane;
    uint32_t first, end;
    uint64_t games;                    // that had weight
    double *sums;                      // n x n, upper triangle
    double *gradient;                  // of the game under way, 2 * pairs + 2
    int *touched;                      // its places that are not zero, gathered when it ends
    uint32_t left;                     // rows of that game still to come
    const RowGroup *group[ROWS_CHUNK]; // of each row of the chunk
    const uint16_t *index[ROWS_CHUNK];
    int stride[ROWS_CHUNK];
    const float *value[ROWS_CHUNK];
    double slope[ROWS_CHUNK], share[ROWS_CHUNK];
    uint32_t order[ROWS_CHUNK]; // rows of the chunk by game
} Meat;

// Slopes of all rows of a chunk, and where their coefficients are.
static void read_chunk(Meat *meat, const RowChunk *chunk) {
    Lane *lane = &meat->lane;
    Cursor at = cursor_at(chunk), walk = at;
    for (uint32_t first = 0; first < chunk->count; first += (uint32_t)lane->block.count) {
        lane_forward(lane, chunk, first, &at);
        loss_block(lane->setup->kind, false, &lane->block);
        for (int i = 0; i < lane->block.count; i++) {
            meat->slope[first + (uint32_t)i] =
                lane->setup->k * lane->row_weight[i] * lane->block.slope[i];
            meat->share[first + (uint32_t)i] = lane->share[i];
        }
    }
    int row = 0;
    for (RowRun run; cursor_run(&walk, (int)chunk->count - row, &run);) {
        for (int i = 0; i < run.rows; i++, row++) {
            meat->group[row] = run.group;
            meat->index[row] = run_row(&run, i, &meat->stride[row]);
            meat->value[row] = run.value + (size_t)i * run.group->other;
        }
    }
}

// Rows by game, rows of a game in their order: games of a chunk are a range, so they are counted.
static void order_rows(Meat *meat, const RowChunk *chunk) {
    uint32_t low = chunk->game[0], high = chunk->game[0];
    for (uint32_t i = 0; i < chunk->count; i++) {
        if (chunk->game[i] < low) low = chunk->game[i];
        if (chunk->game[i] > high) high = chunk->game[i];
    }
    uint32_t *begin = memory_alloc((size_t)(high - low) + 2, sizeof *begin);
    for (uint32_t i = 0; i < chunk->count; i++) begin[chunk->game[i] - low + 1]++;
    for (uint32_t g = 0; g <= high - low; g++) begin[g + 1] += begin[g];
    for (uint32_t i = 0; i < chunk->count; i++) meat->order[begin[chunk->game[i] - low]++] = i;
    free(begin);
}

static void add_row(Meat *meat, uint32_t row) {
    const RowGroup *group = meat->group[row];
    const uint16_t *index = meat->index[row];
    const double middle = meat->slope[row] * meat->share[row];
    const double end = meat->slope[row] * (1.0 - meat->share[row]);
    const int both = group->plus + group->minus;
    for (int k = 0; k < both + group->other; k++, index += meat->stride[row]) {
        const double c = k < group->plus ? 1.0 : k < both ? -1.0 : meat->value[row][k - both];
        meat->gradient[*index] += c * middle;
        meat->gradient[*index + 1] += c * end;
    }
}

static void end_game(Meat *meat, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        if (meat->gradient[i] != 0.0) meat->touched[count++] = (int)i;
    }
    meat->games += count > 0;
    for (int a = 0; a < count; a++) {
        double *line = meat->sums + (size_t)meat->touched[a] * n;
        const double factor = meat->gradient[meat->touched[a]];
        for (int b = a; b < count; b++) {
            line[meat->touched[b]] += factor * meat->gradient[meat->touched[b]];
        }
    }
    memset(meat->gradient, 0, (n + 2) * sizeof *meat->gradient);
}

static void run_games(Meat *meat, const RowSet *rows, size_t n) {
    uint64_t row = 0;
    for (uint32_t g = 0; g < meat->first; g++) row += rows->games[g].rows;
    uint32_t game = meat->first;
    if (game < meat->end) meat->left = rows->games[game].rows;
    for (size_t c = row / rows->chunk_rows; game < meat->end; c++) {
        read_chunk(meat, &rows->chunks[c]);
        order_rows(meat, &rows->chunks[c]);
        for (uint32_t i = 0; i < rows->chunks[c].count && game < meat->end; i++) {
            const uint32_t at = meat->order[i];
            if (rows->chunks[c].game[at] != game) continue; // of the lane before
            add_row(meat, at);
            if (--meat->left > 0) continue;
            end_game(meat, n);
            if (++game < meat->end) meat->left = rows->games[game].rows;
        }
    }
}

static void run_lane(Meat *meat, const RowSet *rows, const LossSetup *setup, const double *flat,
                     int number, int lanes) {
    const size_t n = 2 * (size_t)rows->pairs;
    meat->lane.rows = rows;
    meat->lane.setup = setup;
    meat->lane.weights = flat;
    meat->first = (uint32_t)(rows->game_count * (size_t)number / (size_t)lanes);
    meat->end = (uint32_t)(rows->game_count * ((size_t)number + 1) / (size_t)lanes);
    meat->games = 0;
    run_games(meat, rows, n);
}

uint64_t loss_meat(const RowSet *rows, const LossSetup *setup, const double *weights,
                   double *meat) {
    const size_t n = 2 * (size_t)rows->pairs;
    double *flat = lane_weights(weights, rows->pairs);
    const int lanes = lanes_of(n);
    double *sums = memory_alloc((size_t)lanes * n * n, sizeof *sums);
    uint64_t games[MEAT_LANES] = {0}, total = 0;
#pragma omp parallel num_threads(setup->threads)
    {
        Meat *mine = memory_aligned(64, sizeof *mine);
        mine->gradient = memory_alloc(n + 2, sizeof *mine->gradient);
        mine->touched = memory_alloc(n, sizeof *mine->touched);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < lanes; i++) {
            mine->sums = sums + (size_t)i * n * n;
            run_lane(mine, rows, setup, flat, i, lanes);
            games[i] = mine->games;
        }
        free(mine->gradient);
        free(mine->touched);
        free(mine);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            double sum = 0.0;
            for (int lane = 0; lane < lanes; lane++) sum += sums[(size_t)lane * n * n + i * n + j];
            meat[i * n + j] = meat[j * n + i] = sum;
        }
    }
    for (int i = 0; i < lanes; i++) total += games[i];
    free(sums);
    free(flat);
    return total;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over games of the outer product of each game's gradient.
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"
#include "tuner/rows/row_pass.h"
#include "tuner/rows/row_reader.h"

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
    uint64_t games;   // that had weight
    double *sums;     // n x n, upper triangle
    double *gradient; // of the game under way, 2 * pairs + 2
    int *touched;     // its places that are not zero, gathered when it ends
    uint32_t left;    // rows of that game still to come
    RowReader *reader;
    double slope[ROWS_CHUNK], share[ROWS_CHUNK];
} Meat;

// Slopes of all rows of a chunk.
static void read_chunk(Meat *meat, const RowChunk *chunk) {
    Lane *lane = &meat->lane;
    row_sums(chunk, lane->weights, lane->sum);
    row_reader_open(meat->reader, chunk);
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        lane_forward(lane, chunk, first);
        loss_block(lane->setup->kind, false, &lane->block);
        for (int i = 0; i < lane->block.count; i++) {
            meat->slope[first + (uint32_t)i] =
                lane->setup->k * lane->row_weight[i] * lane->block.slope[i];
            meat->share[first + (uint32_t)i] = lane->share[i];
        }
    }
}

static void add_row(Meat *meat, RowEntries row, double slope, double share) {
    const double middle = slope * share, end = slope * (1.0 - share);
    const int both = row.plus + row.minus;
    for (int k = 0; k < both + row.other; k++) {
        const double c = k < row.plus ? 1.0 : k < both ? -1.0 : row.value[k - both];
        meat->gradient[row.index[k]] += c * middle;
        meat->gradient[row.index[k] + 1] += c * end;
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
        for (uint32_t i = 0; i < rows->chunks[c].count && game < meat->end; i++) {
            const RowEntries entries = row_reader_next(meat->reader);
            if (rows->chunks[c].game[i] != game) continue; // of the lane before
            add_row(meat, entries, meat->slope[i], meat->share[i]);
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
        mine->reader = row_reader_new(rows->pairs);
        mine->touched = memory_alloc(n, sizeof *mine->touched);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < lanes; i++) {
            mine->sums = sums + (size_t)i * n * n;
            run_lane(mine, rows, setup, flat, i, lanes);
            games[i] = mine->games;
        }
        free(mine->gradient);
        free(mine->touched);
        row_reader_free(mine->reader);
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

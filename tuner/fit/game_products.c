// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over games of the outer product of each game's gradient.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"
#include "tuner/rows/row_pass.h"

// At most; fewer where their sums, [n][n] each, would not fit into 256 MB. Never by the threads.
enum { GAME_RANGES = 8 };

// A game that the fit follows almost alone would have no end.
static const double most_leverage = 0.9;

static int ranges_of(size_t n) {
    const size_t fit = ((size_t)256 << 20) / (n * n * sizeof(double));
    return fit < 1 ? 1 : fit < GAME_RANGES ? (int)fit : GAME_RANGES;
}

// One row of the game under way: where its entries end, its phase, curvature.
typedef struct GameRow {
    size_t end;
    double share, curvature;
} GameRow;

// Games first .. end of the set, in order, and the rows of one chunk at a time.
typedef struct GamePass {
    RowPass pass;
    uint32_t first, end;
    uint64_t games;        // that had weight
    double *sums;          // n x n, upper triangle
    const double *inverse; // of the objective's Hessian, n x n
    uint32_t left;         // rows of the game under way still to come
    double *gradient;      // of that game, 2 * pairs + 2
    double *move;          // A^-1 times it, where it is not zero
    int *touched;          // these places, gathered when the game ends
    GameRow *rows;         // its rows and their entries
    uint16_t *index;
    double *coefficient;
    size_t row_count, row_capacity, entry_count, entry_capacity;
    RowReader *reader;
    double slope[ROWS_CHUNK], curvature[ROWS_CHUNK], share[ROWS_CHUNK];
} GamePass;

// Slopes of all rows of a chunk.
static void read_chunk(GamePass *games, const RowChunk *chunk) {
    RowPass *pass = &games->pass;
    const double k = pass->setup->k;
    row_sums(chunk, pass->weights, pass->sum);
    row_reader_open(games->reader, chunk);
    for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
        pass_forward(pass, chunk, first);
        loss_block(pass->setup->kind, &pass->block);
        for (int i = 0; i < pass->block.count; i++) {
            const uint32_t row = first + (uint32_t)i;
            games->slope[row] = k * pass->row_weight[i] * pass->block.slope[i];
            games->curvature[row] = k * k * pass->row_weight[i] * pass->block.curvature[i];
            games->share[row] = pass->share[i];
        }
    }
}

static void reserve(GamePass *games, size_t entries) {
    games->rows =
        memory_room(games->rows, &games->row_capacity, games->row_count + 1, sizeof *games->rows);
    const size_t needed = games->entry_count + entries;
    if (needed <= games->entry_capacity) return;
    games->entry_capacity = memory_grow(games->entry_capacity, needed);
    games->index = memory_resize(games->index, games->entry_capacity, sizeof *games->index);
    games->coefficient =
        memory_resize(games->coefficient, games->entry_capacity, sizeof *games->coefficient);
}

static void add_row(GamePass *games, RowEntries row, uint32_t i, size_t n) {
    const double slope = games->slope[i], share = games->share[i];
    const double middle = slope * share, end = slope * (1.0 - share);
    const int both = row.plus + row.minus;
    reserve(games, (size_t)(both + row.other));
    for (int k = 0; k < both + row.other; k++) {
        const double c = k < row.plus ? 1.0 : k < both ? -1.0 : row.value[k - both];
        games->gradient[row.index[k]] += c * middle;
        games->gradient[row.index[k] + 1] += c * end;
        if (row.index[k] >= n) continue; // the offset
        games->index[games->entry_count] = row.index[k];
        games->coefficient[games->entry_count++] = c;
    }
    games->rows[games->row_count++] = (GameRow){games->entry_count, share, games->curvature[i]};
}

// How far the fit followed the game: u' A_g u / u' s_g with u = A^-1 s_g, the way it moved.
static double leverage(GamePass *games, int count, size_t n) {
    double moved = 0.0, followed = 0.0;
    for (int a = 0; a < count; a++) {
        const double *line = games->inverse + (size_t)games->touched[a] * n;
        double sum = 0.0;
        for (int b = 0; b < count; b++) {
            sum += line[games->touched[b]] * games->gradient[games->touched[b]];
        }
        games->move[games->touched[a]] = sum;
        moved += sum * games->gradient[games->touched[a]];
    }
    for (size_t i = 0, k = 0; i < games->row_count; i++) {
        const GameRow *row = &games->rows[i];
        double score = 0.0;
        for (; k < row->end; k++) {
            const double *at = games->move + games->index[k];
            score += games->coefficient[k] * (row->share * at[0] + (1.0 - row->share) * at[1]);
        }
        followed += row->curvature * score * score;
    }
    return moved > 0.0 ? followed / moved : 0.0;
}

static void end_game(GamePass *games, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        games->move[i] = 0.0;
        if (games->gradient[i] != 0.0) games->touched[count++] = (int)i;
    }
    const double left_out = 1.0 - fmin(leverage(games, count, n), most_leverage);
    games->games += count > 0;
    for (int a = 0; a < count; a++) {
        double *line = games->sums + (size_t)games->touched[a] * n;
        const double factor = games->gradient[games->touched[a]] / (left_out * left_out);
        for (int b = a; b < count; b++) {
            line[games->touched[b]] += factor * games->gradient[games->touched[b]];
        }
    }
    memset(games->gradient, 0, (n + 2) * sizeof *games->gradient);
    games->row_count = games->entry_count = 0;
}

static void run_games(GamePass *games, const RowSet *rows, size_t n) {
    uint64_t row = 0;
    for (uint32_t g = 0; g < games->first; g++) row += rows->games[g].rows;
    uint32_t game = games->first;
    if (game < games->end) games->left = rows->games[game].rows;
    for (size_t c = row / rows->chunk_rows; game < games->end; c++) {
        read_chunk(games, &rows->chunks[c]);
        for (uint32_t i = 0; i < rows->chunks[c].count && game < games->end; i++) {
            const RowEntries entries = row_reader_next(games->reader);
            if (rows->chunks[c].game[i] != game) continue; // of the range before
            add_row(games, entries, i, n);
            if (--games->left > 0) continue;
            end_game(games, n);
            if (++game < games->end) games->left = rows->games[game].rows;
        }
    }
}

static void run_range(GamePass *games, const RowSet *rows, int number, int ranges) {
    games->first = (uint32_t)(rows->game_count * (size_t)number / (size_t)ranges);
    games->end = (uint32_t)(rows->game_count * ((size_t)number + 1) / (size_t)ranges);
    games->games = 0;
    run_games(games, rows, 2 * (size_t)rows->pairs);
}

uint64_t loss_game_products(const RowSet *rows, const LossSetup *setup, const double *weights,
                            const double *inverse, double *products) {
    const size_t n = 2 * (size_t)rows->pairs;
    double *flat = pass_weights(weights, rows->pairs);
    const int ranges = ranges_of(n);
    double *sums = memory_alloc((size_t)ranges * n * n, sizeof *sums);
    uint64_t games[GAME_RANGES] = {0}, total = 0;
#pragma omp parallel num_threads(setup->threads)
    {
        GamePass *mine = memory_aligned(64, sizeof *mine);
        mine->pass.rows = rows;
        mine->pass.setup = setup;
        mine->pass.weights = flat;
        mine->inverse = inverse;
        mine->gradient = memory_alloc(n + 2, sizeof *mine->gradient);
        mine->reader = row_reader_new(rows->pairs);
        mine->touched = memory_alloc(n, sizeof *mine->touched);
        mine->move = memory_alloc(n, sizeof *mine->move);
        mine->rows = NULL;
        mine->index = NULL;
        mine->coefficient = NULL;
        mine->row_count = mine->row_capacity = mine->entry_count = mine->entry_capacity = 0;
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < ranges; i++) {
            mine->sums = sums + (size_t)i * n * n;
            run_range(mine, rows, i, ranges);
            games[i] = mine->games;
        }
        free(mine->gradient);
        free(mine->touched);
        free(mine->move);
        free(mine->rows);
        free(mine->index);
        free(mine->coefficient);
        row_reader_free(mine->reader);
        free(mine);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            double sum = 0.0;
            for (int range = 0; range < ranges; range++) {
                sum += sums[(size_t)range * n * n + i * n + j];
            }
            products[i * n + j] = products[j * n + i] = sum;
        }
    }
    for (int i = 0; i < ranges; i++) total += games[i];
    free(sums);
    free(flat);
    return total;
}

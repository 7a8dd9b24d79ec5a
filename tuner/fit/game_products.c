// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over games of the outer product of each game's gradient.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"
#include "tuner/rows/row_pass.h"
#include "tuner/rows/row_ranks.h"

// Of so many games and more the h_g are small, and those of one game in so many stand for all.
enum { LEVERAGE_GAMES = 4096 };

// A game that the fit follows almost alone would have no end.
static const double most_leverage = 0.9;

// One row of the game under way: where its entries end, its phase, curvature.
typedef struct GameRow {
    size_t end;
    double share, curvature;
} GameRow;

// What is summed over the games of a group: beside the products their number, and over those whose
// leverage is found u' s_g and what it is raised to.
enum { GAME_COUNT, GAME_MOVED, GAME_RAISED, GAME_SUMS };

// The games of a group, in order, and the rows of one chunk at a time.
typedef struct GamePass {
    RowPass pass;
    double *sums;          // GAME_SUMS and an upper triangle, line by line
    size_t every;          // the leverage of one game of so many is found
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

// How far the fit followed the game: u' A_g u / u' s_g with u = A^-1 s_g, the way it moved;
// *moved is u' s_g.
static double leverage(GamePass *games, int count, size_t n, double *moved) {
    double followed = 0.0;
    *moved = 0.0;
    memset(games->move, 0, n * sizeof *games->move);
    for (int a = 0; a < count; a++) {
        const double *line = games->inverse + (size_t)games->touched[a] * n;
        double sum = 0.0;
        for (int b = 0; b < count; b++) {
            sum += line[games->touched[b]] * games->gradient[games->touched[b]];
        }
        games->move[games->touched[a]] = sum;
        *moved += sum * games->gradient[games->touched[a]];
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
    return *moved > 0.0 ? fmin(followed / *moved, most_leverage) : 0.0;
}

static void end_game(GamePass *games, size_t game, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        if (games->gradient[i] != 0.0) games->touched[count++] = (int)i;
    }
    double raise = 1.0, moved;
    if (count > 0 && game % games->every == 0) {
        const double left_out = 1.0 - leverage(games, count, n, &moved);
        raise = 1.0 / (left_out * left_out);
        games->sums[GAME_MOVED] += moved;
        games->sums[GAME_RAISED] += moved * raise;
    }
    if (games->every > 1) raise = 1.0;
    games->sums[GAME_COUNT] += count > 0;
    for (int a = 0; a < count; a++) {
        const size_t i = (size_t)games->touched[a];
        double *line = games->sums + GAME_SUMS + i * n - i * (i + 1) / 2;
        const double factor = games->gradient[i] * raise;
        for (int b = a; b < count; b++) {
            line[games->touched[b]] += factor * games->gradient[games->touched[b]];
        }
    }
    memset(games->gradient, 0, (n + 2) * sizeof *games->gradient);
    games->row_count = games->entry_count = 0;
}

static void run_group(GamePass *games, const RowSet *rows, int group) {
    const size_t n = 2 * (size_t)rows->pairs;
    size_t game;
    uint64_t row;
    const size_t end = group_games(rows, group, &game, &row);
    if (game < end) games->left = rows->games[game].rows;
    for (size_t c = row / rows->chunk_rows; game < end; c++) {
        read_chunk(games, &rows->chunks[c]);
        for (uint32_t i = 0; i < rows->chunks[c].count && game < end; i++) {
            const RowEntries entries = row_reader_next(games->reader);
            if (rows->chunks[c].game[i] != game) continue; // of the group before
            add_row(games, entries, i, n);
            if (--games->left > 0) continue;
            end_game(games, game, n);
            if (++game < end) games->left = rows->games[game].rows;
        }
    }
}

uint64_t loss_game_products(const RowSet *rows, const LossSetup *setup, const double *weights,
                            const double *inverse, double *products) {
    const size_t n = 2 * (size_t)rows->pairs;
    const size_t size = GAME_SUMS + n * (n + 1) / 2, every = rows->game_count / LEVERAGE_GAMES;
    double *flat = pass_weights(weights, rows->pairs);
    int first;
    const int end = own_ranges(rows, rows->groups, &first);
    double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(setup->threads)
    {
        GamePass *mine = memory_aligned(64, sizeof *mine);
        mine->pass.rows = rows;
        mine->pass.setup = setup;
        mine->pass.weights = flat;
        mine->inverse = inverse;
        mine->every = every < 2 ? 1 : every;
        mine->gradient = memory_alloc(n + 2, sizeof *mine->gradient);
        mine->reader = row_reader_new(rows->pairs);
        mine->touched = memory_alloc(n, sizeof *mine->touched);
        mine->move = memory_alloc(n, sizeof *mine->move);
        mine->rows = NULL;
        mine->index = NULL;
        mine->coefficient = NULL;
        mine->row_count = mine->row_capacity = mine->entry_count = mine->entry_capacity = 0;
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) {
            mine->sums = sums + (size_t)(i - first) * size;
            run_group(mine, rows, i);
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
    double *total = memory_alloc(size, sizeof *total);
    ranges_total(rows, rows->groups, size, sums, total);
    const double raise = every < 2 ? 1.0 : total[GAME_RAISED] / total[GAME_MOVED];
    const double *at = total + GAME_SUMS;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) products[i * n + j] = products[j * n + i] = *at++ * raise;
    }
    const uint64_t games = (uint64_t)total[GAME_COUNT];
    free(total);
    free(sums);
    free(flat);
    return games;
}

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
    double *sums;          // GAME_SUMS, and behind them the group's triangle in the end
    DoubleQuad *cells;     // [pairs][pairs]: products of two pairs, of which the first is not above
    size_t every;          // the leverage of one game of so many is found
    const double *inverse; // of the objective's Hessian, n x n
    uint32_t left;         // rows of the game under way still to come
    double *gradient;      // of that game, 2 * pairs + 2
    double *move;          // A^-1 times it, where it is not zero
    int *touched;          // pairs where it is not zero, gathered when the game ends
    bool sampled;          // of that game rows and entries are kept, for its leverage
    GameRow *rows;
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

static void keep_entries(GamePass *games, const RowEntries *row, uint32_t i, size_t n) {
    const int both = row->plus + row->minus;
    reserve(games, (size_t)(both + row->other));
    for (int k = 0; k < both + row->other; k++) {
        if (row->index[k] >= n) continue; // the offset
        games->index[games->entry_count] = row->index[k];
        games->coefficient[games->entry_count++] = k < row->plus ? 1.0
                                                   : k < both    ? -1.0
                                                                 : row->value[k - both];
    }
    games->rows[games->row_count++] =
        (GameRow){games->entry_count, games->share[i], games->curvature[i]};
}

static void add_row(GamePass *games, const RowEntries *row, uint32_t i) {
    const double middle = games->slope[i] * games->share[i];
    const DoublePair slope = {middle, games->slope[i] - middle};
    const int both = row->plus + row->minus;
    for (int k = 0; k < row->plus; k++) *pair_place(games->gradient, row->index[k]) += slope;
    for (int k = row->plus; k < both; k++) *pair_place(games->gradient, row->index[k]) -= slope;
    for (int k = 0; k < row->other; k++) {
        *pair_place(games->gradient, row->index[both + k]) +=
            slope * (DoublePair){row->value[k], row->value[k]};
    }
}

// How far the fit followed the game: u' A_g u / u' s_g with u = A^-1 s_g, the way it moved;
// *moved is u' s_g.
static double leverage(GamePass *games, int count, size_t n, double *moved) {
    double followed = 0.0;
    *moved = 0.0;
    memset(games->move, 0, n * sizeof *games->move);
    for (int a = 0; a < 2 * count; a++) {
        const size_t i = 2 * (size_t)games->touched[a / 2] + (size_t)a % 2;
        const double *line = games->inverse + i * n;
        DoublePair sum = {0, 0};
        for (int b = 0; b < count; b++) {
            const unsigned at = 2 * (unsigned)games->touched[b];
            sum += pair_at(line, at) * pair_at(games->gradient, at);
        }
        games->move[i] = sum[0] + sum[1];
        *moved += games->move[i] * games->gradient[i];
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

// Adds the products of the game's gradient with itself.
static void add_products(GamePass *games, int count, double raise) {
    const size_t pairs = (size_t)games->pass.rows->pairs;
    for (int a = 0; a < count; a++) {
        DoubleQuad *line = games->cells + (size_t)games->touched[a] * pairs;
        const DoublePair g =
            pair_at(games->gradient, 2 * (unsigned)games->touched[a]) * (DoublePair){raise, raise};
        const DoubleQuad factor = {g[0], g[0], g[1], g[1]};
        for (int b = a; b < count; b++) {
            const DoublePair h = pair_at(games->gradient, 2 * (unsigned)games->touched[b]);
            line[games->touched[b]] += factor * (DoubleQuad){h[0], h[1], h[0], h[1]};
        }
    }
}

static void end_game(GamePass *games, size_t n) {
    int count = 0;
    for (int i = 0; i < (int)n / 2; i++) {
        if (games->gradient[2 * i] != 0.0 || games->gradient[2 * i + 1] != 0.0) {
            games->touched[count++] = i;
        }
    }
    double raise = 1.0, moved;
    if (count > 0 && games->sampled) {
        const double left_out = 1.0 - leverage(games, count, n, &moved);
        raise = 1.0 / (left_out * left_out);
        games->sums[GAME_MOVED] += moved;
        games->sums[GAME_RAISED] += moved * raise;
    }
    games->sums[GAME_COUNT] += count > 0;
    add_products(games, count, games->every > 1 ? 1.0 : raise);
    memset(games->gradient, 0, (n + 2) * sizeof *games->gradient);
    games->row_count = games->entry_count = 0;
}

static void begin_game(GamePass *games, size_t game) {
    games->left = games->pass.rows->games[game].rows;
    games->sampled = game % games->every == 0;
}

// The upper triangle of the group's products, line by line.
static void pack_products(const GamePass *games, size_t pairs) {
    double *to = games->sums + GAME_SUMS;
    for (size_t i = 0; i < 2 * pairs; i++) {
        const DoubleQuad *line = games->cells + i / 2 * pairs;
        for (size_t j = i; j < 2 * pairs; j++) *to++ = line[j / 2][2 * (i % 2) + j % 2];
    }
}

static void run_group(GamePass *games, const RowSet *rows, int group) {
    const size_t n = 2 * (size_t)rows->pairs;
    size_t game;
    uint64_t row;
    const size_t end = group_games(rows, group, &game, &row);
    if (game == end) return;
    memset(games->cells, 0, (size_t)rows->pairs * (size_t)rows->pairs * sizeof *games->cells);
    begin_game(games, game);
    for (size_t c = row / rows->chunk_rows; game < end; c++) {
        read_chunk(games, &rows->chunks[c]);
        for (uint32_t i = 0; i < rows->chunks[c].count && game < end; i++) {
            const RowEntries entries = row_reader_next(games->reader);
            if (rows->chunks[c].game[i] != game) continue; // of the group before
            add_row(games, &entries, i);
            if (games->sampled) keep_entries(games, &entries, i, n);
            if (--games->left > 0) continue;
            end_game(games, n);
            if (++game < end) begin_game(games, game);
        }
    }
    pack_products(games, (size_t)rows->pairs);
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
        mine->gradient = memory_aligned(64, (n + 2) * sizeof *mine->gradient);
        memset(mine->gradient, 0, (n + 2) * sizeof *mine->gradient);
        mine->cells = memory_aligned(64, n / 2 * (n / 2) * sizeof *mine->cells);
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
        free(mine->cells);
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

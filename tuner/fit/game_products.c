// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over games of the outer product of each game's gradient.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/loss_pass.h"
#include "tuner/rows/row_ranks.h"
#include "tuner/rows/terms.h"

// Of so many games and more the h_g are small, and those of some of them stand for all.
enum { LEVERAGE_ALL = 2048, LEVERAGE_SAMPLE = 512 };

// A game that the fit follows almost alone would have no end.
static const double most_leverage = 0.9;

// So many games are multiplied at once, so that each line of the products is near for all of them.
enum { GAMES_AT_ONCE = 64 };

// A game's gradient: the pairs where it is not zero, and what it is there.
typedef struct GameGradient {
    uint16_t *pair;
    DoublePair *value;
    int count;
} GameGradient;

// One row of the game under way.
typedef struct GameRow {
    double share, curvature;
} GameRow;

// What is summed over the games of a group: beside the products their number, and over those whose
// leverage is found u' s_g and what it is raised to.
enum { GAME_COUNT, GAME_MOVED, GAME_RAISED, GAME_SUMS };

// The games of a group, in order, and the rows of one chunk at a time.
typedef struct GamePass {
    RowPass pass;
    double *sums;      // GAME_SUMS, [n + terms]: games with each, the group's triangle in the end
    DoubleQuad *cells; // [pairs][pairs]: products of two pairs, of which the first is not above
    GameGradient ended[GAMES_AT_ONCE]; // games that are not in the products yet
    int waiting;                       // so many
    size_t every;                      // the leverage of one game of so many is found
    const double *inverse;             // of the objective's Hessian, n x n
    uint32_t left;                     // rows of the game under way still to come
    double *gradient;                  // of that game, 2 * pairs + 2
    double *move;   // A^-1 times the gradient, where that is not zero; 2 * pairs + 2
    bool sampled;   // the leverage of that game is found
    uint64_t first; // its first row
    GameRow *rows;  // that are behind, if it is sampled
    size_t row_count, row_capacity;
    double slope[ROWS_CHUNK], curvature[ROWS_CHUNK], share[ROWS_CHUNK];
} GamePass;

// Slopes of all rows of a chunk.
static void read_chunk(GamePass *games, const RowChunk *chunk) {
    RowPass *pass = &games->pass;
    const double k = pass->setup->k;
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

// Adds row i of the chunk to the game under way.
static void add_row(GamePass *games, const RowChunk *chunk, uint32_t i) {
    const double middle = games->slope[i] * games->share[i];
    const DoublePair slope = {middle, games->slope[i] - middle};
    row_spread(chunk, i, 1, &slope, games->gradient);
    if (!games->sampled) return;
    games->rows =
        memory_room(games->rows, &games->row_capacity, games->row_count + 1, sizeof *games->rows);
    games->rows[games->row_count++] = (GameRow){games->share[i], games->curvature[i]};
}

// How far the fit followed the game: u' A_g u / u' s_g with u = A^-1 s_g, the way it moved;
// *moved is u' s_g.
static double leverage(GamePass *games, const GameGradient *gradient, size_t n, double *moved) {
    const RowSet *rows = games->pass.rows;
    double followed = 0.0;
    *moved = 0.0;
    memset(games->move, 0, n * sizeof *games->move);
    for (int a = 0; a < 2 * gradient->count; a++) {
        const size_t i = 2 * (size_t)gradient->pair[a / 2] + (size_t)a % 2;
        const double *line = games->inverse + i * n;
        DoublePair sum = {0, 0};
        for (int b = 0; b < gradient->count; b++) {
            sum += pair_at(line, gradient->pair[b]) * gradient->value[b];
        }
        games->move[i] = sum[0] + sum[1];
        *moved += games->move[i] * gradient->value[a / 2][a % 2];
    }
    for (size_t i = 0; i < games->row_count; i++) {
        const uint64_t at = games->first + i;
        const double share = games->rows[i].share;
        DoublePair score;
        row_sums(&rows->chunks[at / rows->chunk_rows], (uint32_t)(at % rows->chunk_rows), 1,
                 games->move, &score); // the offset's place in `move` is 0
        const double along = share * score[0] + (1.0 - share) * score[1];
        followed += games->rows[i].curvature * along * along;
    }
    return *moved > 0.0 ? fmin(followed / *moved, most_leverage) : 0.0;
}

// Adds the products with the first pair of a gradient that begins at `from`.
static void add_line(DoubleQuad *line, const GameGradient *gradient, int from) {
    const DoublePair g = gradient->value[from];
    const DoubleQuad factor = {g[0], g[0], g[1], g[1]};
    for (int b = from; b < gradient->count; b++) {
        const DoublePair h = gradient->value[b];
        line[gradient->pair[b]] += factor * (DoubleQuad){h[0], h[1], h[0], h[1]};
    }
}

// Adds the products of the games that wait, line by line.
static void add_products(GamePass *games) {
    const int pairs = games->pass.rows->pairs;
    int next[GAMES_AT_ONCE] = {0};
    for (int i = 0; i < pairs; i++) {
        DoubleQuad *line = games->cells + (size_t)i * (size_t)pairs;
        for (int g = 0; g < games->waiting; g++) {
            const GameGradient *gradient = &games->ended[g];
            if (next[g] == gradient->count || gradient->pair[next[g]] != i) continue;
            add_line(line, gradient, next[g]++);
        }
    }
    games->waiting = 0;
}

// The game's gradient without its zeros, in order.
static GameGradient *take_gradient(GamePass *games) {
    GameGradient *taken = &games->ended[games->waiting++];
    taken->count = 0;
    for (int i = 0; i < games->pass.rows->pairs; i++) {
        const DoublePair value = pair_at(games->gradient, (unsigned)i);
        taken->pair[taken->count] = (uint16_t)i;
        taken->value[taken->count] = value;
        for (int k = 0; k < 2; k++) games->sums[GAME_SUMS + 2 * i + k] += value[k] != 0.0;
        taken->count += value[0] != 0.0 || value[1] != 0.0;
    }
    for (int t = 0; t < row_term_count(games->pass.rows); t++) {
        const RowTerm term = row_term(games->pass.rows, t);
        bool met = false;
        for (int i = 2 * term.first; i < 2 * (term.first + term.count); i++) {
            met = met || games->gradient[i] != 0.0;
        }
        games->sums[GAME_SUMS + 2 * games->pass.rows->pairs + t] += met;
    }
    return taken;
}

static void end_game(GamePass *games, size_t game, size_t n) {
    GameGradient *gradient = take_gradient(games);
    double raise = 1.0, moved;
    if (gradient->count > 0 && games->sampled) {
        raise = 1.0 / (1.0 - leverage(games, gradient, n, &moved));
        games->sums[GAME_MOVED] += moved;
        games->sums[GAME_RAISED] += moved * raise * raise;
    }
    games->sums[GAME_COUNT] += gradient->count > 0;
    for (int i = 0; games->every == 1 && i < gradient->count; i++) {
        gradient->value[i] *= (DoublePair){raise, raise};
    }
    if (games->waiting == GAMES_AT_ONCE) add_products(games);
    memset(games->gradient, 0, (n + 2) * sizeof *games->gradient);
    games->first += games->pass.rows->games[game].rows;
    games->row_count = 0;
}

static void begin_game(GamePass *games, size_t game) {
    games->left = games->pass.rows->games[game].rows;
    games->sampled = game % games->every == 0;
}

// The upper triangle of the group's products, line by line.
static void pack_products(const GamePass *games, size_t pairs) {
    double *to = games->sums + GAME_SUMS + 2 * pairs + (size_t)row_term_count(games->pass.rows);
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
    memset(games->cells, 0, n / 2 * (n / 2) * sizeof *games->cells);
    games->first = row;
    begin_game(games, game);
    for (size_t c = row / rows->chunk_rows; game < end; c++) {
        read_chunk(games, &rows->chunks[c]);
        for (uint32_t i = 0; i < rows->chunks[c].count && game < end; i++) {
            if (rows->chunks[c].game[i] != game) continue; // of the group before
            add_row(games, &rows->chunks[c], i);
            if (--games->left > 0) continue;
            end_game(games, game, n);
            if (++game < end) begin_game(games, game);
        }
    }
    add_products(games);
    pack_products(games, n / 2);
}

static GamePass *game_pass_new(const RowSet *rows, const LossSetup *setup, const double *weights,
                               const double *inverse) {
    const size_t pairs = (size_t)rows->pairs, count = rows->game_count;
    GamePass *mine = memory_aligned(64, sizeof *mine);
    memset(mine, 0, sizeof *mine);
    mine->pass.rows = rows;
    mine->pass.setup = setup;
    mine->pass.weights = weights;
    mine->inverse = inverse;
    mine->every = count < LEVERAGE_ALL ? 1 : count / LEVERAGE_SAMPLE;
    mine->gradient = memory_alloc(2 * pairs + 2, sizeof *mine->gradient);
    mine->cells = memory_aligned(64, pairs * pairs * sizeof *mine->cells);
    mine->move = memory_alloc(2 * pairs + 2, sizeof *mine->move);
    for (int g = 0; g < GAMES_AT_ONCE; g++) {
        mine->ended[g].pair = memory_alloc(pairs + 1, sizeof *mine->ended->pair);
        mine->ended[g].value = memory_alloc(pairs + 1, sizeof *mine->ended->value);
    }
    return mine;
}

static void game_pass_free(GamePass *mine) {
    for (int g = 0; g < GAMES_AT_ONCE; g++) {
        free(mine->ended[g].pair);
        free(mine->ended[g].value);
    }
    free(mine->gradient);
    free(mine->cells);
    free(mine->move);
    free(mine->rows);
    free(mine);
}

uint64_t loss_game_products(const RowSet *rows, const LossSetup *setup, const double *weights,
                            const double *inverse, double *products, double *met) {
    const size_t n = 2 * (size_t)rows->pairs, counts = n + (size_t)row_term_count(rows);
    const size_t size = GAME_SUMS + counts + n * (n + 1) / 2;
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    int first;
    const int end = own_ranges(rows, rows->groups, &first);
    AUTO_FREE double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(setup->threads)
    {
        GamePass *mine = game_pass_new(rows, setup, flat, inverse);
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) {
            mine->sums = sums + (size_t)(i - first) * size;
            run_group(mine, rows, i);
        }
        game_pass_free(mine);
    }
    AUTO_FREE double *total = memory_alloc(size, sizeof *total);
    ranges_total(rows, rows->groups, size, sums, total);
    const bool each = rows->game_count < LEVERAGE_ALL; // was raised by itself
    const double raise = each ? 1.0 : total[GAME_RAISED] / total[GAME_MOVED];
    const double *at = total + GAME_SUMS + counts;
    memcpy(met, total + GAME_SUMS, counts * sizeof *met);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) products[i * n + j] = products[j * n + i] = *at++ * raise;
    }
    const uint64_t games = (uint64_t)total[GAME_COUNT];
    return games;
}

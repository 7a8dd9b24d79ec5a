// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over all games the products of two gradients of a game: the gradient with respect to the
// weights, and the gradient with respect to the sigmoid parameters (errors.h).
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"
#include "tuner/fit/loss_pass.h"
#include "tuner/fit/score_sigmoid.h"
#include "tuner/rows/row_ranks.h"
#include "tuner/rows/terms.h"

// With at least LEVERAGE_ALL games, the factors h_g (errors.h) are small. They are then computed
// for a sample of the games, and their mean effect is applied to all games. If all games affect the
// fit, the sample has about LEVERAGE_SAMPLE games.
enum { LEVERAGE_ALL = 2048, LEVERAGE_SAMPLE = 512 };

// Upper limit of h_g, the leverage of a game (errors.h). Without it, a game that determines the fit
// almost alone would have infinite variance.
static const double most_leverage = 0.9;

// Number of games whose products are added in one walk through the matrix of products. Each row of
// the matrix then stays in the cache while these games are added.
enum { GAMES_AT_ONCE = 64 };

// The gradient of a game. Pairs of weights (middlegame, endgame) whose derivatives are both 0 are
// left out.
typedef struct GameGradient {
    uint16_t *pair;
    DoublePair *value;
    int count;
} GameGradient;

// Data of a position from which leverage() computes the leverage of its game: the phase (1: full
// middlegame, 0: endgame), and the second derivative of the weighted loss with respect to the
// score.
typedef struct GameRow {
    double share, curvature;
} GameRow;

// Layout of the sums over a range of games. Each game has two gradients: s_g with respect to the
// weights, z_g with respect to the sigmoid parameters. errors.h explains h_g and u = A^-1 s_g;
// ' marks a transpose.
//   GAME_MOVED    sum of u' s_g over the games whose leverage h_g was computed
//   GAME_RAISED   sum of u' s_g / (1 - h_g)^2 over these games
//   GAME_SLOPES   sum of z_g z_g', [SLOPES][SLOPES]
//   GAME_SUMS     sum of s_g z_g', [n][SLOPES];
//                 numbers of games in which each weight and each term occurs, [n + terms];
//                 upper triangle of the sum of s_g s_g'.
//                 With fewer than LEVERAGE_ALL games, s_g is divided by 1 - h_g in the products of
//                 GAME_SUMS.
enum { GAME_MOVED, GAME_RAISED, GAME_SLOPES, GAME_SUMS = GAME_SLOPES + SLOPES * SLOPES };

// Working state of one thread, which processes the games of a range in order.
typedef struct GamePass {
    RowPass *pass;
    // working state for losses with the start weights. K was fitted with these weights; NULL if K
    // was not fitted
    RowPass *start;
    SigmoidPass sigmoid; // state for sigmoid_add_rows(), if the sigmoid of search scores was fitted
    // z_g, the gradient of the current game with respect to the sigmoid parameters (errors.h)
    double slopes[SLOPES];
    double *sums;
    // Products of gradients, summed over the games, [pairs][pairs]. A pair is a middlegame weight
    // and its endgame weight. For pairs i <= j there are four sums: each derivative with respect to
    // a weight of pair i times each derivative with respect to a weight of pair j.
    DoubleQuad *cells;
    // Pointers into `sums`. `cross`: products of gradients with respect to the weights and
    // gradients with respect to the sigmoid parameters, [n][SLOPES]. `met`: numbers of games in
    // which each weight and each term occurs, [n + terms].
    double *cross, *met;
    // gradients of finished games that add_products() has not added to `cells` yet
    GameGradient ended[GAMES_AT_ONCE];
    int waiting; // number of gradients in `ended`
    // h_g, which says how far the fit adapts to game g (errors.h), is computed for a sample of the
    // games. `affecting` counts the games of a range that contain a fitted weight. The sample has
    // the first of them, and then every game number `every`.
    size_t every, affecting;
    const double *inverse; // A^-1 (errors.h), [n][n]
    double *gradient;      // gradient of the current game, [2 * pairs + 2]
    // u = A^-1 s_g (errors.h) of the current game, [2 * pairs + 2]; elements of weights that are
    // not in its GameGradient are 0
    double *move;
    GameRow *rows; // positions of the current game
    size_t row_capacity;
} GamePass;

// Adds the contribution of positions `first` to `first` + count - 1 of an array of positions
// (chunk) to games->slopes, the gradient of the current game with respect to the sigmoid parameters
// (score_sigmoid.h).
static void add_slopes(GamePass *games, const RowChunk *chunk, uint32_t first, int count) {
    RowPass *start = games->start;
    if (start) {
        pass_block(start, chunk, first, first + (uint32_t)count);
        for (int i = 0; i < count; i++) {
            games->slopes[SLOPE_K] +=
                start->row_weight[i] * start->block.score[i] * start->block.slope[i];
        }
    }
    if (!games->pass->setup->sigmoid_fitted) return;
    SigmoidSums sums = {0};
    sigmoid_add_rows(&games->sigmoid, chunk, first, count, &sums);
    for (int a = 0; a < SIGMOID_PARAMS; a++) games->slopes[a] += sums.gradient[a];
}

// Sums the gradients with respect to the weights and to the sigmoid parameters over the positions
// `row` to `end` - 1, which belong to one game. Stores in games->rows the data of each position
// that leverage() needs.
static void read_game(GamePass *games, uint64_t row, uint64_t end) {
    RowPass *pass = games->pass;
    const RowSet *rows = pass->rows;
    const double k = pass->setup->k;
    GameRow *seen = games->rows =
        memory_room(games->rows, &games->row_capacity, end - row, sizeof *games->rows);
    memset(games->slopes, 0, sizeof games->slopes);
    while (row < end) {
        const RowChunk *chunk = &rows->chunks[row / rows->chunk_rows];
        const uint32_t first = (uint32_t)(row % rows->chunk_rows);
        const uint64_t last = first + end - row;
        pass_block(pass, chunk, first, last < chunk->count ? (uint32_t)last : chunk->count);
        for (int i = 0; i < pass->block.count; i++) {
            const double slope = k * pass->row_weight[i] * pass->block.slope[i];
            const double middle = slope * pass->share[i];
            pass->sum[i] = (DoublePair){middle, slope - middle};
            *seen++ =
                (GameRow){pass->share[i], k * k * pass->row_weight[i] * pass->block.curvature[i]};
        }
        row_spread(chunk, first, pass->block.count, pass->sum, games->gradient);
        add_slopes(games, chunk, first, pass->block.count);
        row += (uint64_t)pass->block.count;
    }
}

// Returns the leverage h_g = (u' A_g u) / (u' s_g) of the game with the positions `row` to
// `end` - 1. Here u = A^-1 s_g, and ' marks a transpose; errors.h explains A, A_g and s_g. The
// result is limited to most_leverage; it is 0 if u' s_g is not positive. Sets *moved to u' s_g.
static double leverage(GamePass *games, const GameGradient *gradient, uint64_t row, uint64_t end,
                       size_t n, double *moved) {
    const RowSet *rows = games->pass->rows;
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
    for (const GameRow *seen = games->rows; row < end; row++, seen++) {
        DoublePair score;
        row_sums(&rows->chunks[row / rows->chunk_rows], (uint32_t)(row % rows->chunk_rows), 1,
                 // `move` is the vector u and two zeros. row_sums() multiplies these zeros by the
                 // offset, the part of the score that does not depend on the weights.
                 games->move, &score);
        const double along = seen->share * score[0] + (1.0 - seen->share) * score[1];
        followed += seen->curvature * along * along;
    }
    return *moved > 0.0 ? fmin(followed / *moved, most_leverage) : 0.0;
}

// The gradient has one element, two derivatives, for each pair of weights. Multiplies the
// derivatives in element `from` by the derivatives in this element and in each later one. Adds the
// products to `line`, one row of the matrix of products.
static void add_line(DoubleQuad *line, const GameGradient *gradient, int from) {
    const DoublePair g = gradient->value[from];
    const DoubleQuad factor = {g[0], g[0], g[1], g[1]};
    for (int b = from; b < gradient->count; b++) {
        const DoublePair h = gradient->value[b];
        line[gradient->pair[b]] += factor * (DoubleQuad){h[0], h[1], h[0], h[1]};
    }
}

// Multiplies each gradient in games->ended with itself and adds the products to the matrix
// games->cells. Walks through the matrix once for all these gradients, row by row, so that each row
// stays in the cache.
static void add_products(GamePass *games) {
    const int pairs = games->pass->rows->pairs;
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

// Stores the gradient of the game without its zeros, in the order of the weight pairs (middlegame
// and endgame weight), and increments games->met for each weight and term that occurs in the game.
static GameGradient *take_gradient(GamePass *games) {
    GameGradient *taken = &games->ended[games->waiting++];
    taken->count = 0;
    for (int i = 0; i < games->pass->rows->pairs; i++) {
        const DoublePair value = pair_at(games->gradient, (unsigned)i);
        taken->pair[taken->count] = (uint16_t)i;
        taken->value[taken->count] = value;
        for (int k = 0; k < 2; k++) games->met[2 * i + k] += value[k] != 0.0;
        taken->count += value[0] != 0.0 || value[1] != 0.0;
    }
    for (int t = 0; t < row_term_count(games->pass->rows); t++) {
        const RowTerm term = row_term(games->pass->rows, t);
        bool met = false;
        for (int i = 2 * term.first; i < 2 * (term.first + term.count); i++) {
            met = met || games->gradient[i] != 0.0;
        }
        games->met[2 * games->pass->rows->pairs + t] += met;
    }
    return taken;
}

// Adds products of the gradients of the current game: s_g z_g' to GAME_SUMS, and z_g z_g' to
// GAME_SLOPES. `gradient` is s_g, the gradient with respect to the weights. games->slopes is z_g,
// the gradient with respect to the sigmoid parameters.
static void add_slope_products(GamePass *games, const GameGradient *gradient) {
    const double *slopes = games->slopes;
    for (int i = 0; i < 2 * gradient->count; i++) {
        double *line = games->cross + (2 * gradient->pair[i / 2] + i % 2) * SLOPES;
        const double value = gradient->value[i / 2][i % 2];
        for (int a = 0; a < SLOPES; a++) line[a] += value * slopes[a];
    }
    for (int a = 0; a < SLOPES; a++) {
        for (int b = 0; b < SLOPES; b++) {
            games->sums[GAME_SLOPES + a * SLOPES + b] += slopes[a] * slopes[b];
        }
    }
}

// Returns true if the game with this gradient contains a fitted weight. Rows of A^-1 that belong to
// frozen weights are 0.
static bool affects_fit(const GamePass *games, const GameGradient *gradient, size_t n) {
    for (int a = 0; a < 2 * gradient->count; a++) {
        const size_t i = 2 * (size_t)gradient->pair[a / 2] + (size_t)a % 2;
        if (games->inverse[i * n + i] > 0 && gradient->value[a / 2][a % 2] != 0) return true;
    }
    return false;
}

static void add_game(GamePass *games, size_t game, uint64_t row, size_t n) {
    const uint64_t end = row + games->pass->rows->games[game].rows;
    memset(games->gradient, 0, (n + 2) * sizeof *games->gradient);
    read_game(games, row, end);
    GameGradient *gradient = take_gradient(games);
    if (affects_fit(games, gradient, n) && games->affecting++ % games->every == 0) {
        double moved;
        const double raise = 1.0 / (1.0 - leverage(games, gradient, row, end, n, &moved));
        games->sums[GAME_MOVED] += moved;
        games->sums[GAME_RAISED] += moved * raise * raise;
        for (int i = 0; games->every == 1 && i < gradient->count; i++) {
            gradient->value[i] *= (DoublePair){raise, raise};
        }
    }
    if (games->start || games->pass->setup->sigmoid_fitted) add_slope_products(games, gradient);
    if (games->waiting == GAMES_AT_ONCE) add_products(games);
}

// Writes the upper triangle of the matrix of products of gradients, summed over a range of games,
// row by row.
static void pack_products(const GamePass *games, size_t pairs) {
    double *to = games->met + 2 * pairs + (size_t)row_term_count(games->pass->rows);
    for (size_t i = 0; i < 2 * pairs; i++) {
        const DoubleQuad *line = games->cells + i / 2 * pairs;
        for (size_t j = i; j < 2 * pairs; j++) *to++ = line[j / 2][2 * (i % 2) + j % 2];
    }
}

static void run_group(GamePass *games, int group) {
    const RowSet *rows = games->pass->rows;
    const size_t n = 2 * (size_t)rows->pairs;
    size_t game;
    uint64_t row;
    const size_t end = group_games(rows, group, &game, &row);
    if (game == end) return;
    memset(games->cells, 0, n / 2 * (n / 2) * sizeof *games->cells);
    games->cross = games->sums + GAME_SUMS;
    games->met = games->cross + n * SLOPES;
    games->affecting = 0;
    for (; game < end; row += rows->games[game++].rows) add_game(games, game, row, n);
    add_products(games);
    pack_products(games, n / 2);
}

static GamePass *game_pass_new(const RowSet *rows, const LossSetup *setup, const double *start,
                               const double *weights, const double *inverse) {
    const size_t pairs = (size_t)rows->pairs, count = rows->game_count;
    GamePass *mine = memory_alloc(1, sizeof *mine);
    double slopes[SLOPES];
    slopes_of_setup(setup, slopes);
    mine->pass = pass_new(rows, setup, weights);
    mine->start = setup->k_fitted ? pass_new(rows, setup, start) : NULL;
    if (setup->sigmoid_fitted) mine->sigmoid = sigmoid_pass(setup, slopes);
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
    free(mine->pass);
    free(mine->start);
    free(mine->gradient);
    free(mine->cells);
    free(mine->move);
    free(mine->rows);
    free(mine);
}

void loss_game_products(const RowSet *rows, const LossSetup *setup, const double *start,
                        const double *weights, const double *inverse, GameProducts *products) {
    const size_t n = 2 * (size_t)rows->pairs, counts = n + (size_t)row_term_count(rows);
    const size_t size = GAME_SUMS + n * SLOPES + counts + n * (n + 1) / 2;
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    AUTO_FREE double *flat_start = pass_weights(start, rows->pairs);
    int first;
    const int end = own_ranges(rows, rows->groups, &first);
    AUTO_FREE double *sums = memory_alloc((size_t)(end - first) * size, sizeof *sums);
#pragma omp parallel num_threads(setup->threads)
    {
        GamePass *mine = game_pass_new(rows, setup, flat_start, flat, inverse);
#pragma omp for schedule(dynamic, 1)
        for (int i = first; i < end; i++) {
            mine->sums = sums + (size_t)(i - first) * size;
            run_group(mine, i);
        }
        game_pass_free(mine);
    }
    AUTO_FREE double *total = memory_alloc(size, sizeof *total);
    ranges_total(rows, rows->groups, size, sums, total);
    // `raise` corrects the products for the leverages h_g. With fewer than LEVERAGE_ALL games it is
    // 1, because add_game() has already divided the gradient of each game by 1 - h_g. It is also 1
    // if no game moves the fit.
    const bool mean = rows->game_count >= LEVERAGE_ALL && total[GAME_MOVED] > 0;
    const double raise = mean ? total[GAME_RAISED] / total[GAME_MOVED] : 1.0;
    const double *at = total + GAME_SUMS;
    memcpy(products->slopes, total + GAME_SLOPES, sizeof products->slopes);
    for (size_t i = 0; i < n * SLOPES; i++) products->cross[i] = *at++ * sqrt(raise);
    memcpy(products->met, at, counts * sizeof *at);
    at += counts;
    double *matrix = products->weights;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) matrix[i * n + j] = matrix[j * n + i] = *at++ * raise;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/measure.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "tuner/fit/values.h"
#include "tuner/rows/row_ranks.h"

// Computes the standard error as that of a ratio of two sums over independent games (Cochran,
// Sampling Techniques, 3rd ed., 2.11).
Estimate measure_ratio(const double *sums, const double *counts, size_t games) {
    double sum = 0.0, count = 0.0, squares = 0.0;
    size_t units = 0;
    for (size_t i = 0; i < games; i++) {
        sum += sums[i];
        count += counts[i];
        units += counts[i] > 0;
    }
    const double mean = sum / count;
    for (size_t i = 0; i < games; i++) {
        const double away = sums[i] - mean * counts[i];
        squares += away * away;
    }
    const double n = (double)units;
    return (Estimate){mean, units > 1 ? sqrt(squares * n / (n - 1.0)) / count : NAN, units};
}

Estimate measure_change(const double *sums, const double *than, const double *counts,
                        size_t games) {
    AUTO_FREE double *change = memory_alloc(games, sizeof *change);
    for (size_t i = 0; i < games; i++) change[i] = sums[i] - than[i];
    return measure_ratio(change, counts, games);
}

// ---- loss and difference ------------------------------------------------------------------------

void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double *losses, double *counts) {
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const uint32_t *games = rows->chunks[c].game;
        loss_chunk(rows, setup, weights, c, seen);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            losses[games[i]] += seen->weight[i] * seen->loss[i];
            if (counts) counts[games[i]] += seen->weight[i];
        }
    }
    ranks_share_games(rows, losses);
    if (counts) ranks_share_games(rows, counts);
}

static Estimate estimate(const RowSet *rows, const LossSetup *setup_a, const double *a,
                         const LossSetup *setup_b, const double *b) {
    const size_t games = rows->game_count;
    AUTO_FREE double *losses = memory_alloc(games, sizeof *losses);
    AUTO_FREE double *than = memory_alloc(games, sizeof *than);
    AUTO_FREE double *counts = memory_alloc(games, sizeof *counts);
    measure_game_losses(rows, setup_a, a, losses, counts);
    if (b) measure_game_losses(rows, setup_b, b, than, NULL);
    return measure_change(losses, than, counts, games);
}

Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights) {
    return estimate(rows, setup, weights, NULL, NULL);
}

Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b) {
    return estimate(rows, setup_a, a, setup_b, b);
}

// ---- calibration --------------------------------------------------------------------------------

static void extremes_add(Extremes *extremes, uint64_t row, double residual) {
    const int above = residual > 0;
    if (fabs(residual) <= extremes->size[above]) return;
    extremes->size[above] = fabs(residual);
    extremes->row[above] = row;
}

// Enlarges the standard error of a mean over the positions of a bin, whose mean target is `target`:
// two games of mean weight that were won, and two that were lost, count in it (compare Agresti and
// Coull 1998). Without them, the interval contains the true mean in only 56 to 90 of 100 bins near
// 0 and 1, where all games may have the same result, and in 88 of 100 other bins of 40 games
// (E-185).
static Estimate with_four_games(Estimate mean, double target, double lambda) {
    const double n = (double)mean.games;
    const double squares = pow(lambda * target, 2) + pow(lambda * (1 - target), 2);
    mean.error = sqrt(mean.error * mean.error + 2 * squares / (n * n));
    return mean;
}

void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]) {
    const size_t games = rows->game_count, cells = games * CALIBRATION_BINS;
    double predicted[CALIBRATION_BINS] = {0}, weight[CALIBRATION_BINS] = {0};
    // [CALIBRATION_BINS][games] Sums over the positions of each bin and game: `target` sums
    // weight * target, `count` sums the weights. The target is the observed result that should be
    // predicted.
    AUTO_FREE double *target = memory_alloc(cells, sizeof *target);
    AUTO_FREE double *count = memory_alloc(cells, sizeof *count);
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    uint64_t row = 0;
    memset(bins, 0, CALIBRATION_BINS * sizeof *bins);
    for (size_t c = 0; c < rows->chunk_count; c++) {
        loss_chunk(rows, setup, weights, c, seen);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            row++;
            if (!(seen->weight[i] > 0)) continue;
            const double sigma = loss_expected_points(seen->score[i]);
            int bin = (int)(sigma * CALIBRATION_BINS);
            if (bin >= CALIBRATION_BINS) bin = CALIBRATION_BINS - 1;
            const size_t cell = (size_t)bin * games + rows->chunks[c].game[i];
            target[cell] += seen->weight[i] * seen->target[i];
            count[cell] += seen->weight[i];
            predicted[bin] += seen->weight[i] * sigma;
            weight[bin] += seen->weight[i];
            bins[bin].rows++;
            extremes_add(&bins[bin].extremes, row, seen->target[i] - sigma);
        }
    }
    for (size_t i = 0; i < CALIBRATION_BINS; i++) {
        bins[i].predicted = predicted[i] / weight[i];
        const Estimate mean = measure_ratio(target + i * games, count + i * games, games);
        bins[i].observed = with_four_games(mean, mean.value, setup->lambda);
    }
}

// ---- residuals ----------------------------------------------------------------------------------

// Limits of the bins of the material lead, in points. A lead is a multiple of 0.5, because a cannon
// counts 4.5 in the classic table, so no lead equals a limit. The bins are: even, then leads up to
// 1, 2, 3, 4, 6, 9, 13, and more.
static const double lead_edges[RESIDUAL_LEADS + 1] = {0,    0.25, 1.25, 2.25,  3.25,
                                                      4.25, 6.25, 9.25, 13.25, INFINITY};

enum { BINS = sizeof(Residuals) / sizeof(ResidualBin) };
// The bins of a Residuals as one array, and sums for each bin and game.
typedef struct Sorting {
    ResidualBin *bins;
    // weighted sum of the residuals and sum of the weights of each game in each bin, [BINS][games]
    double *sums, *counts;
    size_t games;
    // weighted sums of the targets, from the view of the residuals, and of the weights of each bin
    double targets[BINS], weights[BINS];
} Sorting;
_Static_assert((int)GROUP_COUNT <= (int)RESIDUAL_KINDS, "each kind of piece has a bin");

// Adds a position to a bin, from the view of Red (view 1) or of Black (-1). `red` and `target` are
// its residual and its target from Red's view.
static void sorting_add(Sorting *sorting, ResidualBin *bin, uint32_t game, uint64_t number,
                        double red, double target, double view, double weight) {
    const ptrdiff_t b = bin - sorting->bins;
    const size_t cell = (size_t)b * sorting->games + game;
    sorting->sums[cell] += weight * red * view;
    sorting->counts[cell] += weight;
    sorting->targets[b] += weight * (view > 0 ? target : 1 - target);
    sorting->weights[b] += weight;
    bin->rows++;
    extremes_add(&bin->extremes, number, red * view);
}

static int lead_bin(double points) {
    int bin = 0;
    while (bin + 1 < RESIDUAL_LEADS && points >= lead_edges[bin + 1]) bin++;
    return bin;
}

static double sign(double value) {
    return value < 0 ? -1.0 : 1.0;
}

// Properties of the positions of a chunk (an array of at most ROWS_CHUNK positions): losses, Red's
// material lead (in units, with the classic piece values), and for each kind of piece how many more
// Red has than Black.
typedef struct ChunkView {
    ChunkLoss loss;
    double material[ROWS_CHUNK], kind[GROUP_COUNT][ROWS_CHUNK];
} ChunkView;

static void view_chunk(const RowSet *rows, const LossSetup *setup, const double *weights,
                       const double *classic, size_t chunk, ChunkView *view) {
    double one[2 * WEIGHT_COUNT] = {0};
    loss_chunk(rows, setup, weights, chunk, &view->loss);
    loss_chunk_scores(rows, chunk, classic, view->material);
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        if (term->part != TERM_MATERIAL) continue;
        one[2 * term->first] = one[2 * term->first + 1] = 1;
        loss_chunk_scores(rows, chunk, one, view->kind[term->group]);
        one[2 * term->first] = one[2 * term->first + 1] = 0;
    }
}

static void add_row(const ChunkView *view, uint32_t i, double share, uint32_t game, uint64_t number,
                    Residuals *to, Sorting *sorting) {
    const double weight = view->loss.weight[i], score = view->loss.score[i];
    if (!(weight > 0)) return;
    const double red = view->loss.target[i] - loss_expected_points(score);
    const double unit = (double)SCALE_CHARIOT / 9.0, lead = view->material[i] / unit;
    const int phase = share < 1 ? (int)(share * RESIDUAL_PHASES) : RESIDUAL_PHASES - 1;
    const int bin = lead_bin(fabs(lead));
    const double target = view->loss.target[i], ahead = bin == 0 ? 1 : sign(lead);
    sorting_add(sorting, &to->phase_red[phase], game, number, red, target, 1, weight);
    sorting_add(sorting, &to->phase_leader[phase], game, number, red, target, sign(score), weight);
    sorting_add(sorting, &to->lead[bin], game, number, red, target, ahead, weight);
    for (int g = 0; g < GROUP_COUNT; g++) {
        const double more = view->kind[g][i];
        if (fabs(more) < 0.5) continue;
        sorting_add(sorting, &to->kind[g], game, number, red, target, sign(more), weight);
    }
}

void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals) {
    const size_t games = rows->game_count;
    AUTO_FREE double *sums = memory_alloc(BINS * games, sizeof *sums);
    AUTO_FREE double *counts = memory_alloc(BINS * games, sizeof *counts);
    // memory_alloc() clears the array view->kind. The entry of a kind of piece without a material
    // term stays 0.
    AUTO_FREE ChunkView *view = memory_alloc(1, sizeof *view);
    Sorting sorting = {
        .bins = (ResidualBin *)residuals, .sums = sums, .counts = counts, .games = games};
    double classic[2 * WEIGHT_COUNT];
    uint64_t number = 0;
    *residuals = (Residuals){0};
    values_classic(classic);
    for (int i = 0; i < RESIDUAL_PHASES; i++) {
        residuals->phase_red[i].low = i / (double)RESIDUAL_PHASES;
        residuals->phase_red[i].high = (i + 1) / (double)RESIDUAL_PHASES;
    }
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        residuals->lead[i].low = lead_edges[i];
        residuals->lead[i].high = lead_edges[i + 1];
    }
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        view_chunk(rows, setup, weights, classic, c, view);
        for (uint32_t i = 0; i < chunk->count; i++) {
            add_row(view, i, chunk->phase[i] / rows->phase_max, chunk->game[i], ++number, residuals,
                    &sorting);
        }
    }
    for (size_t i = 0; i < BINS; i++) {
        sorting.bins[i].residual =
            with_four_games(measure_ratio(sums + i * games, counts + i * games, games),
                            sorting.targets[i] / sorting.weights[i], setup->lambda);
    }
}

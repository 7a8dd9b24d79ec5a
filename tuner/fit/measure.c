// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/measure.h"
#include "core/eval/eval.h"
#include "tuner/fit/loss_pass.h"

#include <math.h>

#include "core/base/memory.h"
#include "tuner/fit/values.h"
#include "tuner/rows/row_ranks.h"

// Mean of sums / counts over games with the error of a ratio of two sums (Cochran, Sampling
// Techniques, 3rd ed., 2.11): games are the independent units.
Estimate measure_ratio(const double *sums, const double *counts, size_t games) {
    double sum = 0.0, count = 0.0, squares = 0.0, units = 0.0;
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
    return (Estimate){mean, units > 1 ? sqrt(squares * units / (units - 1.0)) / count : NAN};
}

// Calls `visit` for each block of rows, in order, with score, target, loss filled in.
typedef void Visit(void *context, const uint32_t *games, const LossBlock *block,
                   const double *weight);

static void for_each_block(const RowSet *rows, const LossSetup *setup, const double *weights,
                           Visit *visit, void *context) {
    AUTO_FREE RowPass *pass = memory_aligned(64, sizeof *pass);
    AUTO_FREE double *flat = pass_weights(weights, rows->pairs);
    pass->rows = rows;
    pass->setup = setup;
    pass->weights = flat;
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t first = 0; first < chunk->count; first += LOSS_BLOCK) {
            pass_forward(pass, chunk, first);
            loss_block(setup->kind, &pass->block);
            visit(context, chunk->game + first, &pass->block, pass->row_weight);
        }
    }
}

// ---- loss and difference ------------------------------------------------------------------------

typedef struct GameSums {
    double *loss, *count;
    double sign; // of what is added to `loss`
} GameSums;

static void add_losses(void *context, const uint32_t *games, const LossBlock *block,
                       const double *weight) {
    GameSums *sums = context;
    for (int i = 0; i < block->count; i++) {
        sums->loss[games[i]] += sums->sign * weight[i] * block->loss[i];
        if (sums->count) sums->count[games[i]] += weight[i];
    }
}

void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double sign, double *losses, double *counts) {
    GameSums sums = {losses, counts, sign};
    for_each_block(rows, setup, weights, add_losses, &sums);
    ranks_share_games(rows, losses);
    if (counts) ranks_share_games(rows, counts);
}

static Estimate estimate(const RowSet *rows, const LossSetup *setup_a, const double *a,
                         const LossSetup *setup_b, const double *b) {
    AUTO_FREE double *losses = memory_alloc(rows->game_count, sizeof *losses);
    AUTO_FREE double *counts = memory_alloc(rows->game_count, sizeof *counts);
    measure_game_losses(rows, setup_a, a, 1.0, losses, counts);
    if (b) measure_game_losses(rows, setup_b, b, -1.0, losses, NULL);
    return measure_ratio(losses, counts, rows->game_count);
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

typedef struct Calibration {
    const LossSetup *setup;
    size_t games;
    double *target, *count; // [CALIBRATION_BINS][games]
    CalibrationBin *bins;
    uint64_t row;
    double predicted[CALIBRATION_BINS], weight[CALIBRATION_BINS];
} Calibration;

static void add_bins(void *context, const uint32_t *games, const LossBlock *block,
                     const double *weight) {
    Calibration *c = context;
    for (int i = 0; i < block->count; i++) {
        c->row++;
        if (!(weight[i] > 0)) continue;
        const double sigma = loss_expected_points(block->score[i]);
        int bin = (int)(sigma * CALIBRATION_BINS);
        if (bin >= CALIBRATION_BINS) bin = CALIBRATION_BINS - 1;
        const size_t cell = (size_t)bin * c->games + games[i];
        c->target[cell] += weight[i] * block->target[i];
        c->count[cell] += weight[i];
        c->predicted[bin] += weight[i] * sigma;
        c->weight[bin] += weight[i];
        c->bins[bin].rows++;
        extremes_add(&c->bins[bin].extremes, c->row, block->target[i] - sigma);
    }
}

void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]) {
    const size_t games = rows->game_count, cells = games * CALIBRATION_BINS;
    Calibration c = {.setup = setup,
                     .games = games,
                     .target = memory_alloc(cells, sizeof(double)),
                     .count = memory_alloc(cells, sizeof(double)),
                     .bins = bins};
    for (int i = 0; i < CALIBRATION_BINS; i++) bins[i] = (CalibrationBin){0};
    for_each_block(rows, setup, weights, add_bins, &c);
    for (int i = 0; i < CALIBRATION_BINS; i++) {
        bins[i].predicted = c.predicted[i] / c.weight[i];
        bins[i].observed =
            measure_ratio(c.target + (size_t)i * games, c.count + (size_t)i * games, games);
    }
    free(c.target);
    free(c.count);
}

// ---- residuals ----------------------------------------------------------------------------------

// One way to sort rows into bins.
typedef struct Sorting {
    ResidualBin *bins;
    int count;
    double *sums, *counts; // [count][games]
} Sorting;

enum { BY_PHASE_RED, BY_PHASE_LEADER, BY_LEAD, BY_KIND, SORTINGS };

// Edges of the leads, in points, between the halves that the classic table's cannon makes: even, up
// to 1, 2, 3, 4, 6, 9, 13, and more.
static const double lead_edges[RESIDUAL_LEADS + 1] = {0,    0.25, 1.25, 2.25,  3.25,
                                                      4.25, 6.25, 9.25, 13.25, INFINITY};

static void sorting_init(Sorting *sorting, ResidualBin *bins, int count, size_t games) {
    *sorting = (Sorting){bins, count, memory_alloc((size_t)count * games, sizeof(double)),
                         memory_alloc((size_t)count * games, sizeof(double))};
    for (int i = 0; i < count; i++) bins[i] = (ResidualBin){.low = i, .high = i + 1.0};
}

static void sorting_finish(Sorting *sorting, size_t games) {
    for (int i = 0; i < sorting->count; i++) {
        sorting->bins[i].residual = measure_ratio(sorting->sums + (size_t)i * games,
                                                  sorting->counts + (size_t)i * games, games);
    }
    free(sorting->sums);
    free(sorting->counts);
}

static void sorting_add(Sorting *sorting, size_t games, int bin, uint32_t game, uint64_t number,
                        double residual, double weight) {
    sorting->sums[(size_t)bin * games + game] += weight * residual;
    sorting->counts[(size_t)bin * games + game] += weight;
    sorting->bins[bin].rows++;
    extremes_add(&sorting->bins[bin].extremes, number, residual);
}

static int lead_bin(double points) {
    int bin = 0;
    while (bin + 1 < RESIDUAL_LEADS && points >= lead_edges[bin + 1]) bin++;
    return bin;
}

// Scores of one chunk by several sets of weights: the evaluation, the material of the classic
// table, and how many more pieces of each kind Red has.
typedef struct Scores {
    double *evaluation, *material, *kind[GROUP_COUNT];
    double *flat; // weights of one set
} Scores;

static void scores_fill(const RowSet *rows, size_t chunk, const double *weights,
                        const double *classic, Scores *scores) {
    loss_chunk_scores(rows, chunk, weights, scores->evaluation);
    loss_chunk_scores(rows, chunk, classic, scores->material);
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        if (term->part != TERM_MATERIAL) continue;
        double *const pair = scores->flat + 2 * term->first;
        pair[0] = pair[1] = 1.0;
        loss_chunk_scores(rows, chunk, scores->flat, scores->kind[term->group]);
        pair[0] = pair[1] = 0.0;
    }
}

static double sign(double value) {
    return value < 0 ? -1.0 : 1.0;
}

static void add_row(const RowSet *rows, const LossSetup *setup, const Scores *scores,
                    uint64_t number, uint32_t i, const RowHead *row, Sorting sortings[SORTINGS]) {
    const size_t games = rows->game_count;
    const double target = loss_target(setup, row);
    const double share = row->phase / rows->phase_max;
    const double weight = setup->game_weight ? setup->game_weight[row->game] : 1.0;
    if (isnan(target) || !(weight > 0)) return;
    const double red = target - loss_expected_points(setup->k * scores->evaluation[i]);
    int phase = (int)(share * RESIDUAL_PHASES);
    if (phase >= RESIDUAL_PHASES) phase = RESIDUAL_PHASES - 1;
    const double unit = (double)SCALE_CHARIOT / 9.0, lead = scores->material[i] / unit;
    sorting_add(&sortings[BY_PHASE_RED], games, phase, row->game, number, red, weight);
    sorting_add(&sortings[BY_PHASE_LEADER], games, phase, row->game, number,
                red * sign(scores->evaluation[i]), weight);
    const int bin = lead_bin(fabs(lead));
    sorting_add(&sortings[BY_LEAD], games, bin, row->game, number,
                bin == 0 ? red : red * sign(lead), weight);
    for (int g = 0; g < GROUP_COUNT; g++) {
        const double more = scores->kind[g] ? scores->kind[g][i] : 0.0;
        if (fabs(more) < 0.5) continue;
        sorting_add(&sortings[BY_KIND], games, g, row->game, number, red * sign(more), weight);
    }
}

void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals) {
    const size_t games = rows->game_count;
    Sorting sortings[SORTINGS];
    sorting_init(&sortings[BY_PHASE_RED], residuals->phase_red, RESIDUAL_PHASES, games);
    sorting_init(&sortings[BY_PHASE_LEADER], residuals->phase_leader, RESIDUAL_PHASES, games);
    sorting_init(&sortings[BY_LEAD], residuals->lead, RESIDUAL_LEADS, games);
    sorting_init(&sortings[BY_KIND], residuals->kind, GROUP_COUNT, games);
    for (int i = 0; i < RESIDUAL_PHASES; i++) {
        residuals->phase_red[i].low = residuals->phase_leader[i].low = i / (double)RESIDUAL_PHASES;
        residuals->phase_red[i].high = residuals->phase_leader[i].high =
            (i + 1) / (double)RESIDUAL_PHASES;
    }
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        residuals->lead[i].low = lead_edges[i];
        residuals->lead[i].high = lead_edges[i + 1];
    }
    Weights table;
    double classic[2 * WEIGHT_COUNT];
    weights_classic(&table);
    values_flat(&table, classic);
    Scores scores = {memory_alloc(ROWS_CHUNK, sizeof(double)),
                     memory_alloc(ROWS_CHUNK, sizeof(double)),
                     {NULL},
                     memory_alloc(2 * WEIGHT_COUNT, sizeof(double))};
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (weight_terms[t].part != TERM_MATERIAL) continue;
        scores.kind[weight_terms[t].group] = memory_alloc(ROWS_CHUNK, sizeof(double));
    }
    uint64_t number = 0;
    for (size_t c = 0; c < rows->chunk_count; c++) {
        scores_fill(rows, c, weights, classic, &scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const RowHead row = row_at(&rows->chunks[c], i);
            add_row(rows, setup, &scores, ++number, i, &row, sortings);
        }
    }
    for (int i = 0; i < SORTINGS; i++) sorting_finish(&sortings[i], games);
    for (int g = 0; g < GROUP_COUNT; g++) free(scores.kind[g]);
    free(scores.evaluation);
    free(scores.material);
    free(scores.flat);
}

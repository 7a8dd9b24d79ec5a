// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/residuals.h"

#include <math.h>

#include "core/base/memory.h"
#include "tuner/fit/values.h"

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

static void sorting_add(Sorting *sorting, size_t games, int bin, uint32_t game, double residual,
                        double weight) {
    sorting->sums[(size_t)bin * games + game] += weight * residual;
    sorting->counts[(size_t)bin * games + game] += weight;
    sorting->bins[bin].rows++;
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

static void add_row(const RowSet *rows, const LossSetup *setup, const Scores *scores, uint32_t i,
                    const RowHead *row, Sorting sortings[SORTINGS]) {
    const size_t games = rows->game_count;
    double draw;
    const double target = loss_target(setup, row, &draw);
    const double share = row->phase / rows->phase_max;
    double weight = setup->game_weight ? setup->game_weight[row->game] : 1.0;
    if (setup->endgame_weight > 0) weight *= share + setup->endgame_weight * (1.0 - share);
    if (isnan(target) || !(weight > 0)) return;
    const double red = target - loss_expected_points(setup, setup->k * scores->evaluation[i]);
    int phase = (int)(share * RESIDUAL_PHASES);
    if (phase >= RESIDUAL_PHASES) phase = RESIDUAL_PHASES - 1;
    const double unit = (double)SCALE_CHARIOT / 9.0, lead = scores->material[i] / unit;
    sorting_add(&sortings[BY_PHASE_RED], games, phase, row->game, red, weight);
    sorting_add(&sortings[BY_PHASE_LEADER], games, phase, row->game,
                red * sign(scores->evaluation[i]), weight);
    const int bin = lead_bin(fabs(lead));
    sorting_add(&sortings[BY_LEAD], games, bin, row->game, bin == 0 ? red : red * sign(lead),
                weight);
    for (int g = 0; g < GROUP_COUNT; g++) {
        const double more = scores->kind[g] ? scores->kind[g][i] : 0.0;
        if (fabs(more) < 0.5) continue;
        sorting_add(&sortings[BY_KIND], games, g, row->game, red * sign(more), weight);
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
    for (size_t c = 0; c < rows->chunk_count; c++) {
        scores_fill(rows, c, weights, classic, &scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const RowHead row = row_at(&rows->chunks[c], i);
            add_row(rows, setup, &scores, i, &row, sortings);
        }
    }
    for (int i = 0; i < SORTINGS; i++) sorting_finish(&sortings[i], games);
    for (int g = 0; g < GROUP_COUNT; g++) free(scores.kind[g]);
    free(scores.evaluation);
    free(scores.material);
    free(scores.flat);
}

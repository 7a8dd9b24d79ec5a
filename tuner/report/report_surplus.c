// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the section that shows in which positions a network predicts results better than the
// weights. The surplus of a position is the loss of the weights minus the loss of the network.
// Weights and network each have their own best K, the slope of the sigmoid that converts scores to
// expected results. Both are fitted here, to the total scores of each side on the same games.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/network.h"
#include "tuner/report/report_internal.h"

typedef struct Surplus {
    Report *report;
    // [rows] loss of the weights minus loss of the network in each position; NAN: not measured
    const float *value;
    float *key; // [rows] number that sorts the positions into groups, such as the phase
    // [games] sums over the positions of each game: of w * value, and of w. Here w is the weight of
    // the game in the loss, and value is the loss of the linear weights minus that of the network.
    double *sums, *counts;
} Surplus;

// Sets report->network_red of each position to the total score of the network.
static Status score_by_network(Report *report, Err *err) {
    const Network *network = report->source->network;
    const RowSet *rows = report->source->rows;
    double beside[2 * WEIGHT_COUNT];
    AUTO_FREE double *scores = memory_alloc(rows->chunk_rows, sizeof *scores);
    AUTO_FREE NetworkCache *cache = memory_aligned(64, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    values_flat(&network->weights, beside);
    for (size_t c = 0, number = 0; c < rows->chunk_count; c++) {
        loss_chunk_scores(rows, c, beside, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, number++) {
            PositionRecord record = {.stm = rows->chunks[c].side_to_move[i] < 0 ? BLACK : RED};
            Position position;
            memcpy(record.squares, rows->boards[number].squares, sizeof record.squares);
            TRY(position_record_board(&record, &position, err));
            const int part = network_score(network, cache, &position, NULL, NULL);
            report->network_red[number] =
                (float)((record.stm == RED ? part : -part) + (network->linear ? scores[i] : 0));
        }
    }
    return STATUS_OK;
}

// Positions with the scores of the weights, their targets, and their weights in the fits of K.
typedef struct Fitted {
    float *score, *target; // [rows]
    double *weight;        // [rows]
} Fitted;

static void fitted_clear(Fitted *fitted) {
    free(fitted->score);
    free(fitted->target);
    free(fitted->weight);
}
AUTO_VALUE(Fitted, fitted_clear)

// Returns the weight of each game in the fits of K: the training games or, if the division of the
// games is unknown or there are no training games, all games. The caller frees the array.
static double *games_to_fit(const Report *report) {
    const RowSet *rows = report->source->rows;
    const FitSetup *setup = &report->source->setup;
    if (report->fit_part == PART_COUNT) return fit_game_weights(rows, setup->weigh);
    double *weight = fit_part_weights(rows, setup, PART_TRAIN);
    for (size_t i = 0; i < rows->game_count; i++) {
        if (weight[i] > 0 && rows->games[i].rows > 0) return weight;
    }
    free(weight);
    return fit_game_weights(rows, setup->weigh);
}

static void fill_fitted(const Report *report, Fitted *fitted) {
    const RowSet *rows = report->source->rows;
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    AUTO_FREE double *scores = memory_alloc(rows->chunk_rows, sizeof *scores);
    AUTO_FREE double *weight = games_to_fit(report);
    LossSetup loss = report->loss;
    loss.game_weight = weight;
    *fitted = (Fitted){.score = memory_alloc(rows->count, sizeof *fitted->score),
                       .target = memory_alloc(rows->count, sizeof *fitted->target),
                       .weight = memory_alloc(rows->count, sizeof *fitted->weight)};
    for (size_t c = 0, number = 0; c < rows->chunk_count; c++) {
        loss_chunk(rows, &loss, report->flat, c, seen);
        loss_chunk_scores(rows, c, report->flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, number++) {
            fitted->score[number] = (float)scores[i];
            fitted->target[number] = (float)seen->target[i];
            fitted->weight[number] = seen->weight[i];
        }
    }
}

// Fits the K of the weights and the K of the network to the same games, each to its own total
// scores. A side whose K is wrong would lose for its scale, not for its knowledge.
static void fit_both(Report *report) {
    const RowSet *rows = report->source->rows;
    AUTO(Fitted) fitted = {0};
    fill_fitted(report, &fitted);
    ScoredRows scored = {fitted.score, fitted.target, fitted.weight, rows->count};
    report->surplus_k[0] = loss_fit_k(report->loss.kind, &scored);
    scored.score = report->network_red;
    report->surplus_k[1] = loss_fit_k(report->loss.kind, &scored);
}

Status report_measure_surplus(Report *report, Err *err) {
    const RowSet *rows = report->source->rows;
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    AUTO_FREE double *sums = memory_alloc(2 * rows->game_count, sizeof *sums);
    double *const counts = sums + rows->game_count;
    report->surplus = memory_alloc(rows->count, sizeof *report->surplus);
    report->network_red = memory_alloc(rows->count, sizeof *report->network_red);
    TRY(score_by_network(report, err));
    fit_both(report);
    LossSetup loss = report->loss;
    loss.k = report->surplus_k[0];
    for (size_t c = 0, number = 0; c < rows->chunk_count; c++) {
        loss_chunk(rows, &loss, report->flat, c, seen);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, number++) {
            report->surplus[number] = NAN;
            if (!(seen->weight[i] > 0)) continue;
            LossBlock block = {
                .score = {report->surplus_k[1] * (double)report->network_red[number]},
                .target = {seen->target[i]},
                .count = 1};
            loss_block(loss.kind, &block);
            report->surplus[number] = (float)(seen->loss[i] - block.loss[0]);
            const uint32_t game = rows->chunks[c].game[i];
            sums[game] += loss.game_weight[game] * (double)report->surplus[number];
            counts[game] += loss.game_weight[game];
        }
    }
    report->surplus_mean = measure_ratio(sums, counts, rows->game_count);
    return STATUS_OK;
}

// Fills the value `series` (0 or 1) of a row of a list: the mean surplus of the positions whose key
// is at least `low` and less than `high`. For series 0, also sets the number of positions, and as
// example the position with the largest surplus.
static void fill(const Surplus *surplus, double low, double high, int series, ListRow *row) {
    const RowSet *rows = surplus->report->source->rows;
    const double *weight = surplus->report->loss.game_weight;
    size_t count = 0, best = 0;
    memset(surplus->sums, 0, rows->game_count * sizeof *surplus->sums);
    memset(surplus->counts, 0, rows->game_count * sizeof *surplus->counts);
    for (size_t i = 0; i < rows->count; i++) {
        const float key = surplus->key[i], value = surplus->value[i];
        if (isnan(value) || !((double)key >= low && (double)key < high)) continue;
        const uint32_t game = rows->chunks[i / rows->chunk_rows].game[i % rows->chunk_rows];
        surplus->sums[game] += weight[game] * (double)value;
        surplus->counts[game] += weight[game];
        if (count++ == 0 || value > surplus->value[best]) best = i;
    }
    const Estimate mean = measure_ratio(surplus->sums, surplus->counts, rows->game_count);
    row->value[series] = 1000 * mean.value;
    row->half[series] = 1000 * Z95 * mean.error;
    row->few[series] = mean.games < REPORT_FEW_GAMES;
    if (series > 0) return;
    row->row = count ? best + 1 : 0;
    snprintf(row->more, sizeof row->more, "%zu", count);
}

// Sets surplus->key of each position to the absolute value of its score with the weights `flat`.
// Returns the mean key.
static double sort_by(Surplus *surplus, const double *flat) {
    const RowSet *rows = surplus->report->source->rows;
    AUTO_FREE double *scores = memory_alloc(rows->chunk_rows, sizeof *scores);
    double sum = 0;
    for (size_t c = 0, number = 0; c < rows->chunk_count; c++) {
        loss_chunk_scores(rows, c, flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            surplus->key[number++] = (float)fabs(scores[i]);
            sum += fabs(scores[i]);
        }
    }
    return sum / (double)rows->count;
}

void surplus_verdict(Report *report) {
    const double value = report->surplus_mean.value, half = Z95 * report->surplus_mean.error;
    page_verdict(report,
                 value > half ? "The network predicts better than these weights: the 95 % interval "
                                "of the difference excludes 0."
                 : value < -half
                     ? "The network predicts worse than these weights: the 95 % interval of "
                       "the difference excludes 0."
                     : "These games do not show whether the network predicts better or "
                       "worse than these weights.");
}

static void list(Surplus *surplus, PageList *list, const ListRow *rows, int count) {
    list->axis = "how much lower the network's loss is (1/1000)";
    list->more = "positions";
    list->rows = rows;
    list->count = count;
    list->decimals = 2;
    page_list(surplus->report, list);
}

static void by_phase(Surplus *surplus) {
    enum { PHASES = 6 };
    const RowSet *rows = surplus->report->source->rows;
    ListRow lines[PHASES] = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const RowChunk *chunk = &rows->chunks[i / rows->chunk_rows];
        surplus->key[i] = chunk->phase[i % rows->chunk_rows] / (float)rows->phase_max;
    }
    for (int i = 0; i < PHASES; i++) {
        const double low = i / (double)PHASES, high = i + 1 < PHASES ? (i + 1.0) / PHASES : 2;
        snprintf(lines[i].name, sizeof lines->name, "%.0f\xe2\x80\x93%.0f %%", 100 * low,
                 100 * fmin(1, high));
        fill(surplus, low, high, 0, &lines[i]);
    }
    list(surplus,
         &(PageList){.id = "surplus-phase",
                     .heading = "Gain of the network by phase",
                     .caption =
                         "The gain is the loss of the weights minus the loss of the network, with "
                         "its 95 % interval. The phase is 100 % with all pieces on the board and "
                         "falls to 0 % as they are exchanged.",
                     .what = "phase",
                     .series = {"gain of the network"}},
         lines, PHASES);
}

static void by_material(Surplus *surplus) {
    const ResidualBin *lead = surplus->report->residuals.lead;
    ListRow lines[RESIDUAL_LEADS] = {0};
    double classic[2 * WEIGHT_COUNT];
    values_classic(classic);
    sort_by(surplus, classic);
    for (int i = 0; i < RESIDUAL_LEADS; i++) {
        const bool last = i == RESIDUAL_LEADS - 1;
        snprintf(lines[i].name, sizeof lines->name, "%s%.0f",
                 i == 0 ? ""
                 : last ? "> "
                        : "\xe2\x89\xa4 ",
                 floor(last ? lead[i].low : lead[i].high));
        fill(surplus, lead[i].low * UNITS_A_POINT, last ? 1e9 : lead[i].high * UNITS_A_POINT, 0,
             &lines[i]);
    }
    list(surplus,
         &(PageList){.id = "surplus-material",
                     .heading = "Gain of the network by material",
                     .caption = "The lead in material of the side ahead, in points of the classic "
                                "table. \xe2\x89\xa4 2 means leads above 1 and up to 2.",
                     .what = "lead",
                     .series = {"gain of the network"}},
         lines, RESIDUAL_LEADS);
}

static bool same_group(const WeightTerm *a, const WeightTerm *b) {
    const size_t length = strcspn(a->name, "_");
    return length == strcspn(b->name, "_") && strncmp(a->name, b->name, length) == 0;
}

static void by_group(Surplus *surplus) {
    ListRow lines[WEIGHT_TERM_COUNT] = {0};
    int count = 0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        double flat[2 * WEIGHT_COUNT] = {0};
        const WeightTerm *term = &weight_terms[t];
        int first = 0;
        while (!same_group(term, &weight_terms[first])) first++;
        if (first < t) continue;
        for (int u = t; u < WEIGHT_TERM_COUNT; u++) {
            const size_t at = 2 * (size_t)weight_terms[u].first;
            if (!same_group(term, &weight_terms[u])) continue;
            memcpy(flat + at, surplus->report->flat + at,
                   2 * (size_t)weight_terms[u].count * sizeof *flat);
        }
        const double mean = sort_by(surplus, flat);
        ListRow *line = &lines[count++];
        int terms = 0;
        for (int u = t; u < WEIGHT_TERM_COUNT; u++) terms += same_group(term, &weight_terms[u]);
        if (terms == 1) line->term = term;
        snprintf(line->name, sizeof line->name, "%.*s_*", (int)strcspn(term->name, "_"),
                 term->name);
        fill(surplus, mean, 1e9, 0, line);
        fill(surplus, -1, mean, 1, line);
    }
    list(surplus,
         &(PageList){.id = "surplus-groups",
                     .heading = "Gain of the network by group of terms",
                     .caption = "A group consists of the terms whose names begin alike (hanging, "
                                "mobility_*). The round point shows the mean gain in the "
                                "positions in which the group changes the score by at least its "
                                "average amount, the square point that in the other positions. If "
                                "the round point is far to the right of the square one, the "
                                "network knows more about these terms than the weights do: when "
                                "they matter, and with which pieces.",
                     .what = "group",
                     .series = {"group counts much", "group counts little"},
                     .short_names = true},
         lines, count);
}

// Returns true if the network file lists one of the runs as training data.
static bool saw_run(const Report *report) {
    const RowSet *rows = report->source->rows;
    bool saw = false;
    for (size_t i = 0; i < rows->source_count; i++) {
        saw = saw || strstr(text_get(&report->source->network->provenance), rows->content[i]);
    }
    return saw;
}

void report_surplus(Report *report) {
    const RowSet *rows = report->source->rows;
    AUTO_FREE float *keys = memory_alloc(rows->count, sizeof *keys);
    AUTO_FREE double *sums = memory_alloc(2 * rows->game_count, sizeof *sums);
    Surplus surplus = {report, report->surplus, keys, sums, sums + rows->game_count};
    page_paragraph(report,
                   "The loss of these weights on the measured games minus that of the network %s "
                   "is %.5f \xc2\xb1 %.5f (95 %%, games as the independent units); above 0 the "
                   "network is better. Each of the two has its own best slope K, fitted to its "
                   "total scores on %s: %.6f for the weights, %.6f for the network. In the charts, "
                   "values to the right of the dashed line mean "
                   "that the network predicts better there, values to the left that it predicts "
                   "worse. The position beside a row of the tables is the one with the largest "
                   "gain.",
                   report->source->evaluation_name, report->surplus_mean.value,
                   Z95 * report->surplus_mean.error,
                   report->fit_part == PART_COUNT ? "all games" : "the training games",
                   report->surplus_k[0], report->surplus_k[1]);
    if (saw_run(report)) {
        page_paragraph(report,
                       "The network was trained on games of these runs. Unless its training "
                       "kept the measured games aside, its loss is too low.");
    }
    by_phase(&surplus);
    by_material(&surplus);
    by_group(&surplus);
    report_network(report);
}

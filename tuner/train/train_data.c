// SPDX-License-Identifier: GPL-3.0-or-later
// From rows of the linear evaluation to rows of a network.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "core/eval/eval.h"
#include "tuner/train/train.h"

static void add_chunk(TrainData *data, const Fit *fit, size_t chunk, const ChunkLoss *seen,
                      const double *scores) {
    const RowSet *rows = fit->rows;
    const RowChunk *c = &rows->chunks[chunk];
    for (uint32_t i = 0; i < c->count; i++) {
        const bool black = c->side_to_move[i] < 0;
        if (!(seen->weight[i] > 0)) continue;
        const FitPart part = fit_part_of_game(&fit->setup, rows->games[c->game[i]].split);
        TrainRow *row = &data->part[part].list[data->part[part].count++];
        memcpy(row->squares, rows->boards[chunk * rows->chunk_rows + i].squares, SLOT_COUNT);
        row->linear = (float)trunc(black ? -scores[i] : scores[i]); // as it plays
        row->target = (float)(black ? 1.0 - seen->target[i] : seen->target[i]);
        row->weight = (float)seen->weight[i];
        row->game = c->game[i] & INT32_MAX;
        row->black = black;
    }
}

Status train_data_init(TrainData *data, const Fit *fit, Err *err) {
    const RowSet *rows = fit->rows;
    AUTO_FREE double *weight = fit_game_weights(rows, fit->setup.weigh);
    LossSetup loss = fit->loss;
    loss.game_weight = weight;
    *data = (TrainData){.game_count = rows->game_count, .k = loss.k};
    for (int part = 0; part < PART_COUNT; part++) {
        data->games[part] = fit->games[part];
        data->part[part].list = memory_alloc(fit->part_rows[part], sizeof(TrainRow));
    }
    AUTO_FREE double *scores = memory_alloc(ROWS_CHUNK, sizeof *scores);
    AUTO_FREE ChunkLoss *seen = memory_alloc(1, sizeof *seen);
    for (size_t chunk = 0; chunk < rows->chunk_count; chunk++) {
        loss_chunk_scores(rows, chunk, fit->start, scores);
        loss_chunk(rows, &loss, fit->start, chunk, seen);
        add_chunk(data, fit, chunk, seen, scores);
    }
    if (data->part[PART_TRAIN].count > 0 && data->part[PART_VALID].count > 0) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "%zu positions for training and %zu for validation: both need some; add games",
                   data->part[PART_TRAIN].count, data->part[PART_VALID].count);
}

Status train_data_share(TrainData *data, Err *err) {
    enum { SLICE = 1 << 20 };
    if (mpi_size() == 1) return STATUS_OK;
    TRY(ranks_share(data, sizeof *data, err));
    for (int part = 0; part < PART_COUNT; part++) {
        TrainRows *rows = &data->part[part];
        if (mpi_rank() > 0) rows->list = memory_alloc(rows->count, sizeof(TrainRow));
        for (size_t i = 0; i < rows->count; i += SLICE) {
            const size_t count = rows->count - i < SLICE ? rows->count - i : SLICE;
            TRY(ranks_share(rows->list + i, count * sizeof *rows->list, err));
        }
    }
    return STATUS_OK;
}

void train_data_clear(TrainData *data) {
    for (int part = 0; part < PART_COUNT; part++) free(data->part[part].list);
    *data = (TrainData){0};
}

// ---- losses of whole numbers --------------------------------------------------------------------

double train_loss(const Network *network, const TrainData *data, FitPart part, int threads,
                  double *losses) {
    enum { BLOCK = 1 << 14 };
    const TrainRows *rows = &data->part[part];
    AUTO_FREE double *loss = memory_alloc(rows->count, sizeof *loss);
    double total = 0, weight = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t first = 0; first < rows->count; first += BLOCK) {
        NetworkCache *cache = memory_aligned(64, sizeof *cache);
        memset(cache, 0, sizeof *cache);
        for (size_t i = first; i < first + BLOCK && i < rows->count; i++) {
            const TrainRow *row = &rows->list[i];
            PositionRecord record = {.stm = row->black};
            Position position;
            memcpy(record.squares, row->squares, sizeof record.squares);
            position_record_board(&record, &position, NULL); // it was one when it was read
            const int score = network ? network_score(network, cache, &position) : 0;
            const double linear = !network || network->linear ? (double)row->linear : 0.0;
            loss[i] = train_row_loss(row, data->k * (score + linear), NULL) * (double)row->weight;
        }
        free(cache);
    }
    for (size_t i = 0; i < rows->count; i++) {
        total += loss[i];
        weight += (double)rows->list[i].weight;
        if (losses) losses[rows->list[i].game] += loss[i];
    }
    return total / weight;
}

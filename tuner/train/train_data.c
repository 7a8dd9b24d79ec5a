// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the training positions of a network from runs of games, with targets from a linear fit.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/eval/eval.h"
#include "core/system/ranks.h"
#include "datasets/store/run.h"
#include "datasets/store/store.h"
#include "tuner/rows/load.h"
#include "tuner/rows/row_notes.h"
#include "tuner/train/train.h"

// ---- the linear fit -----------------------------------------------------------------------------

// A random sample of all games, chosen by a hash of their content.
typedef struct GameSample {
    double share;
    uint64_t seed;
} GameSample;

static bool in_sample(const void *context, uint64_t split) {
    const GameSample *sample = context;
    // This constant makes the sample independent of the other random divisions of the games
    // (training/validation/test games, folds, halves).
    const uint64_t mixed = random_mix(random_mix(sample->seed + 0x5a) ^ split);
    return (double)(mixed >> 11) * 0x1p-53 < sample->share;
}

static Status count_positions(const char *const *paths, int count, uint64_t *positions, Err *err) {
    *positions = 0;
    for (int i = 0; i < count; i++) {
        AUTO_POINTER(Store) store = NULL;
        TRY(store_open(paths[i], &store, err));
        *positions += store_position_count(store);
    }
    return STATUS_OK;
}

Status train_linear_fit(const char *const *paths, int count, const FitSetup *setup,
                        const double *start, const double *se, uint64_t positions, FILE *show,
                        FILE *warn, TrainLinear *linear, Err *err) {
    uint64_t all;
    TRY(count_positions(paths, count, &all, err));
    for (int i = 0; i < count && show; i++) TRY(provenance_note_faults(paths[i], show, err));
    const GameSample sample = {(double)positions / (double)(all + !all), setup->seed};
    const RowChoice choice = {.take = all > positions ? in_sample : NULL,
                              .context = &sample,
                              .with_faults = setup->with_faults};
    AUTO(RowSet) rows = {0};
    AUTO(Fit) fit = {0};
    TRY(rows_load(paths, count, &choice, setup->threads, show, &rows, err));
    rows_note(&rows, !show, warn);
    linear->results_alone = rows.without_score == rows.count;
    linear->setup = *setup;
    linear->setup.prior.se = se;
    fit_init(&fit, &rows, &linear->setup, start);
    TRY(fit_run(&fit, err));
    linear->loss = fit.loss;
    linear->loss.game_weight = NULL;
    memcpy(linear->start, fit.start, sizeof linear->start);
    memcpy(linear->fitted, fit.weights, sizeof linear->fitted);
    return STATUS_OK;
}

// ---- all positions ------------------------------------------------------------------------------

// State of reading the positions, shard by shard.
typedef struct Reading {
    const TrainLinear *linear;
    TrainData *data;
    LossSetup loss; // setup of the loss, with the weights of all games
    double *game_weight, *scores;
    FitPart *part; // set of each game: training, validation or test
    ChunkLoss *seen, *fitted;
} Reading;

// Assigns each game to the training, validation or test set, and allocates memory for the
// positions.
static void begin_reading(void *context, const RowGame *games, size_t game_count, uint64_t rows) {
    Reading *reading = context;
    TrainData *data = reading->data;
    uint64_t counts[PART_COUNT] = {0};
    const RowSet set = {.games = (RowGame *)games, .game_count = game_count, .count = (size_t)rows};
    reading->game_weight = fit_game_weights(&set, reading->linear->setup.weigh);
    reading->part = memory_alloc(game_count, sizeof *reading->part);
    reading->loss.game_weight = reading->game_weight;
    data->game_count = game_count;
    data->fitted = memory_alloc(game_count, sizeof *data->fitted);
    for (size_t i = 0; i < game_count; i++) {
        reading->part[i] = fit_part_of_game(&reading->linear->setup, games[i].split);
        counts[reading->part[i]] += games[i].rows;
        data->games[reading->part[i]]++;
    }
    for (int part = 0; part < PART_COUNT; part++) {
        data->part[part].list = memory_alloc((size_t)counts[part], sizeof(TrainRow));
    }
}

static void add_chunk(Reading *reading, const RowChunk *c, const RowBoard *boards) {
    const ChunkLoss *seen = reading->seen;
    TrainData *data = reading->data;
    for (uint32_t i = 0; i < c->count; i++) {
        const bool black = c->side_to_move[i] < 0;
        if (!(seen->weight[i] > 0)) continue;
        TrainRows *rows = &data->part[reading->part[c->game[i]]];
        TrainRow *row = &rows->list[rows->count++];
        const double score = reading->scores[i];
        memcpy(row->squares, boards[i].squares, SLOT_COUNT);
        // Truncate the linear score to an integer, as the engine does.
        row->linear = (float)trunc(black ? -score : score);
        row->target = (float)(black ? 1.0 - seen->target[i] : seen->target[i]);
        row->weight = (float)seen->weight[i];
        row->game = c->game[i] & INT32_MAX;
        row->black = black;
        data->fitted[c->game[i]] += reading->fitted->weight[i] * reading->fitted->loss[i];
    }
}

static void take_rows(void *context, const RowSet *rows, const RowBoard *boards) {
    Reading *reading = context;
    const TrainLinear *linear = reading->linear;
    for (size_t chunk = 0; chunk < rows->chunk_count; chunk++) {
        loss_chunk_scores(rows, chunk, linear->start, reading->scores);
        loss_chunk(rows, &reading->loss, linear->start, chunk, reading->seen);
        loss_chunk(rows, &reading->loss, linear->fitted, chunk, reading->fitted);
        add_chunk(reading, &rows->chunks[chunk], boards);
        boards += rows->chunks[chunk].count;
    }
}

Status train_data_read(const char *const *paths, int count, const TrainLinear *linear, FILE *show,
                       TrainData *data, Err *err) {
    *data = (TrainData){.k = linear->loss.k};
    AUTO_FREE double *scores = memory_alloc(ROWS_CHUNK, sizeof *scores);
    AUTO_FREE ChunkLoss *seen = memory_alloc(2, sizeof *seen);
    Reading reading = {.linear = linear,
                       .data = data,
                       .loss = linear->loss,
                       .scores = scores,
                       .seen = seen,
                       .fitted = seen + 1};
    const RowSink sink = {.begin = begin_reading, .take = take_rows, .context = &reading};
    const RowChoice choice = {.sink = &sink, .with_faults = linear->setup.with_faults};
    AUTO(RowSet) rows = {0};
    const Status status = rows_load(paths, count, &choice, linear->setup.threads, show, &rows, err);
    free(reading.game_weight);
    free(reading.part);
    TRY(status);
    data->unknown_results = rows.without_result;
    for (int i = 0; i < count; i++) {
        text_add(&data->runs, "data %s content_hash %s\n", paths[i], rows.content[i]);
    }
    if (data->part[PART_TRAIN].count > 0 && data->part[PART_VALID].count > 0) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "there are %zu positions for training and %zu for validation, but both need at "
                   "least one; add games or change --valid-fraction",
                   data->part[PART_TRAIN].count, data->part[PART_VALID].count);
}

Status train_data_share(TrainData *data, Err *err) {
    enum { SLICE = 1 << 20 };
    if (mpi_size() == 1) return STATUS_OK;
    TrainData own = BORROW(*data); // the pointers of this rank, which ranks_share() overwrites
    TRY(ranks_share(data, sizeof *data, err));
    data->fitted = own.fitted;
    data->runs = MOVE(own.runs);
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
    free(data->fitted);
    text_clear(&data->runs);
    *data = (TrainData){0};
}

// ---- losses of the rounded network --------------------------------------------------------------

// Sets score[j] to the score of position j * step of `rows`, from the view of its side to move: the
// score of the network or, if `network` is NULL, of the linear evaluation.
static void score_rows(const Network *network, const TrainRows *rows, size_t step, int threads,
                       float *score) {
    enum { BLOCK = 1 << 14 };
    const size_t count = (rows->count + step - 1) / step;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t first = 0; first < count; first += BLOCK) {
        NetworkCache *cache = memory_aligned(64, sizeof *cache);
        memset(cache, 0, sizeof *cache);
        for (size_t j = first; j < first + BLOCK && j < count; j++) {
            const TrainRow *row = &rows->list[j * step];
            PositionRecord record = {.stm = row->black};
            Position position;
            memcpy(record.squares, row->squares, sizeof record.squares);
            // No error is possible here: the position was valid when it was read.
            position_record_board(&record, &position, NULL);
            const int part = network ? network_score(network, cache, &position, NULL, NULL) : 0;
            score[j] = (float)part + (!network || network->linear ? row->linear : 0);
        }
        free(cache);
    }
}

double train_loss(const Network *network, const TrainData *data, double k, FitPart part,
                  int threads, double *losses) {
    const TrainRows *rows = &data->part[part];
    AUTO_FREE float *score = memory_alloc(rows->count, sizeof *score);
    double total = 0, weight = 0;
    score_rows(network, rows, 1, threads, score);
    for (size_t i = 0; i < rows->count; i++) {
        const TrainRow *row = &rows->list[i];
        const double loss = train_row_loss(row, k * (double)score[i], NULL) * (double)row->weight;
        total += loss;
        weight += (double)row->weight;
        if (losses) losses[row->game] += loss;
    }
    return total / weight;
}

double train_best_k(const Network *network, const TrainData *data, int threads) {
    enum { MOST = 1000000 };
    const TrainRows *rows = &data->part[PART_TRAIN];
    const size_t step = rows->count / MOST + 1, count = (rows->count + step - 1) / step;
    AUTO_FREE float *score = memory_alloc(2 * count, sizeof *score);
    AUTO_FREE double *weight = memory_alloc(count, sizeof *weight);
    float *const target = score + count;
    score_rows(network, rows, step, threads, score);
    for (size_t j = 0; j < count; j++) {
        target[j] = rows->list[j * step].target;
        weight[j] = (double)rows->list[j * step].weight;
    }
    return loss_fit_k(LOSS_CROSS_ENTROPY, &(ScoredRows){score, target, weight, count});
}

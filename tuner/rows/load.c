// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/load.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/game_key.h"

// One shard of one of the paths.
typedef struct Job {
    const Store *store;
    size_t shard;
    uint32_t source;
    GameKeys games; // at first all of them, then those that are copies of earlier ones
} Job;

typedef struct Load {
    const RowFilter *filter;
    RowSet *rows;
    Job *jobs;
    size_t count;
    int threads;
    Progress *progress;
    KeySet positions; // that were read; not where rows are kept in a file, to save the memory
    bool keep_keys;
    Status status; // of the first shard, in order, that failed
    Err *err;
} Load;

// What is read of a shard.
typedef struct Shard {
    RowPart part;
    uint64_t *keys; // of the part's positions
    uint64_t noisy;
} Shard;

static void load_fail(Load *load, Status status, const Err *err) {
    if (load->status != STATUS_OK || status == STATUS_OK) return;
    load->status = status;
    if (load->err) *load->err = *err;
}

// Finds the games that have the start and the moves of an earlier one, in the order of the jobs.
static void find_copies(Load *load) {
    KeySet seen = {0};
#pragma omp parallel for schedule(dynamic, 1) ordered num_threads(load->threads)
    for (size_t i = 0; i < load->count; i++) {
        Job *job = &load->jobs[i];
        Err err = {0};
        const Status status = interrupt_requested()
                                  ? err_set(&err, STATUS_INTERRUPTED, "interrupted while reading")
                                  : game_keys_read(job->store, job->shard, &job->games, &err);
#pragma omp ordered
        {
            load_fail(load, status, &err);
            load->rows->empty += job->games.count;
            game_keys_keep_copies(&job->games, &seen);
            load->rows->copies += job->games.count;
        }
    }
    key_set_clear(&seen);
}

// Is the search's score too far from the evaluation? A mate is as far as can be.
static bool is_noisy(const RowFilter *filter, const PositionRecord *position,
                     const Position *board) {
    if (filter->max_gap < 0) return false;
    if (position->mate_red != 0) return true;
    if (position->score_red == SCORE_UNKNOWN) return false;
    const int score = evaluate(board, filter->gap_weights);
    return abs(position->score_red - (board->stm == RED ? score : -score)) > filter->max_gap;
}

static Status trace_shard(const Load *load, const Job *job, Shard *shard, Err *err) {
    PositionRecord *positions = NULL;
    size_t count = 0, copy = 0;
    Weights weights; // any set gives the same rows
    weights_classic(&weights);
    Status status = store_read_positions(job->store, job->shard, &positions, &count, err);
    shard->keys = memory_alloc(count, sizeof *shard->keys);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        Position board;
        if (game_keys_find(&job->games, positions[i].game, &copy)) continue;
        status = position_record_board(&positions[i], &board, err);
        if (status == STATUS_OK && is_noisy(load->filter, &positions[i], &board)) {
            shard->noisy++;
            continue;
        }
        if (status == STATUS_OK) {
            if (load->keep_keys)
                shard->keys[shard->part.count] = position_content_key(&board, true);
            status =
                row_part_add_board(&shard->part, &positions[i], &board, job->source, &weights, err);
        }
        if (status != STATUS_OK) err_prefix(err, "%s", store_shard_path(job->store, job->shard));
    }
    free(positions);
    return status;
}

// In shard order, one caller at a time.
static void append_shard(Load *load, const Shard *shard, Status status, const Err *err) {
    load_fail(load, status, err);
    if (load->status != STATUS_OK) return;
    for (size_t i = 0; load->keep_keys && i < shard->part.count; i++) {
        key_set_add(&load->positions, shard->keys[i]);
    }
    load->rows->noisy += shard->noisy;
    load->rows->distinct = load->positions.count;
    row_set_append(load->rows, &shard->part);
    if (load->progress) {
        progress_update(load->progress, load->rows->count + load->rows->pending.count, NULL);
    }
}

static void load_jobs(Load *load) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(load->threads)
    for (size_t i = 0; i < load->count; i++) {
        Shard shard = {0};
        Err err = {0};
        const Status status = interrupt_requested()
                                  ? err_set(&err, STATUS_INTERRUPTED, "interrupted while reading")
                                  : trace_shard(load, &load->jobs[i], &shard, &err);
#pragma omp ordered
        append_shard(load, &shard, status, &err);
        row_part_clear(&shard.part);
        free(shard.keys);
    }
}

static Status open_stores(Load *load, const char *const *paths, int count, Store **stores,
                          Err *err) {
    size_t capacity = 0;
    for (int i = 0; i < count; i++) {
        const Status status = store_open(paths[i], &stores[i], err);
        if (status != STATUS_OK) return status;
        const size_t shards = store_shard_count(stores[i]);
        if (shards == 0) {
            return err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", paths[i]);
        }
        load->jobs = memory_room(load->jobs, &capacity, load->count + shards, sizeof *load->jobs);
        for (size_t shard = 0; shard < shards; shard++) {
            load->jobs[load->count++] =
                (Job){.store = stores[i], .shard = shard, .source = (uint32_t)i};
        }
    }
    return STATUS_OK;
}

Status rows_load(const char *const *paths, int path_count, const RowFilter *filter, int threads,
                 const char *cache, Progress *progress, RowSet *rows, Err *err) {
    Store **stores = memory_alloc((size_t)path_count, sizeof(Store *));
    Load load = {.filter = filter,
                 .rows = rows,
                 .threads = threads,
                 .progress = progress,
                 .keep_keys = !cache,
                 .err = err};
    row_set_init(rows, WEIGHT_COUNT, PHASE_MAX);
    load.status = open_stores(&load, paths, path_count, stores, err);
    if (load.status == STATUS_OK && cache) load.status = row_set_use_file(rows, cache, err);
    if (load.status == STATUS_OK) find_copies(&load);
    if (load.status == STATUS_OK) load_jobs(&load);
    if (load.status == STATUS_OK) load.status = row_set_finish(rows, err);
    rows->empty -= rows->copies + rows->game_count;
    if (load.status != STATUS_OK) row_set_clear(rows);
    for (size_t i = 0; i < load.count; i++) game_keys_clear(&load.jobs[i].games);
    for (int i = 0; i < path_count; i++) store_close(stores[i]);
    key_set_clear(&load.positions);
    free(stores);
    free(load.jobs);
    return load.status;
}

// ---- sparse rows -------------------------------------------------------------------------------

static bool has_our_terms(const SparseTerms *terms) {
    if (terms->terms != WEIGHT_COUNT || !terms->occurrences || terms->phase_max != PHASE_MAX) {
        return false;
    }
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        char name[SPARSE_NAME_SIZE];
        weight_pair_name(i, name, sizeof name);
        if (strcmp(name, terms->names[i]) != 0) return false;
    }
    return true;
}

static Status add_row(const SparseBlock *block, size_t i, int pairs, RowPart *part, Err *err) {
    const double result = block->result.reals[i];
    const int64_t begin = block->indptr.ints[i], end = block->indptr.ints[i + 1];
    const RowHead head = {.phase = (float)block->phase.reals[i],
                          .score_red = (int16_t)block->score.ints[i],
                          .result = (float)result,
                          .mover = (int8_t)block->mover.ints[i]};
    return row_part_add_entries(part, pairs, block->index.ints + begin,
                                block->coefficient.reals + begin, (size_t)(end - begin),
                                block->offset.reals[i], &head, (uint64_t)block->game.ints[i],
                                (uint32_t)block->source.ints[i], err);
}

static Status load_block(const SparseBlock *block, size_t first, RowSet *rows, Err *err) {
    RowPart part = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < block->rows && status == STATUS_OK; i++) {
        status = add_row(block, i, rows->pairs, &part, err);
        if (status != STATUS_OK) err_prefix(err, "row %zu", first + i);
    }
    if (status == STATUS_OK) row_set_append(rows, &part);
    row_part_clear(&part);
    return status;
}

Status rows_load_sparse(SparseReader *reader, const char *cache, Progress *progress, RowSet *rows,
                        Err *err) {
    const SparseTerms *terms = sparse_reader_terms(reader);
    SparseBlock block = {0};
    Status status = STATUS_OK;
    if (terms->terms > SPARSE_MAX_TERMS) {
        return err_set(err, STATUS_BAD_INPUT, "there are %zu terms; a fit has %d at most",
                       terms->terms, SPARSE_MAX_TERMS);
    }
    row_set_init(rows, (int)terms->terms, terms->phase_max);
    if (!has_our_terms(terms)) {
        _Static_assert((int)TERM_NAME_SIZE == (int)SPARSE_NAME_SIZE, "names are copied");
        rows->names = memory_alloc(terms->terms, sizeof *rows->names);
        memcpy(rows->names, terms->names, terms->terms * sizeof *rows->names);
    }
    for (int i = 0; i < WEIGHT_COUNT && !rows->names; i++) {
        rows->occurrences[i] = terms->occurrences[i][0];
        rows->occurrence_phase[i] = terms->occurrences[i][1];
    }
    if (cache) status = row_set_use_file(rows, cache, err);
    for (size_t row = 0; row < sparse_reader_rows(reader) && status == STATUS_OK;) {
        status = interrupt_requested()
                     ? err_set(err, STATUS_INTERRUPTED, "interrupted while reading")
                     : sparse_reader_next(reader, row, &block, err);
        if (status == STATUS_OK) status = load_block(&block, row, rows, err);
        row += block.rows;
        if (progress) progress_update(progress, row, NULL);
    }
    if (status == STATUS_OK) status = row_set_finish(rows, err);
    sparse_block_clear(&block);
    if (status != STATUS_OK) row_set_clear(rows);
    return status;
}

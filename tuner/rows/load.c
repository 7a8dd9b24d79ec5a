// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/load.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/store.h"

// One shard of one of the paths.
typedef struct Job {
    const Store *store;
    size_t shard;
    uint32_t source;
} Job;

typedef struct Load {
    const Weights *weights;
    RowSet *rows;
    Progress *progress;
    Status status; // of the first shard, in order, that failed
    Err *err;
} Load;

static Status trace_shard(const Job *job, const Weights *weights, RowPart *part, Err *err) {
    PositionRecord *positions = NULL;
    size_t count = 0;
    Status status = store_read_positions(job->store, job->shard, &positions, &count, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = row_part_add_position(part, &positions[i], job->source, weights, err);
        if (status != STATUS_OK) err_prefix(err, "%s", store_shard_path(job->store, job->shard));
    }
    free(positions);
    return status;
}

// In shard order, one caller at a time.
static void append_shard(Load *load, const RowPart *part, Status status, const Err *err) {
    if (load->status != STATUS_OK) return;
    if (status != STATUS_OK) {
        load->status = status;
        if (load->err) *load->err = *err;
        return;
    }
    row_set_append(load->rows, part);
    if (load->progress) {
        progress_update(load->progress, load->rows->count + load->rows->pending.count, NULL);
    }
}

static void load_jobs(Load *load, const Job *jobs, size_t count, int threads) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < count; i++) {
        RowPart part = {0};
        Err err = {0};
        Status status = interrupt_requested()
                            ? err_set(&err, STATUS_INTERRUPTED, "interrupted while reading")
                            : trace_shard(&jobs[i], load->weights, &part, &err);
#pragma omp ordered
        append_shard(load, &part, status, &err);
        row_part_clear(&part);
    }
}

Status rows_load(const char *const *paths, int path_count, const Weights *weights, int threads,
                 const char *cache, Progress *progress, RowSet *rows, Err *err) {
    Store **stores = memory_alloc((size_t)path_count, sizeof(Store *));
    Job *jobs = NULL;
    size_t count = 0, capacity = 0;
    Load load = {.weights = weights, .rows = rows, .progress = progress, .err = err};
    for (int i = 0; i < path_count && load.status == STATUS_OK; i++) {
        load.status = store_open(paths[i], &stores[i], err);
        if (load.status == STATUS_OK && store_shard_count(stores[i]) == 0) {
            load.status =
                err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", paths[i]);
        }
        if (load.status != STATUS_OK) break;
        for (size_t shard = 0; shard < store_shard_count(stores[i]); shard++) {
            if (count == capacity) {
                capacity = memory_grow(capacity, count + 1);
                jobs = memory_resize(jobs, capacity, sizeof *jobs);
            }
            jobs[count++] = (Job){stores[i], shard, (uint32_t)i};
        }
    }
    row_set_init(rows, WEIGHT_COUNT, PHASE_MAX);
    if (load.status == STATUS_OK && cache) load.status = row_set_use_file(rows, cache, err);
    if (load.status == STATUS_OK) load_jobs(&load, jobs, count, threads);
    if (load.status == STATUS_OK) load.status = row_set_finish(rows, err);
    if (load.status != STATUS_OK) row_set_clear(rows);
    for (int i = 0; i < path_count; i++) store_close(stores[i]);
    free(stores);
    free(jobs);
    return load.status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/scan.h"

typedef struct ShardFile {
    char *path;
    ShardHead head;
} ShardFile;

struct Store {
    ShardFile *shards; // in game order
    size_t count, capacity;
};

// ---- finding shards ----------------------------------------------------------------------------

static Status add_shard(Store *store, const char *path, Err *err) {
    ShardHead head;
    const Status status = shard_read_head(path, &head, err);
    if (status != STATUS_OK) return status;
    if (store->count == store->capacity) {
        store->capacity = memory_grow(store->capacity, store->count + 1);
        store->shards = memory_resize(store->shards, store->capacity, sizeof *store->shards);
    }
    store->shards[store->count++] = (ShardFile){memory_copy_text(path), head};
    return STATUS_OK;
}

static int compare_shards(const void *a, const void *b) {
    const OptionRange x = ((const ShardFile *)a)->head.range,
                      y = ((const ShardFile *)b)->head.range;
    return x.first != y.first ? (x.first > y.first) - (x.first < y.first)
                              : (x.end > y.end) - (x.end < y.end);
}

static Status check_overlaps(const Store *store, Err *err) {
    for (size_t i = 1; i < store->count; i++) {
        const ShardFile *a = &store->shards[i - 1], *b = &store->shards[i];
        if (b->head.range.first >= a->head.range.end) continue;
        return err_set(err, STATUS_MISMATCH,
                       "%s and %s both hold games from %llu on: move one of them away", a->path,
                       b->path, (unsigned long long)b->head.range.first);
    }
    return STATUS_OK;
}

Status store_open(const char *path, Store **store, Err *err) {
    PathList list;
    Status status = store_list_files(path, &list, err);
    Store *opened = memory_alloc(1, sizeof *opened);
    for (size_t i = 0; i < list.count && status == STATUS_OK; i++) {
        status = add_shard(opened, list.paths[i], err);
    }
    path_list_clear(&list);
    if (status == STATUS_OK && opened->count > 1) {
        qsort(opened->shards, opened->count, sizeof *opened->shards, compare_shards);
        status = check_overlaps(opened, err);
    }
    if (status != STATUS_OK) {
        store_close(opened);
        return status;
    }
    *store = opened;
    return STATUS_OK;
}

void store_close(Store *store) {
    if (!store) return;
    for (size_t i = 0; i < store->count; i++) free(store->shards[i].path);
    free(store->shards);
    free(store);
}

// ---- what is in it -----------------------------------------------------------------------------

size_t store_shard_count(const Store *store) {
    return store->count;
}
const char *store_shard_path(const Store *store, size_t shard) {
    return store->shards[shard].path;
}
OptionRange store_shard_range(const Store *store, size_t shard) {
    return store->shards[shard].head.range;
}

const char *store_shard_hash(const Store *store, size_t shard) {
    return store->shards[shard].head.content_hash;
}

void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < store->count; i++) {
        sha256_add(&hash, store_shard_hash(store, i), SHA256_HEX_SIZE - 1);
    }
    sha256_finish_hex(&hash, hex);
}

static uint64_t total(const Store *store, GroupId id) {
    uint64_t sum = 0;
    for (size_t i = 0; i < store->count; i++) sum += store->shards[i].head.counts[id];
    return sum;
}

uint64_t store_game_count(const Store *store) {
    return total(store, GROUP_GAMES);
}
uint64_t store_ply_count(const Store *store) {
    return total(store, GROUP_PLIES);
}
uint64_t store_position_count(const Store *store) {
    return total(store, GROUP_POSITIONS);
}

Status store_provenance(const Store *store, size_t shard, char **text, Err *err) {
    return shard_read_provenance(store->shards[shard].path, text, err);
}

Status store_read_games(const Store *store, size_t shard, GameBatch *batch, Err *err) {
    const char *path = store->shards[shard].path;
    ShardReader *reader = NULL;
    ShardRows rows = {0};
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_next(reader, 0, &rows, err);
    if (status == STATUS_OK) {
        status = shard_rows_to_batch(&rows, batch, err);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    shard_rows_clear(&rows);
    shard_reader_close(reader);
    return status;
}

struct PositionStream {
    ShardReader *reader;
    const char *path;
    size_t next, length; // positions
    PositionRow *rows;
    PositionRecord *records;
};

// The rows of a chunk, so that each chunk is inflated once.
enum { STREAM_BLOCK = 32768 };

Status position_stream_open(const Store *store, size_t shard, PositionStream **stream, Err *err) {
    PositionStream *opened = memory_alloc(1, sizeof *opened);
    opened->path = store->shards[shard].path;
    const Status status = shard_reader_open(opened->path, &opened->reader, err);
    if (status != STATUS_OK) {
        free(opened);
        return status;
    }
    opened->length = shard_reader_head(opened->reader)->counts[GROUP_POSITIONS];
    const size_t block = opened->length < STREAM_BLOCK ? opened->length : STREAM_BLOCK;
    opened->rows = memory_alloc(block, sizeof *opened->rows);
    opened->records = memory_alloc(block, sizeof *opened->records);
    *stream = opened;
    return STATUS_OK;
}

Status position_stream_next(PositionStream *stream, const PositionRecord **positions, size_t *count,
                            Err *err) {
    const size_t left = stream->length - stream->next;
    const size_t block = left < STREAM_BLOCK ? left : STREAM_BLOCK;
    Status status = STATUS_OK;
    if (block > 0) {
        status = shard_reader_positions(stream->reader, stream->next, block, stream->rows, err);
    }
    for (size_t i = 0; i < block && status == STATUS_OK; i++) {
        status = position_row_to_record(&stream->rows[i], &stream->records[i], err);
        if (status != STATUS_OK) err_prefix(err, "%s", stream->path);
    }
    if (status != STATUS_OK) return status;
    stream->next += block;
    *positions = stream->records;
    *count = block;
    return STATUS_OK;
}

void position_stream_close(PositionStream *stream) {
    if (!stream) return;
    shard_reader_close(stream->reader);
    free(stream->rows);
    free(stream->records);
    free(stream);
}

Status store_read_positions(const Store *store, size_t shard, PositionRecord **positions,
                            size_t *count, Err *err) {
    PositionStream *stream = NULL;
    Status status = position_stream_open(store, shard, &stream, err);
    if (status != STATUS_OK) return status;
    PositionRecord *records = memory_resize(NULL, stream->length, sizeof *records);
    size_t got = 0, block = 0;
    do {
        const PositionRecord *next = NULL;
        status = position_stream_next(stream, &next, &block, err);
        if (status != STATUS_OK) break;
        if (block) memcpy(records + got, next, block * sizeof *records);
        got += block;
    } while (block > 0);
    position_stream_close(stream);
    if (status != STATUS_OK) {
        free(records);
        return status;
    }
    *positions = records;
    *count = got;
    return STATUS_OK;
}

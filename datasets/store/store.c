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

void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < store->count; i++) {
        sha256_add(&hash, store->shards[i].head.content_hash, SHA256_HEX_SIZE - 1);
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
uint64_t store_position_count(const Store *store) {
    return total(store, GROUP_POSITIONS);
}

Status store_provenance(const Store *store, size_t shard, char **text, Err *err) {
    const char *const *names;
    const size_t count = provenance_names(&names);
    ShardReader *reader = NULL;
    Text lines = {0};
    Status status = shard_reader_open(store->shards[shard].path, &reader, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char *value = NULL;
        status = shard_reader_provenance(reader, names[i], &value, err);
        // Only the options, which come last, keep their lines.
        for (char *at = value; at && i + 1 < count && *at; at++) {
            if (*at == '\n') *at = ';';
        }
        if (status == STATUS_OK) text_add(&lines, "%s=%s\n", names[i], value);
        free(value);
    }
    shard_reader_close(reader);
    *text = lines.data;
    if (status != STATUS_OK) text_clear(&lines);
    return status;
}

Status store_read_games(const Store *store, size_t shard, GameBatch *batch, Err *err) {
    ShardReader *reader = NULL;
    GameBatch read = {0};
    Status status = shard_reader_open(store->shards[shard].path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_next(reader, 0, &read, err);
    if (status == STATUS_OK) {
        status = game_batch_check(&read, err);
        if (status != STATUS_OK) err_prefix(err, "%s", store->shards[shard].path);
    }
    for (size_t i = 0; i < read.count && status == STATUS_OK; i++) {
        game_batch_append(batch, &read.games[i], read.plies + read.games[i].first_ply);
    }
    game_batch_clear(&read);
    shard_reader_close(reader);
    return status;
}

Status store_read_positions(const Store *store, size_t shard, PositionRecord **positions,
                            size_t *count, Err *err) {
    ShardReader *reader = NULL;
    Status status = shard_reader_open(store->shards[shard].path, &reader, err);
    if (status != STATUS_OK) return status;
    *count = shard_reader_head(reader)->counts[GROUP_POSITIONS];
    *positions = memory_alloc(*count, sizeof **positions);
    status = shard_reader_positions(reader, 0, *count, *positions, err);
    shard_reader_close(reader);
    if (status != STATUS_OK) free(*positions);
    return status;
}

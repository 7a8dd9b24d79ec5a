// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/store.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"

// ---- files -------------------------------------------------------------------------------------

Status store_refuse_empty(const char *path, Err *err) {
    return err_set(err, STATUS_NOT_FOUND,
                   "%s has no shards (shard-*.h5): give a run directory or a shard", path);
}

Status store_list_all(const char *const *paths, size_t count, bool accept_unfinished,
                      PathList *list, Err *err) {
    *list = (PathList){0};
    for (size_t i = 0; i < count; i++) {
        AUTO(PathList) files = {0};
        TRY(store_list_files(paths[i], &files, err));
        if (files.count == 0) return store_refuse_empty(paths[i], err);
        if (!accept_unfinished) TRY(run_must_be_whole(paths[i], err));
        for (size_t k = 0; k < files.count; k++) path_list_add(list, files.paths[k]);
    }
    return STATUS_OK;
}

// ---- a store -----------------------------------------------------------------------------------

typedef struct ShardFile {
    char *path;
    ShardHead head;
} ShardFile;

struct Store {
    ShardFile *shards; // the shards in the order of their games; if `any_order` was set, in the
                       // order in which store_open_files() got their paths
    size_t count;
};

static int compare_shards(const void *a, const void *b) {
    const OptionRange x = ((const ShardFile *)a)->head.range,
                      y = ((const ShardFile *)b)->head.range;
    return x.first != y.first ? (x.first > y.first) - (x.first < y.first)
                              : (x.end > y.end) - (x.end < y.end);
}

static Status check_overlaps(const Store *store, const char *remedy, Err *err) {
    for (size_t i = 1; i < store->count; i++) {
        const ShardFile *a = &store->shards[i - 1], *b = &store->shards[i];
        if (b->head.range.first >= a->head.range.end) continue;
        return err_set(err, STATUS_MISMATCH, "%s and %s both cover game numbers from %llu on: %s",
                       a->path, b->path, (unsigned long long)b->head.range.first, remedy);
    }
    return STATUS_OK;
}

Status store_open_files(const PathList *files, bool any_order, const char *remedy, Store **store,
                        Err *err) {
    AUTO_POINTER(Store) opened = memory_alloc(1, sizeof *opened);
    opened->shards = memory_alloc(files->count, sizeof *opened->shards);
    *store = NULL;
    for (size_t i = 0; i < files->count; i++) {
        ShardFile *shard = &opened->shards[opened->count++];
        shard->path = memory_copy_text(files->paths[i]);
        TRY(shard_read_head(shard->path, &shard->head, err));
    }
    if (!any_order) {
        qsort(opened->shards, opened->count, sizeof *opened->shards, compare_shards);
        TRY(check_overlaps(opened, remedy, err));
    }
    *store = TAKE(opened);
    return STATUS_OK;
}

Status store_open(const char *path, Store **store, Err *err) {
    AUTO(PathList) files = {0};
    TRY(store_list_files(path, &files, err));
    TRY(run_must_be_whole(path, err));
    return store_open_files(&files, false, "move one of them to another directory", store, err);
}

void store_close(Store *store) {
    if (!store) return;
    for (size_t i = 0; i < store->count; i++) free(store->shards[i].path);
    free(store->shards);
    free(store);
}

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

bool store_is_grouped(const Store *store) {
    bool grouped = false;
    for (size_t i = 0; i < store->count; i++) grouped = grouped || store->shards[i].head.grouped;
    return grouped;
}

Status store_read_shard(const Store *store, size_t shard, GameBatch *batch, Err *err) {
    const char *path = store->shards[shard].path;
    AUTO_POINTER(ShardReader) reader = NULL;
    *batch = (GameBatch){0};
    TRY(shard_reader_open(path, &reader, err));
    TRY(shard_reader_next(reader, 0, batch, err));
    if (game_batch_check(batch, err) != STATUS_OK) return err_prefix(err, "%s", path);
    return shard_reader_check(reader, err);
}

// ---- scans -------------------------------------------------------------------------------------

// Largest number of plies in a block of a scan. If all plies are sampled, a block takes about 16
// MB.
enum { BLOCK_PLIES = 200000 };

static Status scan_file(const ScanHooks *hooks, const char *path, Progress *progress,
                        uint64_t *games, Err *err) {
    AUTO_POINTER(ShardReader) reader = NULL;
    TRY(shard_reader_open(path, &reader, err));
    if (!hooks->check_content) shard_reader_unchecked(reader);
    if (hooks->opened) TRY(hooks->opened(hooks->context, path, reader, err));
    for (;;) {
        AUTO(GameBatch) batch = {0};
        TRY(shard_reader_next(reader, BLOCK_PLIES, &batch, err));
        if (batch.count == 0) break;
        TRY(hooks->block(hooks->context, path, &batch, err));
        *games += batch.count;
        if (progress) progress_update(progress, *games, NULL);
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    return hooks->check_content ? shard_reader_check(reader, err) : STATUS_OK;
}

uint64_t store_count_games(const PathList *files) {
    uint64_t games = 0;
    for (size_t i = 0; i < files->count; i++) {
        ShardHead head;
        if (shard_read_head(files->paths[i], &head, NULL) == STATUS_OK) {
            games += head.counts[GROUP_GAMES];
        }
    }
    return games;
}

Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err) {
    uint64_t games = 0;
    if (progress && progress->out && progress->total == 0) {
        progress->total = store_count_games(files);
    }
    for (size_t i = 0; i < files->count; i++) {
        TRY(scan_file(hooks, files->paths[i], progress, &games, err));
    }
    return STATUS_OK;
}

Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err) {
    AUTO(PathList) files = {0};
    TRY(store_list_all(paths, count, hooks->accept_unfinished, &files, err));
    return store_scan_files(&files, hooks, progress, err);
}

// ---- single games -------------------------------------------------------------------------------

struct GameStream {
    const Store *store;
    size_t shard;        // index of the shard that is being read, or that is read next
    ShardReader *reader; // reader of shard number `shard`; NULL until one of its games is needed
    GameBatch batch;     // games of the current block
    size_t at;           // index in `batch` at which the next search begins
};

// Largest number of plies that a stream reads at a time, unless a single game is longer. They take
// a few megabytes.
enum { STREAM_PLIES = 50000 };

GameStream *game_stream_open(const Store *store) {
    GameStream *stream = memory_alloc(1, sizeof *stream);
    stream->store = store;
    return stream;
}

static void leave_shard(GameStream *stream) {
    shard_reader_close(stream->reader);
    stream->reader = NULL;
    game_batch_reset(&stream->batch);
    stream->at = 0;
    stream->shard++;
}

// Reads the next block of games from the current shard. At the end of the shard, moves to the next
// shard.
static Status read_more(GameStream *stream, Err *err) {
    const char *path = store_shard_path(stream->store, stream->shard);
    if (!stream->reader) TRY(shard_reader_open(path, &stream->reader, err));
    game_batch_clear(&stream->batch);
    stream->at = 0;
    TRY(shard_reader_next(stream->reader, STREAM_PLIES, &stream->batch, err));
    if (game_batch_check(&stream->batch, err) != STATUS_OK) return err_prefix(err, "%s", path);
    if (stream->batch.count > 0) return shard_reader_check(stream->reader, err);
    leave_shard(stream);
    return STATUS_OK;
}

Status game_stream_find(GameStream *stream, uint64_t index, const GameRecord **game,
                        const PlyRecord **plies, Err *err) {
    const GameBatch *batch = &stream->batch;
    *game = NULL;
    while (stream->shard < store_shard_count(stream->store)) {
        const OptionRange range = store_shard_range(stream->store, stream->shard);
        while (stream->at < batch->count && batch->games[stream->at].index < index) stream->at++;
        if (stream->at < batch->count || index < range.first) break;
        if (index >= range.end) {
            leave_shard(stream);
            continue;
        }
        TRY(read_more(stream, err));
    }
    if (stream->at >= batch->count || batch->games[stream->at].index != index) return STATUS_OK;
    *game = &batch->games[stream->at];
    *plies = batch->plies + (*game)->first_ply;
    return STATUS_OK;
}

const TagRecord *game_stream_tags(const GameStream *stream) {
    return game_batch_tags(&stream->batch, &stream->batch.games[stream->at]);
}

void game_stream_close(GameStream *stream) {
    if (!stream) return;
    shard_reader_close(stream->reader);
    game_batch_clear(&stream->batch);
    free(stream);
}

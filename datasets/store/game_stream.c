// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "datasets/store/shard.h"

struct GameStream {
    const Store *store;
    size_t shard;        // the one that is read, or would be next
    ShardReader *reader; // of it; NULL before its first game is wanted
    GameBatch batch;     // games that were read
    size_t at;           // the first of them that was not passed
};

// Plies read at a time: some megabytes.
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

// Reads on in the shard; it is left where it has no more.
static Status read_on(GameStream *stream, Err *err) {
    const char *path = store_shard_path(stream->store, stream->shard);
    Status status = STATUS_OK;
    if (!stream->reader) status = shard_reader_open(path, &stream->reader, err);
    if (status == STATUS_OK) {
        game_batch_clear(&stream->batch);
        stream->at = 0;
        status = shard_reader_next(stream->reader, STREAM_PLIES, &stream->batch, err);
    }
    if (status == STATUS_OK && stream->batch.count == 0) leave_shard(stream);
    if (status == STATUS_OK) {
        status = game_batch_check(&stream->batch, err);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    return status;
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
        const Status status = read_on(stream, err);
        if (status != STATUS_OK) return status;
    }
    if (stream->at >= batch->count || batch->games[stream->at].index != index) return STATUS_OK;
    *game = &batch->games[stream->at];
    *plies = batch->plies + (*game)->first_ply;
    return STATUS_OK;
}

void game_stream_close(GameStream *stream) {
    if (!stream) return;
    shard_reader_close(stream->reader);
    game_batch_clear(&stream->batch);
    free(stream);
}

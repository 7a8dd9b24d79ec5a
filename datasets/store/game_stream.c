// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/store.h"

#include <string.h>

#include "core/base/memory.h"

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

// ---- one game by its number --------------------------------------------------------------------

static void add_range(Text *text, int number, OptionRange games) {
    text_add(text, "%s %llu", number ? "," : "", (unsigned long long)games.first);
    if (games.end > games.first + 1) text_add(text, "-%llu", (unsigned long long)games.end - 1);
}

// "games 0-2, 4": which games there are, as far as a message has room for.
static Status add_ranges(const Store *store, Text *text, Err *err) {
    enum { MOST = 12 };
    OptionRange open = {0, 0};
    int count = 0;
    GameBatch batch = {0};
    Status status = STATUS_OK;
    text_add(text, "games");
    for (size_t i = 0; i < store_shard_count(store) && count < MOST && status == STATUS_OK; i++) {
        game_batch_reset(&batch);
        status = store_read_games(store, i, &batch, err);
        for (size_t k = 0; k < batch.count && count < MOST; k++) {
            const uint64_t index = batch.games[k].index;
            if (index != open.end && open.end > open.first) add_range(text, count++, open);
            if (index != open.end) open.first = index;
            open.end = index + 1;
        }
    }
    if (count == MOST) {
        text_add(text, ", ...");
    } else if (open.end > open.first) {
        add_range(text, count, open);
    }
    game_batch_clear(&batch);
    return status;
}

static Status no_such_game(const Store *store, const char *path, uint64_t index, Err *err) {
    Text there = {0};
    Status status = add_ranges(store, &there, err);
    if (status == STATUS_OK) {
        status = err_set(err, STATUS_NOT_FOUND, "%s: no game %llu; of %llu there are %s", path,
                         (unsigned long long)index, (unsigned long long)store_game_count(store),
                         text_get(&there));
    }
    text_clear(&there);
    return status;
}

Status store_find_game(const char *path, uint64_t index, FoundGame *found, Err *err) {
    Store *store = NULL;
    const GameRecord *game = NULL;
    const PlyRecord *plies = NULL;
    Status status = store_open(path, &store, err);
    if (status != STATUS_OK) return status;
    GameStream *stream = game_stream_open(store);
    status = game_stream_find(stream, index, &game, &plies, err);
    if (status == STATUS_OK && !game) status = no_such_game(store, path, index, err);
    if (status == STATUS_OK) {
        found->game = *game;
        found->plies = memory_alloc((size_t)game->ply_count + 1, sizeof *plies);
        memcpy(found->plies, plies, game->ply_count * sizeof *plies);
    }
    game_stream_close(stream);
    store_close(store);
    return status;
}

Status found_game_replay(const FoundGame *found, uint32_t plies, Position *before, Move *last,
                         Position *now, Err *err) {
    const GameRecord *game = &found->game;
    if (plies > game->ply_count) {
        return err_set(err, STATUS_NOT_FOUND, "it has %u plies, not %u", game->ply_count, plies);
    }
    *last = MOVE_NONE;
    GameWalk walk;
    game_walk_init(&walk, game);
    while (walk.ply < plies) {
        *before = walk.position;
        *last = found->plies[walk.ply].move;
        if (!game_walk_step(&walk, game, *last)) {
            return err_set(err, STATUS_CORRUPT, "ply %u cannot be played", walk.ply + 1);
        }
    }
    *now = walk.position;
    return STATUS_OK;
}

void found_game_clear(FoundGame *found) {
    free(found->plies);
    *found = (FoundGame){0};
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/find_game.h"

#include <string.h>

#include "core/base/memory.h"

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

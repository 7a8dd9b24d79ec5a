// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/find_game.h"

#include <string.h>

#include "core/base/memory.h"

// Looks through the games of one shard; true when it was found.
static bool find_in_batch(const GameBatch *batch, uint64_t index, FoundGame *found) {
    for (size_t i = 0; i < batch->count; i++) {
        const GameRecord *game = &batch->games[i];
        if (game->index != index) continue;
        found->game = *game;
        found->plies = memory_alloc((size_t)game->ply_count + 1, sizeof *found->plies);
        memcpy(found->plies, batch->plies + game->first_ply,
               game->ply_count * sizeof *found->plies);
        return true;
    }
    return false;
}

// The games of a shard as ranges, each added to the last one where they touch.
static void add_games(OptionRange **ranges, size_t *count, OptionRange games) {
    if (*count && (*ranges)[*count - 1].end == games.first) {
        (*ranges)[*count - 1].end = games.end;
        return;
    }
    *ranges = memory_resize(*ranges, *count + 1, sizeof **ranges);
    (*ranges)[(*count)++] = games;
}

// "games 0-2, 4": which games there are, as far as a message has room for.
static Status add_ranges(const Store *store, Text *text, Err *err) {
    enum { MOST = 12 };
    OptionRange *ranges = NULL;
    size_t count = 0;
    GameBatch batch = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < store_shard_count(store) && count <= MOST && status == STATUS_OK; i++) {
        game_batch_reset(&batch);
        status = store_read_games(store, i, &batch, err);
        for (size_t k = 0; k < batch.count && status == STATUS_OK; k++) {
            const uint64_t index = batch.games[k].index;
            add_games(&ranges, &count, (OptionRange){index, index + 1});
        }
    }
    text_add(text, "games");
    for (size_t i = 0; i < count && i < MOST; i++) {
        text_add(text, "%s %llu", i ? "," : "", (unsigned long long)ranges[i].first);
        if (ranges[i].end > ranges[i].first + 1) {
            text_add(text, "-%llu", (unsigned long long)ranges[i].end - 1);
        }
    }
    if (count > MOST) text_add(text, ", ...");
    free(ranges);
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
    GameBatch batch = {0};
    bool done = false;
    Status status = store_open(path, &store, err);
    if (status != STATUS_OK) return status;
    for (size_t shard = 0; shard < store_shard_count(store) && !done && status == STATUS_OK;
         shard++) {
        const OptionRange range = store_shard_range(store, shard);
        if (index < range.first || index >= range.end) continue;
        game_batch_reset(&batch);
        status = store_read_games(store, shard, &batch, err);
        done = status == STATUS_OK && find_in_batch(&batch, index, found);
    }
    if (status == STATUS_OK && !done) {
        status = no_such_game(store, path, index, err);
    }
    game_batch_clear(&batch);
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

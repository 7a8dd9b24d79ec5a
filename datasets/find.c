// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/find.h"

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
        status = err_set(err, STATUS_NOT_FOUND, "%s: no game %llu among its %llu games", path,
                         (unsigned long long)index, (unsigned long long)store_game_count(store));
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

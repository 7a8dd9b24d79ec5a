// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/record.h"

#include <string.h>

#include "core/base/memory.h"

void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies) {
    if (batch->count == batch->capacity) {
        const size_t capacity = memory_grow(batch->capacity, batch->count + 1);
        GameRecord *moved = memory_aligned(_Alignof(GameRecord), capacity * sizeof *moved);
        if (batch->count) memcpy(moved, batch->games, batch->count * sizeof *moved);
        free(batch->games);
        batch->games = moved;
        batch->capacity = capacity;
    }
    const size_t needed = batch->ply_count + game->ply_count;
    if (needed > batch->ply_capacity || !batch->plies) {
        batch->ply_capacity = memory_grow(batch->ply_capacity, needed);
        batch->plies = memory_resize(batch->plies, batch->ply_capacity, sizeof *batch->plies);
    }
    GameRecord *added = &batch->games[batch->count++];
    *added = *game;
    added->first_ply = batch->ply_count;
    if (game->ply_count) {
        memcpy(batch->plies + batch->ply_count, plies, game->ply_count * sizeof *plies);
    }
    batch->ply_count = needed;
}

void game_batch_reset(GameBatch *batch) {
    batch->count = batch->ply_count = 0;
}

void game_batch_clear(GameBatch *batch) {
    free(batch->games);
    free(batch->plies);
    *batch = (GameBatch){0};
}

void game_walk_init(GameWalk *walk, const GameRecord *game) {
    walk->position = game->start;
    walk->ply = 0;
}

bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move) {
    if (!position_is_pseudo_legal(&walk->position, move)) return false;
    Position after;
    position_do_move(&walk->position, move, &after);
    if (walk->ply < game->extra_plies) {
        const uint16_t halfmove = after.halfmove;
        position_do_null(&after, &walk->position);
        walk->position.halfmove = halfmove;
    } else {
        walk->position = after;
    }
    walk->ply++;
    return true;
}

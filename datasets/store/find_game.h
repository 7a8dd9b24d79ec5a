// SPDX-License-Identifier: GPL-3.0-or-later
// One game out of a store, by its number.
#pragma once

#include "datasets/store/store.h"

// A game with a copy of its plies (game.ply_count of them). found_game_clear() frees.
typedef struct FoundGame {
    GameRecord game;
    PlyRecord *plies;
} FoundGame;

// Finds game `index` of a run directory or shard file. STATUS_NOT_FOUND names the games that are
// there; other failures are those of store_open() and store_read_games().
Status store_find_game(const char *path, uint64_t index, FoundGame *found, Err *err);

// The position after `plies` plies, and the last of them: played in *before, *last; MOVE_NONE and
// *before unset for 0 plies. STATUS_NOT_FOUND when the game is shorter, STATUS_CORRUPT when a ply
// cannot be played.
Status found_game_replay(const FoundGame *found, uint32_t plies, Position *before, Move *last,
                         Position *now, Err *err);
void found_game_clear(FoundGame *found);

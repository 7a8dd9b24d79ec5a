// SPDX-License-Identifier: GPL-3.0-or-later
// What a game is by its content, its start and its moves, wherever it is stored; and sets of such
// keys, to tell which games come twice.
#pragma once

#include "core/notation/opening_name.h"
#include "datasets/store/store.h"

// A hash of start and moves; with `mirrored` the same for a game and its left-right mirror image.
uint64_t game_content_key(const GameRecord *game, const PlyRecord *plies, bool mirrored);
// The same of a position: placement and side to move.
uint64_t position_content_key(const Position *position, bool mirrored);

// opening_of_moves() of the game's moves; -1 also for a game with another start.
int game_opening(const GameRecord *game, const PlyRecord *plies);

// An open hash table of keys. Zero-initialise; key_set_clear() frees.
typedef struct KeySet {
    uint64_t *slots;
    size_t capacity, count; // a power of two
} KeySet;
bool key_set_add(KeySet *set, uint64_t key); // false: it was there
void key_set_clear(KeySet *set);

// The games of a shard with their keys, mirror images as one, and how many positions each samples,
// in order. A game without moves is no copy of another: its key is 0. Free the list with
// game_keys_clear().
typedef struct GameKeys {
    uint64_t *game, *key, *positions;
    size_t count;
} GameKeys;
void game_keys_of(const GameBatch *games, GameKeys *keys);
void game_keys_clear(GameKeys *keys);
// Adds the keys to the set; afterwards the list holds only the games that were there already.
void game_keys_keep_copies(GameKeys *keys, KeySet *seen);
// Is the game in the list? Games ascend from call to call; *at is 0 at first.
bool game_keys_find(const GameKeys *keys, uint64_t game, size_t *at);

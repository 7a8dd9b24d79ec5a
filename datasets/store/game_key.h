// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of games by their content, start and moves, wherever they are stored; and sets of such
// keys, to tell which games come twice.
#pragma once

#include "core/notation/opening_name.h"
#include "datasets/store/store.h"

// A hash of start and moves; with `mirrored` the same for a game and its left-right mirror image.
uint64_t game_content_key(const GameRecord *game, const PlyRecord *plies, bool mirrored);
// The same of a position: placement and side to move.
uint64_t position_content_key(const Position *position, bool mirrored);

// Is it a variation of the last game before it that is none?
bool game_is_variation(const GameRecord *game, const TagRecord *tags);

// opening_of_moves() of the game's moves; -1 also for a game with another start.
int game_opening(const GameRecord *game, const PlyRecord *plies);

// An open hash table of keys. Zero-initialise; key_set_clear() frees.
typedef struct KeySet {
    uint64_t *slots;
    size_t capacity, count; // a power of two
} KeySet;
bool key_set_add(KeySet *set, uint64_t key); // false: it was there
void key_set_clear(KeySet *set);
AUTO_VALUE(KeySet, key_set_clear)

// A game and the variations that follow it: its number, and that of its source.
typedef struct GameTree {
    uint64_t game;
    uint32_t source;
    uint64_t split; // below 2^63, of the game's content: what decides which part of a fit it is in
} GameTree;

// In place of a game's number: the tree begins before the shard; the game is a copy.
#define TREE_BEFORE UINT64_MAX
#define TREE_NONE   (UINT64_MAX - 1)

// A game without moves or positions is no copy of another. Games are nearly copies that share their
// start and three quarters of their moves (of the longer one, and at least NEAR_LEAST), mirrored or
// with the colours exchanged: what is left is no game of its own.
enum { NEAR_KEYS = 2, NEAR_LEAST = 20 };
typedef struct GameKey {
    uint64_t game, tree, split; // its number, its GameTree.game and GameTree.split
    uint64_t key;               // mirror images as one; 0: it has no moves
    uint64_t near[NEAR_KEYS];   // of its first moves; near copies share one. 0: none
    uint64_t positions;         // that it samples
    uint32_t spikes;            // plies_spikes()
    uint8_t digest[SHA256_BYTES];
} GameKey;

// The games of a shard in order. game_keys_clear() frees.
typedef struct GameKeys {
    GameKey *list;
    size_t count, copies, near_copies;
    GameTree before;
} GameKeys;
void game_keys_of(const GameBatch *games, GameKeys *keys);
void game_keys_clear(GameKeys *keys);
AUTO_VALUE(GameKeys, game_keys_clear)
// Shard after shard: *tree, zero at first, is that of the last game. Adds the keys to the set; a
// game whose key is there already is a copy, one with a near key that is there nearly one.
void game_keys_link(GameKeys *keys, uint32_t source, GameTree *tree, KeySet *seen);
// The tree of the game at that place; before game_keys_link() TREE_BEFORE where it is not known.
GameTree game_keys_tree(const GameKeys *keys, size_t at, uint32_t source);
// Is the game there, and no copy? Games ascend from call to call; *at is 0 at first.
bool game_keys_find(const GameKeys *keys, uint64_t game, size_t *at);

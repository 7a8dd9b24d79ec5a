// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of games by their content, wherever they are stored, and sets of such keys to find games
// that occur twice.
#pragma once

#include "core/notation/opening_name.h"
#include "datasets/store/store.h"

// Returns a hash of start position and moves. With `mirrored`, a game and its left-right mirror
// image have the same hash.
uint64_t game_content_key(const GameRecord *game, const PlyRecord *plies, bool mirrored);
// Returns a hash of placement and side to move. With `mirrored`, a position and its mirror image
// have the same hash.
uint64_t position_content_key(const Position *position, bool mirrored);

// Returns true if the game is a variation of the last game before it that is no variation.
bool game_is_variation(const GameRecord *game, const TagRecord *tags);

// Returns opening_of_moves() for the moves of the game, or -1 for a game with another start
// position.
int game_opening(const GameRecord *game, const PlyRecord *plies);

// An open hash table of keys. Initialise with zeros; key_set_clear() frees it.
typedef struct KeySet {
    uint64_t *slots;
    size_t capacity, count; // capacity is a power of two
} KeySet;
bool key_set_add(KeySet *set, uint64_t key); // returns false if the key was already there
void key_set_clear(KeySet *set);
AUTO_VALUE(KeySet, key_set_clear)

// Identifies a game together with the variations that follow it.
typedef struct GameTree {
    uint64_t game;   // index of the game
    uint32_t source; // index of the run or file it comes from
    uint64_t split; // hash of the game's content, below 2^63; it decides whether the tree trains or
                    // validates
} GameTree;

// Special values of GameTree.game: the tree begins in an earlier shard; the game is a copy.
#define TREE_BEFORE UINT64_MAX
#define TREE_NONE   (UINT64_MAX - 1)

// A game without moves or positions counts as no copy. Two games are near copies if they share the
// start and three quarters of the longer game's moves, at least NEAR_MIN_PLIES. They may be
// mirrored or have the colours exchanged. The rest of a near copy is not independent data.
enum { NEAR_KEYS = 2, NEAR_MIN_PLIES = 20 };
typedef struct GameKey {
    uint64_t game, tree, split; // index, GameTree.game and GameTree.split
    uint64_t key;               // content key, equal for mirror images; 0: the game has no moves
    uint64_t near[NEAR_KEYS];   // keys of its first moves; near copies share one; 0: unused
    uint64_t positions;         // number of sampled positions
    uint32_t spikes;            // plies_spikes()
    uint8_t digest[SHA256_BYTES];
} GameKey;

// The keys of a shard's games, in order. game_keys_clear() frees them.
typedef struct GameKeys {
    GameKey *list;
    size_t count, copies, near_copies;
    GameTree before;
} GameKeys;
// Computes the keys of a shard's games.
void game_keys_of(const GameBatch *games, GameKeys *keys);
void game_keys_clear(GameKeys *keys);
AUTO_VALUE(GameKeys, game_keys_clear)
// Finds the copies in a shard; call it for one shard after the other. *tree is zero at first, then
// the tree of the last game. Adds the keys to `seen`. A game is a copy if its key is already in the
// set, and a near copy if one of its near keys is.
void game_keys_link(GameKeys *keys, uint32_t source, GameTree *tree, KeySet *seen);
// Returns the tree of a game. Before game_keys_link() the tree can be TREE_BEFORE.
GameTree game_keys_tree(const GameKeys *keys, size_t at, uint32_t source);
// Returns true if the game exists and is not a copy of another one. `game` must ascend from call to
// call. *at is the place of the search: set it to 0 before the first call.
bool game_keys_find(const GameKeys *keys, uint64_t game, size_t *at);

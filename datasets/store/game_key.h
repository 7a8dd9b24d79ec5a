// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes that identify games and positions by their content, independent of where they are stored.
// Also sets of such hashes, to find games that occur twice.
#pragma once

#include "core/notation/opening_name.h"
#include "datasets/store/store.h"

// Returns a hash of the start position and the moves of a game. With `mirrored`, a game and its
// left-right mirror image have the same hash.
uint64_t game_content_key(const GameRecord *game, const PlyRecord *plies, bool mirrored);
// Returns a hash of the pieces on the board and the side to move. With `mirrored`, a position and
// its left-right mirror image have the same hash.
uint64_t position_content_key(const Position *position, bool mirrored);

// Returns true if the game is a variation, which has the tag TAG_VARIATION. Its main line is the
// last game before it that is not a variation, unless a filter dropped the main line.
bool game_is_variation(const GameRecord *game, const TagRecord *tags);

// Returns the index of the game's opening in openings.def. Returns -1 if openings.def does not have
// the opening, if the game does not begin at the initial position, or if it has extra moves of
// odds.
int game_opening(const GameRecord *game, const PlyRecord *plies);

// A set of 64-bit keys, as a hash table with open addressing. Initialise with zeros;
// key_set_clear() frees the memory.
typedef struct KeySet {
    uint64_t *slots;
    size_t capacity, count; // number of slots (a power of two), and number of stored keys
} KeySet;
bool key_set_add(KeySet *set, uint64_t key); // adds a key; returns false if the set already has it
bool key_set_has(const KeySet *set, uint64_t key); // returns true if the set has the key
void key_set_clear(KeySet *set);
AUTO_VALUE(KeySet, key_set_clear)

// A hash table from 64-bit keys to numbers. Initialise with zeros; key_map_clear() frees the
// memory.
typedef struct KeyMap {
    uint64_t (*slots)[2]; // key and number; a slot with the key 0 is free
    size_t capacity, count;
} KeyMap;
// Returns the number of a key. Adds the key with the number 0 if the map lacks it. The pointer is
// valid until the next call.
uint64_t *key_map_at(KeyMap *map, uint64_t key);
void key_map_clear(KeyMap *map);
AUTO_VALUE(KeyMap, key_map_clear)

// Identifies a tree, which is a game together with the variations that follow it, or all records of
// a group (the column /games/group), which are parts of one game.
typedef struct GameTree {
    uint64_t game; // index of the main line in its run, or of the first variation if the main line
                   // was dropped, or of the first record of a group; or TREE_BEFORE or TREE_NONE
    uint32_t source; // number of the run or file that has the game, from 0 in the order of reading
    uint64_t split;  // hash of the game's content, or of its group, below 2^63; selects the
                     // training, validation or test set for the game and its variations
} GameTree;
// Returns GameTree.split of a game that is not a variation. `key` is its game_content_key().
uint64_t game_split(const GameRecord *game, uint64_t key);

// Special values of GameTree.game. TREE_BEFORE: the main line is in an earlier shard. TREE_NONE:
// the game is a copy or near copy of an earlier one.
#define TREE_BEFORE UINT64_MAX
#define TREE_NONE   (UINT64_MAX - 1)

// Two games are near copies if they have the same start position and begin with the same moves.
// The common moves must be longer than the opening of each game, and have at least NEAR_MIN_PLIES
// plies. They must also have at least about three quarters of the plies of the longer game. One of
// the games may be mirrored, have its colours exchanged, or both. The tuner and `data export
// --rows` leave out copies and near copies, because their positions are not independent data.
// A variation can be a copy, but not a near copy. A game without moves or sampled positions is
// never a copy and never makes a later game a copy. Different games often have single positions in
// common. Therefore a record of a group with fewer than NEAR_MIN_PLIES plies is a copy only of a
// record of the same group.
enum { NEAR_KEYS = 2, NEAR_MIN_PLIES = 20 };
typedef struct GameKey {
    uint64_t game;            // index of the game
    uint64_t tree, split;     // members `game` and `split` of the GameTree that has the game
    uint64_t key;             // game_content_key(), equal for mirror images and, in a short record
                              // of a group, mixed with the group; 0 if the game has no moves
    uint64_t near[NEAR_KEYS]; // hashes of the game's first moves; near copies have one in common;
                              // 0: not used
    uint64_t positions;       // number of sampled positions in the game
    uint32_t spikes;          // number of score spikes in the game (plies_spikes())
    uint8_t digest[SHA256_BYTES]; // content_digest() of the game
    uint64_t group;               // the column `group` of the game
    uint32_t source; // GameTree.source of the group, if `group` is not 0; game_keys_link() sets it
    // True if a record has a group that only the order of the imported rows shows, or if it is a
    // single imported position without a group, as earlier versions stored it.
    bool guessed;
    bool fault; // the game ended by a fault, such as a time forfeit (end_reason_is_fault())
} GameKey;

// The GameKey of every game in a shard, in game order. game_keys_clear() frees the memory.
typedef struct GameKeys {
    GameKey *list;
    size_t count;               // number of games in the shard
    size_t copies, near_copies; // numbers of copies and near copies that game_keys_link() found
    GameTree before;            // tree of the last game before this shard
} GameKeys;

// State of the calls of game_keys_link() for all shards. Initialise with zeros; game_links_clear()
// frees the memory.
typedef struct GameLinks {
    KeySet seen;     // the hashes `key` and `near` of all games so far
    KeyMap groups;   // for each group: its index in `trees`, plus 1
    GameTree *trees; // the trees of all groups so far
    size_t tree_count, tree_capacity;
    GameTree last; // tree of the last game
    // True if the records of a group are not adjacent: other records lie between them.
    bool scattered;
} GameLinks;
void game_links_clear(GameLinks *links);
AUTO_VALUE(GameLinks, game_links_clear)

// Computes the GameKey of every game in a shard.
void game_keys_of(const GameBatch *games, GameKeys *keys);
void game_keys_clear(GameKeys *keys);
AUTO_VALUE(GameKeys, game_keys_clear)
// Finds the tree of each record of a group. Then marks the games of a shard that are copies or near
// copies of an earlier game: sets their `tree` to TREE_NONE. Call it for each shard in turn. A game
// is a copy if its `key` is in links->seen. Otherwise it is a near copy if one of its `near` hashes
// is in this set.
void game_keys_link(GameKeys *keys, uint32_t source, GameLinks *links);
// Returns the tree (game with variations) of game number `at` of the shard, from 0. The member
// `game` of the tree can be TREE_BEFORE before the call of game_keys_link(), and TREE_NONE after
// it.
GameTree game_keys_tree(const GameKeys *keys, size_t at, uint32_t source);
// Returns true if the shard has the game with the index `game` in its run, and game_keys_link() did
// not find that it is a copy or near copy of an earlier game. *at is then the number of the game in
// the shard, counted from 0. The search continues at *at, so the indices must not descend from call
// to call. Set *at to 0 before the first call.
bool game_keys_find(const GameKeys *keys, uint64_t game, size_t *at);

// SPDX-License-Identifier: GPL-3.0-or-later
// The records of games, in memory and in the file alike: the members are the lines of columns.def.
// A member left zero means that there is nothing to tell.
#pragma once

#include "core/base/hash.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"
#include "datasets/store/columns.h"

// "No result": of a variation that no referee ends. It has the reason END_IMPORTED.
enum { RESULT_NONE = 2 };

// "No score": the ply was not searched (opening, import).
#define SCORE_UNKNOWN INT16_MIN

typedef struct GameRecord {
#define GAME_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
    // Not in the file. Who makes a game sets `start`; the columns that begin with start_ follow
    // from it when games are derived, and it from them when they are checked.
    Position start;
    size_t first_ply;                      // of GameBatch.plies
    size_t first_position, position_count; // of GameBatch.positions
    size_t first_tag, tag_count;           // of GameBatch.tags, or of the list that comes with it
} GameRecord;

// One played ply. Scores are those of the player that chose the move, turned to Red's side; `side`
// is set when games are derived.
typedef struct PlyRecord {
#define PLY_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PlyRecord;

// One sampled position with its outcome: what the tuner reads.
typedef struct PositionRecord {
#define POSITION_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PositionRecord;

// A tag of a game, or a part of one; tags.h has the calls.
typedef struct TagRecord {
#define TAG_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} TagRecord;

// Games with their plies and sampled positions, in game order. Zero-initialise; game_batch_clear()
// frees.
typedef struct GameBatch {
    GameRecord *games;
    size_t count, capacity;
    PlyRecord *plies; // game after game
    size_t ply_count, ply_capacity;
    PositionRecord *positions; // of derived games and those of a file
    size_t position_count;
    TagRecord *tags; // game after game
    size_t tag_count, tag_capacity;
} GameBatch;

// Appends a game; its plies and tags (game->ply_count and tag_count of them; tags NULL: none) are
// copied, first_ply and first_tag are set.
void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies,
                       const TagRecord *tags);
// The tags of a game of the batch; NULL where it has none.
const TagRecord *game_batch_tags(const GameBatch *batch, const GameRecord *game);
void game_batch_reset(GameBatch *batch);
void game_batch_clear(GameBatch *batch);
AUTO_VALUE(GameBatch, game_batch_clear)

// The records of a group, and how many there are.
void *game_batch_rows(const GameBatch *batch, GroupId id, size_t *count);

// Replays the games and fills what follows from them: the columns of the start, who moved, the
// positions, and whose the tags are. STATUS_BAD_INPUT when a move cannot be played or the games do
// not ascend.
Status game_batch_derive(GameBatch *batch, Err *err);
// Cuts the plies, positions and tags of a file into those of the games. STATUS_CORRUPT when they
// are not exactly those.
Status game_batch_cut(GameBatch *batch, Err *err);
// Checks the values of a game that was read, and sets its start: STATUS_CORRUPT names the game.
Status game_record_check(GameRecord *game, Err *err);
Status game_batch_check(GameBatch *batch, Err *err); // ... of all games

// Walks through a recorded game: `position` is the one before ply number `ply`.
typedef struct GameWalk {
    Position position;
    uint32_t ply;
} GameWalk;

void game_walk_init(GameWalk *walk, const GameRecord *game);
// Plays `move` as the next ply of the game; after an extra ply of odds the move stays with its
// side. False, and nothing done, when the piece on its square cannot make it.
bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move);

// Sampled plies of a game whose score is SPIKE_UNITS above both neighbours, or below both.
enum { SPIKE_UNITS = 300 };
uint64_t plies_spikes(const PlyRecord *plies, uint32_t count);

// The record of the position that `walk` has reached, in which `played` was played.
PositionRecord position_record_make(const GameRecord *game, const PlyRecord *played,
                                    const GameWalk *walk);
// The position itself, with all checks; its counters are 0 and 1, for they are not stored.
Status position_record_board(const PositionRecord *record, Position *position, Err *err);

// The piece whose square a slot holds.
Piece slot_piece(int slot);
// The square of each piece in slot order (columns.h).
void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]);
// A 64-bit hash of a position's squares and side to move; no zobrist table is needed for it.
uint64_t squares_key(const uint8_t squares[SLOT_COUNT], uint8_t stm);

// The content hash: SHA-256 over the digests of the games, in game order. A game's digest is the
// SHA-256 of its row, its plies and its positions: values little-endian in the order of
// columns.def. Nothing of the layout, the provenance or the machine enters.

// The digest of one game of a batch; games may be digested in any order and by any thread.
void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]);

// The hash of all its games: what a shard's attribute content_hash holds.
void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]);

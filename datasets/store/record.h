// SPDX-License-Identifier: GPL-3.0-or-later
// The records of games, equal in memory and file: their members are the lines of columns.def. Zero
// means "unknown" or "none" unless the column says otherwise.
#pragma once

#include "core/base/hash.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"
#include "datasets/store/columns.h"

// A result is unknown: a variation that the referee does not end. Its reason is END_IMPORTED.
enum { RESULT_NONE = 2 };

// A score is unknown: the ply was not searched (opening, import).
#define SCORE_UNKNOWN INT16_MIN

typedef struct GameRecord {
#define GAME_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
    // These members are not in the file. A writer sets `start`, from which game_batch_derive() sets
    // the start_* columns. A reader sets `start` from the columns, in game_record_check().
    Position start;
    size_t first_ply;                      // index in GameBatch.plies
    size_t first_position, position_count; // index in GameBatch.positions, and number of positions
    size_t first_tag,
        tag_count; // index in GameBatch.tags or in the list passed along, and number of tags
} GameRecord;

// One ply. Scores are those of the player that chose the move, from Red's side. game_batch_derive()
// sets `side`.
typedef struct PlyRecord {
#define PLY_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PlyRecord;

// One sampled position with its result, which the tuner reads.
typedef struct PositionRecord {
#define POSITION_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PositionRecord;

// A tag of a game, or a part of a long tag; see tags.h.
typedef struct TagRecord {
#define TAG_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} TagRecord;

// Games with their plies, sampled positions and tags, in game order. Initialise with zeros;
// game_batch_clear() frees it.
typedef struct GameBatch {
    GameRecord *games;
    size_t count, capacity;
    PlyRecord *plies; // plies of all games, one game after the other
    size_t ply_count, ply_capacity;
    PositionRecord *positions; // set by game_batch_derive() or read from a file
    size_t position_count;
    TagRecord *tags; // tags of all games, one game after the other
    size_t tag_count, tag_capacity;
} GameBatch;

// Appends a game. Copies its game->ply_count plies and game->tag_count tags, and sets first_ply and
// first_tag. `tags` can be NULL.
void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies,
                       const TagRecord *tags);
// Returns the tags of a game in the batch, or NULL if it has none.
const TagRecord *game_batch_tags(const GameBatch *batch, const GameRecord *game);
void game_batch_reset(GameBatch *batch);
void game_batch_clear(GameBatch *batch);
AUTO_VALUE(GameBatch, game_batch_clear)

// Returns the records of a group, and sets *count.
void *game_batch_rows(const GameBatch *batch, GroupId id, size_t *count);

// Replays the games and sets everything that follows from them: the start_* columns, `side` of
// plies, the positions, and the game of tags. Returns STATUS_BAD_INPUT if a move cannot be played
// or indices do not ascend.
Status game_batch_derive(GameBatch *batch, Err *err);
// Assigns the plies, positions and tags of a file to its games. Returns STATUS_CORRUPT if they do
// not match.
Status game_batch_cut(GameBatch *batch, Err *err);
// Checks the values of a game that was read, and sets `start`. Returns STATUS_CORRUPT, naming the
// game.
Status game_record_check(GameRecord *game, Err *err);
Status game_batch_check(GameBatch *batch, Err *err); // checks all games

// Replays a recorded game: `position` is the position before ply number `ply`.
typedef struct GameWalk {
    Position position;
    uint32_t ply;
} GameWalk;

void game_walk_init(GameWalk *walk, const GameRecord *game);
// Plays `move` as the next ply. After an extra ply of odds the same side is to move. Returns false,
// and changes nothing, if the piece on the origin cannot make the move. Does not test whether the
// general is exposed.
bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move);

// Returns the number of spikes of a game: sampled plies whose score is SPIKE_UNITS above both
// neighbours, or below both.
enum { SPIKE_UNITS = 300 };
uint64_t plies_spikes(const PlyRecord *plies, uint32_t count);

// Returns the record of the position that `walk` has reached, in which `played` was played.
PositionRecord position_record_make(const GameRecord *game, const PlyRecord *played,
                                    const GameWalk *walk);
// Sets up the position of a record, with all checks. Its counters are 0 and 1, because they are not
// stored.
Status position_record_board(const PositionRecord *record, Position *position, Err *err);

// Returns the piece whose square a slot holds.
Piece slot_piece(int slot);
// Writes the square of each piece, in slot order (columns.h).
void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]);
// Returns a 64-bit hash of a position's squares and side to move. It does not need core_init().
uint64_t squares_key(const uint8_t squares[SLOT_COUNT], uint8_t stm);

// The content hash is the SHA-256 of the digests of all games, in game order. A game's digest is
// the SHA-256 of its row, its plies and its positions: values in little-endian order and in the
// order of columns.def. Layout, provenance and machine have no influence.

// Computes the digest of one game. Games can be digested in any order and by any thread.
void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]);

// Computes the hash of all games of a batch, the attribute content_hash of a shard.
void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]);

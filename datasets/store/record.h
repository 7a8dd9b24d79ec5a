// SPDX-License-Identifier: GPL-3.0-or-later
// The records of games as structs: each line of columns.def is a struct member and a data set of
// the file.
#pragma once

#include "core/base/hash.h"
#include "core/rules/odds.h"
#include "core/rules/rules.h"
#include "datasets/store/columns.h"

// Unknown result. Only imported variations can have it, if the file states no result for them. The
// result of such a game is given by its record (game_result_is_given()).
enum { RESULT_NONE = 2 };

// Score of a ply without a search score, such as a ply of the opening, or of an imported game
// without scores.
#define SCORE_UNKNOWN INT16_MIN

typedef struct GameRecord {
#define GAME_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
    // The following members are not in the file. A writer sets `start`, and game_batch_derive()
    // sets the columns start_* accordingly. After reading, game_record_check() sets `start` from
    // these columns.
    Position start;
    size_t first_ply;                      // index of the game's first ply in GameBatch.plies
    size_t first_position, position_count; // index of the game's first position in
                                           // GameBatch.positions, and number of its positions
    size_t first_tag,
        tag_count; // index of the game's first TagRecord in GameBatch.tags, and number of its
                   // TagRecords
} GameRecord;

// Returns true if result and reason of a game come from an imported record, not from our referee or
// our matches. The reason is then END_IMPORTED or the fault that the record states, such as
// END_TIME_FORFEIT, and end_ply and end_reason say where the referee would have ended the game.
bool game_result_is_given(const GameRecord *game);

// One ply of a game. game_batch_derive() sets `side`.
typedef struct PlyRecord {
#define PLY_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PlyRecord;

// One sampled position with the result of its game. The tuner fits weights to such positions.
typedef struct PositionRecord {
#define POSITION_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} PositionRecord;

// A tag of a game, such as Event. A long tag takes several records; see tags.h.
typedef struct TagRecord {
#define TAG_COLUMN(name, type, unit, description) COLUMN_FIELD_##type(name)
#include "datasets/store/columns.def"
} TagRecord;

// A list of games with their plies, sampled positions and tags, in game order. Initialise with
// zeros; game_batch_clear() frees the memory.
typedef struct GameBatch {
    GameRecord *games;
    size_t count, capacity;
    PlyRecord *plies; // plies of all games, in game order
    size_t ply_count, ply_capacity;
    PositionRecord *positions; // sampled positions, set by game_batch_derive() or a file reader
    size_t position_count;
    TagRecord *tags; // tags of all games, in game order
    size_t tag_count, tag_capacity;
} GameBatch;

// Appends copies of a game, of its game->ply_count plies and of its game->tag_count tag records.
// Sets first_ply and first_tag of the copy. If `tags` is NULL, the copy has no tags.
void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies,
                       const TagRecord *tags);
// Returns the tags of a game in the batch, or NULL if it has none.
const TagRecord *game_batch_tags(const GameBatch *batch, const GameRecord *game);
void game_batch_reset(GameBatch *batch); // removes all games, but keeps the memory
void game_batch_clear(GameBatch *batch);
AUTO_VALUE(GameBatch, game_batch_clear)

// Returns the records of one group (games, plies, positions or tags), and sets *count to their
// number.
void *game_batch_rows(const GameBatch *batch, GroupId id, size_t *count);

// Replays the games and sets the values that follow from start position, moves and index: the
// columns start_*, the side of each ply, the sampled positions, and the game index of each tag.
// Returns STATUS_BAD_INPUT if a move cannot be played, if a game has more than 65535 plies, or if
// the indices of the games do not ascend.
Status game_batch_derive(GameBatch *batch, Err *err);
// Assigns the plies, positions and tags that were read from a file to their games, by setting the
// first_* members and the counts. Returns STATUS_CORRUPT if the numbers do not match.
Status game_batch_cut(GameBatch *batch, Err *err);
// Checks result, end reasons, side to move and start position of a game that was read from a file,
// and that the name of the odds is zero-terminated; an unknown name is accepted. Sets game->start.
// If a value is invalid, returns STATUS_CORRUPT with the index of the game in *err.
Status game_record_check(GameRecord *game, Err *err);
Status game_batch_check(GameBatch *batch, Err *err); // calls game_record_check() for all games

// The state of a replay. `position` is the position before ply number `ply`, counted from 0.
typedef struct GameWalk {
    Position position;
    uint32_t ply;
} GameWalk;

void game_walk_init(GameWalk *walk, const GameRecord *game);
// Plays `move` as the next ply. If the ply is an extra move of a handicap (odds), the same side is
// to move again. Returns false, and changes nothing, if the move is not pseudo-legal. Does not test
// whether the move leaves the general in check.
bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move);

// Returns the number of spikes of a game. A spike is a sampled ply whose score is at least
// SPIKE_UNITS higher than the scores of both neighbouring plies, or at least that much lower than
// both. A ply does not count if one of the three scores is unknown or a mate.
enum { SPIKE_UNITS = 300 };
uint64_t plies_spikes(const PlyRecord *plies, uint32_t count);

// Returns the record of the current position of a replay. `played` is the ply that the game
// continues with.
PositionRecord position_record_make(const GameRecord *game, const PlyRecord *played,
                                    const GameWalk *walk);
// Sets up the position of a record. Its halfmove counter is 0 and its move number 1, because the
// record does not have these counters. Returns STATUS_CORRUPT if the side, the result or the
// position of the record is invalid.
Status position_record_board(const PositionRecord *record, Position *position, Err *err);

// Returns the piece (type and side) whose square is entry number `slot` of PositionRecord.squares.
Piece slot_piece(int slot);
// Writes the square of each piece to `squares`, in the order of pieces that columns.h defines, and
// SLOT_EMPTY for each captured piece.
void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]);
// Returns a 64-bit hash of the squares and the side to move of a stored position.
uint64_t squares_key(const uint8_t squares[SLOT_COUNT], uint8_t stm);

// The content hash of a store is the SHA-256 of the digests of all games, in game order. The digest
// of a game is the SHA-256 of the values of its record, its plies and its positions, in
// little-endian form and in the order of columns.def, without columns of the types TIME and KEY.
// Tags, file layout, provenance and machine have no influence.

// Computes the digest of one game. Digests are independent of each other, so threads may compute
// them in any order.
void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]);

// Computes the content hash of all games of a batch. A shard stores it as the attribute
// content_hash.
void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]);

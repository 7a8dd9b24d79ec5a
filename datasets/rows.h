// SPDX-License-Identifier: GPL-3.0-or-later
// Between what the laboratory works with (records, positions) and what a shard holds (rows).
#pragma once

#include "core/base/hash.h"
#include "datasets/columns.h"
#include "datasets/record.h"

// Everything a shard holds, as rows in game order. Zero-initialise; shard_rows_clear() frees.
typedef struct ShardRows {
    GameRow *games;
    size_t game_count;
    PlyRow *plies; // game after game: the sum of games[].ply_count of them
    size_t ply_count;
    PositionRow *positions;
    size_t position_count;
} ShardRows;

void shard_rows_clear(ShardRows *rows);

// The square of each piece in slot order (columns.h).
void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]);
// The inverse, with all checks of position_from_board(); slots out of order are an error too.
Status squares_to_position(const uint8_t squares[SLOT_COUNT], Side stm, unsigned halfmove,
                           unsigned fullmove, Position *position, Err *err);

// A move as the file holds it (from + 256 to), and back; MOVE_NONE when it is no pair of points.
uint16_t move_to_stored(Move move);
Move move_from_stored(uint16_t stored);

// Rows of a batch: games are replayed to derive the sampled positions. STATUS_BAD_INPUT when a move
// cannot be played or the games do not ascend.
Status shard_rows_from_batch(const GameBatch *batch, ShardRows *rows, Err *err);
// Appends the games of the rows with their plies to batch.
Status shard_rows_to_batch(const ShardRows *rows, GameBatch *batch, Err *err);

Status position_row_to_record(const PositionRow *row, PositionRecord *record, Err *err);

// The content hash: SHA-256 over the digests of the games, in game order. A game's digest is the
// SHA-256 of its row, its plies and its positions, values little-endian in the order of
// columns.def. Fails when positions do not belong to the games.
typedef struct ContentHash {
    Sha256 outer;
} ContentHash;
void content_hash_init(ContentHash *hash);
Status content_hash_add(ContentHash *hash, const ShardRows *rows, Err *err);
void content_hash_finish(ContentHash *hash, char hex[SHA256_HEX_SIZE]);

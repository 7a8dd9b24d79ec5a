// SPDX-License-Identifier: GPL-3.0-or-later
// Between what the laboratory works with (records, positions) and what a shard holds (rows).
#pragma once

#include "datasets/store/columns.h"
#include "datasets/store/record.h"

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

// A 64-bit hash of a position's squares and side to move; no zobrist table is needed for it.
uint64_t squares_key(const uint8_t squares[SLOT_COUNT], uint8_t stm);

// A move as the file holds it, and back: the square left and, in the high byte, the step to the
// square entered, modulo 256; steps repeat more than squares do and take less room; MOVE_NONE when
// it is no pair of points.
uint16_t move_to_stored(Move move);
Move move_from_stored(uint16_t stored);

// The row of the position that `walk` has reached, in which `played` was played.
PositionRow position_row_derive(const GameRow *game, const PlyRow *played, const GameWalk *walk);

// Rows of a batch: games are replayed to derive the sampled positions. STATUS_BAD_INPUT when a move
// cannot be played or the games do not ascend.
Status shard_rows_from_batch(const GameBatch *batch, ShardRows *rows, Err *err);
// Appends the games of the rows with their plies to batch.
Status shard_rows_to_batch(const ShardRows *rows, GameBatch *batch, Err *err);

// The rows of one game.
typedef struct GameSlice {
    const GameRow *game;
    const PlyRow *plies; // game->ply_count of them
    const PositionRow *positions;
    size_t position_count;
} GameSlice;

// Cuts rows into games: slices (the caller's to free) has rows->game_count elements. STATUS_CORRUPT
// when the plies or positions are not exactly those of the games.
Status shard_rows_slices(const ShardRows *rows, GameSlice **slices, Err *err);

// A game's record; its plies are converted with row_to_ply().
Status game_row_to_record(const GameRow *row, GameRecord *game, Err *err);
PlyRecord ply_row_to_record(const PlyRow *row);
Status position_row_to_record(const PositionRow *row, PositionRecord *record, Err *err);

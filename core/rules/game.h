// SPDX-License-Identifier: GPL-3.0-or-later
// A game: its start position and all plies, with the position before each ply.
#pragma once

#include "core/board/position.h"

typedef struct GamePly {
    Position before;
    Move move;
    Piece captured; // captured piece; PIECE_NONE if the move captured nothing
    bool gives_check;
} GamePly;

typedef struct Game {
    Position now; // current position, after all plies
    GamePly *plies;
    size_t count, capacity;
} Game;

// Initialises a game without plies from a start position. game_clear() frees it.
void game_init(Game *game, const Position *start);
// Starts a new game in an existing Game, whose memory is reused.
void game_reset(Game *game, const Position *start);
void game_clear(Game *game);
AUTO_VALUE(Game, game_clear)
void game_push(Game *game, Move legal_move);
// Like position_do_move(), but the counters of plies without a capture and of moves, which have 16
// bits, stay at their maximum and do not wrap round. For games; a search cannot reach the maximum.
void game_do_move(const Position *before, Move move, Position *after);
void game_pop(Game *game);
const Position *game_start(const Game *game);
// Returns the position after `ply` plies: 0 is the start position, game->count the current
// position.
const Position *game_position(const Game *game, size_t ply);
// Plays moves in coordinate notation, separated by blanks, whose ranks are counted from
// `first_rank`, 0 or 1. Stops at the first move that is not legal; the error names this ply and
// move. The plies before it stay played.
Status game_push_text(Game *game, const char *moves, int first_rank, Err *err);

// Reads a game from a line of `length` bytes and a terminating zero byte: "FEN<TAB>moves", or the
// forms of fen_split_moves(). Tab and moves are optional. Restarts *game and plays the moves. The
// line is modified. *game must be initialised or all zero.
Status game_read_record(Game *game, char *line, size_t length, Err *err);

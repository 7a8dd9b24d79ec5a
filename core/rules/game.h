// SPDX-License-Identifier: GPL-3.0-or-later
// A game: its start position and all plies, with the facts that the rules need.
#pragma once

#include "core/board/position.h"

typedef struct GamePly {
    Position before;
    Move move;
    Piece captured; // PIECE_NONE if the move captured nothing
    bool gives_check;
} GamePly;

typedef struct Game {
    Position now; // position after all plies
    GamePly *plies;
    size_t count, capacity;
} Game;

// Initialises a game without plies; game_clear() frees it.
void game_init(Game *game, const Position *start);
// Starts a new game and reuses the memory.
void game_reset(Game *game, const Position *start);
void game_clear(Game *game);
AUTO_VALUE(Game, game_clear)
void game_push(Game *game, Move legal_move);
void game_pop(Game *game);
const Position *game_start(const Game *game);
// Returns the position after `ply` plies: 0 is the start, game->count the present position.
const Position *game_position(const Game *game, size_t ply);
// Plays blank-separated coordinate moves. The error names the ply and the move.
Status game_push_text(Game *game, const char *moves, Err *err);

// Reads a record of `length` bytes: "FEN<TAB>moves", or the forms of fen_split_moves(). Restarts
// the game and plays the moves. Tab and moves are optional. It modifies the line. The game must be
// initialised or zero.
Status game_read_record(Game *game, char *line, size_t length, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// A game: its start position and every ply played, with what the rules need to judge it.
#pragma once

#include "core/board/position.h"

typedef struct GamePly {
    Position before;
    Move move;
    Piece captured; // PIECE_NONE: a quiet move
    bool gives_check;
} GamePly;

typedef struct Game {
    Position now; // after all plies
    GamePly *plies;
    size_t count, capacity;
} Game;

void game_init(Game *game, const Position *start);
// Starts a new game in the same memory.
void game_reset(Game *game, const Position *start);
void game_clear(Game *game);
AUTO_VALUE(Game, game_clear)
void game_push(Game *game, Move legal_move);
void game_pop(Game *game);
const Position *game_start(const Game *game);
// The position after `ply` plies: 0 is the start, game->count the present.
const Position *game_position(const Game *game, size_t ply);
// Reads blank-separated coordinate moves and plays them. The error names the ply and the move.
Status game_push_text(Game *game, const char *moves, Err *err);

// Reads a record of `length` bytes, which it changes: "FEN<TAB>moves" (the tab and the moves may be
// missing), or what fen_split_moves() takes. Starts the game anew and plays the moves. The game
// must be initialised or zero.
Status game_read_record(Game *game, char *line, size_t length, Err *err);

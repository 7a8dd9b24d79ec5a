// SPDX-License-Identifier: GPL-3.0-or-later
// What the formats of Chinese programs share: a board as a list of men, and a first move that shows
// who begins.
#pragma once

#include "datasets/source_game.h"

// The men of a side in the order of XQF and DhtmlXQ: chariot horse elephant advisor general advisor
// elephant horse chariot cannon cannon and five soldiers; Red's, then Black's.
enum { LIST_MEN = 32 };

// Puts the men on the board: squares[i] is that of man i, SQUARE_NONE where he is off the board.
// STATUS_BAD_INPUT when two stand on one point.
Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err);

// Starts the game on a board; the side of the man on `first` is to move (SQUARE_NONE or an empty
// point: Red).
Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               unsigned fullmove, Err *err);

// Plays a move of a binary file; the error names the ply. Points that are not on the board are
// refused.
Status source_game_push_points(SourceGame *source, int from, int to, Err *err);

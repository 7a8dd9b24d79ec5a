// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position as text.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// Options of a drawing. If all are zero, the pieces are Chinese characters without colour, Red is
// below, and no move is shown.
typedef struct BoardStyle {
    bool letters; // true: draw the letters K A E H R C P (Black in lower case) instead of Chinese
                  // characters
    bool black_below; // true: draw the board from Black's side
    bool colour;      // true: use terminal colours, red for Red's pieces and bold for Black's
    Move last; // last move: its origin is drawn in (), its target in []; MOVE_NONE: show no move
} BoardStyle;

// Appends the board in 21 lines, with the ranks on the left and the files below. A Chinese
// character takes two terminal columns and everything else is ASCII, so columns align in any
// monospaced font.
void board_draw(const Position *position, const BoardStyle *style, Text *out);

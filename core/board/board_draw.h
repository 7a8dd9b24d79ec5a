// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position as text.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// Options of a drawing. If all are zero, it has Chinese characters without colour, Red is below,
// and no move is marked.
typedef struct BoardStyle {
    bool letters; // true: draw the letters K A E H R C P (Black in lower case) instead of Chinese
                  // characters
    bool black_below; // true: draw the board from Black's side
    bool colour;      // true: use terminal colours, red for Red's pieces and bold for Black's
    Move last;        // last move, drawn as (origin) [target]; MOVE_NONE: draw no move
} BoardStyle;

// Appends the board in 21 lines, with the names of ranks and files at the edges. A Chinese
// character takes two terminal columns and everything else is ASCII, so columns align in any
// monospaced font.
void board_draw(const Position *position, const BoardStyle *style, Text *out);

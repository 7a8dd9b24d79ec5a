// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position as text.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// A style that is all zero draws Chinese characters without colour, Red below, and marks no move.
typedef struct BoardStyle {
    bool letters;     // K A E H R C P, Black in small letters, instead of characters
    bool black_below; // draw the board from Black's side
    bool colour;      // terminal colours: Red's pieces red, Black's bold
    Move last;        // last move, drawn as (origin) [target], or MOVE_NONE
} BoardStyle;

// Appends the board in 21 lines, with the names of ranks and files at the edges. A Chinese
// character takes two terminal columns and everything else is ASCII, so columns align in any
// monospaced font.
void board_draw(const Position *position, const BoardStyle *style, Text *out);

// SPDX-License-Identifier: GPL-3.0-or-later
// A position drawn in text, for people to look at.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

// All zero: Chinese characters, Red below, no colour, no move marked.
typedef struct BoardStyle {
    bool letters;     // K A E H R C P, Black in small letters, instead of characters
    bool black_below; // seen from Black's side
    bool colour;      // terminal colours: Red's pieces red, Black's bold
    Move last;        // marked: (origin) [target]; MOVE_NONE: none
} BoardStyle;

// Appends the board, 21 lines: ranks and files at the edges, river and palaces. A character takes
// two columns of a terminal, all else is ASCII, so that it stands straight in any font.
void board_draw(const Position *position, const BoardStyle *style, Text *out);

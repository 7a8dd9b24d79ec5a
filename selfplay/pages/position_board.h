// SPDX-License-Identifier: GPL-3.0-or-later
// A position as a picture for a page with the style of chart.h: the board with its pieces, Red
// below, some of them marked.
#pragma once

#include "core/board/position.h"
#include "selfplay/pages/chart.h"

// Appends the meaning of the letters on the pieces, and a box that shows Chinese characters instead
// on all pictures of the page.
void position_board_choice(Text *html);

// Appends the picture as inline SVG. A ring marks the pieces on the squares of `marked`. `title`
// says what is seen, for readers who do not see it.
void position_board(const Position *position, Bitboard marked, const char *title, Text *svg);

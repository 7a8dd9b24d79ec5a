// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a position as a picture for an HTML page: the board from Red's side, with rings around some
// pieces.
#pragma once

#include "core/board/position.h"
#include "selfplay/pages/chart.h"

// Appends an explanation of the letters on the pieces, and a checkbox that replaces them by Chinese
// characters in all pictures of the page.
void position_board_choice(Html *html);

// Appends the picture as inline SVG. A ring marks the pieces on the squares of `marked`. `title`
// describes the picture for screen readers.
void position_board(const Position *position, Bitboard marked, const char *title, Html *svg);

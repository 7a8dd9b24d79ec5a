// SPDX-License-Identifier: GPL-3.0-or-later
// What a comment behind a move of a PGN game tells of the search for it:
//
//     {+0.35/12 0.100s, n=5000, best=h2e2}     {-M7/9}     {book}
//
// score/depth in points of the player that moved (100 units), or M and the plies to mate; then the
// time, the nodes, and the move that the search preferred to the one played. Parts that are not
// known are left out. So do XBoard, cutechess and fastchess, but for the last.
#pragma once

#include "core/base/text.h"
#include "datasets/store/record.h"

// Appends "{...}" or, when nothing is known, nothing. time_ms < 0: unknown.
void pgn_comment_write(const PlyRecord *ply, Side mover, bool book, int32_t time_ms, Text *out);

// Reads a comment without its braces. What it does not tell, and any other comment, leaves *ply as
// it is. Returns true when it says that the move comes from a book.
bool pgn_comment_read(const char *text, size_t length, Side mover, PlyRecord *ply);

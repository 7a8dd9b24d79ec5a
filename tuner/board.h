// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the evaluation on the board: as text and as a heat map.
#pragma once

#include "core/base/text.h"
#include "core/weights.h"

// The entry of a table term that a point shows, seen from the owner at the bottom (Red): 0 to
// term->count - 1, both halves of the mirrored table; -1 where the table says nothing. Terms that
// are not tables have no points.
int board_entry(const WeightTerm *term, int square);
bool board_is_table(const WeightTerm *term);

// Whose table it is, with its article: "a horse", "a soldier across the river".
const char *board_owner(const WeightTerm *term);

// The term of this name, or NULL with the names of all tables in the message.
const WeightTerm *board_find_table(const char *name, Err *err);

// Both boards of a table as text, middlegame left and endgame right, the own side at the bottom.
void term_board_text(const Weights *weights, const WeightTerm *term, Text *text);

// The same as an SVG picture: a xiangqi board each for middlegame and endgame, a disc with its
// value on every point of the table, one colour scale for both with its legend. `caption`
// (borrowed) goes under the title; it may be NULL.
void term_board_svg(const Weights *weights, const WeightTerm *term, const char *caption, Text *svg);

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws tables of the evaluation on the board, as text and as a picture.
#pragma once

#include "core/board/types.h"
#include "core/command/page.h"
#include "core/eval/weights.h"

// Appends both boards of a table as text, with the own side at the bottom. The middlegame board is
// left of the endgame board, or above it if the lines would be too long. If `errors` is set, the
// numbers are errors; ERROR_PRIOR is shown as "-", and ERROR_UNKNOWN as "?".
void term_board_text(const Weights *weights, const WeightTerm *term, bool errors, Text *text);
// ERROR_PRIOR stands for the error of a weight that the prior, not the games, determined,
// ERROR_UNKNOWN for an error that the weight file does not contain.
enum { ERROR_PRIOR = -1, ERROR_UNKNOWN = -2 };

// One board of a table as a picture. The style sheet core/command/page.css defines the colours.
typedef struct TermBoard {
    const Weights *weights;
    const WeightTerm *term;
    bool endgame;
    int limit;           // absolute value that gets the strongest colour
    const double *error; // [2 * WEIGHT_COUNT] standard errors; NULL: unknown
    // [2 * WEIGHT_COUNT] how much of each weight, 0..1, the games determined; the prior determined
    // the rest. A square below BOARD_UNSURE is drawn in a pale colour. NULL: unknown
    const double *decided;
} TermBoard;
#define BOARD_UNSURE 0.1
// Appends the picture of a board; `id` must be unique on the page.
void term_board_figure(const TermBoard *board, const char *id, Html *svg);
// Appends a board that shows the value of each square as a colour. The largest absolute value has
// the strongest colour; a square with the value NAN stays empty.
void square_board_figure(const double values[SQUARE_COUNT], const char *title, Html *svg);
// Appends the legend of the colours in pictures of term_board_figure(): a colour scale from -limit
// to +limit.
void term_board_legend(int limit, Html *svg);
// Returns the largest absolute value of a table, middlegame and endgame; at least 1.
int term_board_limit(const Weights *weights, const WeightTerm *term);

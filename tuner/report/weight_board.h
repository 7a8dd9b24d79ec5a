// SPDX-License-Identifier: GPL-3.0-or-later
// Draws tables of the evaluation on the board, as text and as a picture.
#pragma once

#include "core/base/text.h"
#include "core/board/types.h"
#include "core/eval/weights.h"

// Appends both boards of a table as text: middlegame left, endgame right, the own side at the
// bottom.
void term_board_text(const Weights *weights, const WeightTerm *term, Text *text);

// One board of a table, for a page whose style sheet has the classes point, river, label, value,
// light, error and unsure.
typedef struct TermBoard {
    const Weights *weights;
    const WeightTerm *term;
    bool endgame;
    int limit;             // the absolute value with the strongest colour
    const double *error;   // [2 * WEIGHT_COUNT] standard errors; NULL: unknown
    const double *decided; // [2 * WEIGHT_COUNT] shares that the games determined; below
                           // BOARD_UNSURE a point is faint
} TermBoard;
#define BOARD_UNSURE 0.1
// Appends the board; `id` must be unique on the page.
void term_board_figure(const TermBoard *board, const char *id, Text *svg);
// Appends a board that shows values as colours, the strongest of them with the strongest colour. A
// NAN is left out.
void square_board_figure(const double values[SQUARE_COUNT], const char *title, Text *svg);
void term_board_legend(int limit, Text *svg);
// Returns the largest absolute value of a table over both phases; at least 1.
int term_board_limit(const Weights *weights, const WeightTerm *term);

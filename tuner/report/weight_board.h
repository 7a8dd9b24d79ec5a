// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the evaluation on the board: as text and as a picture.
#pragma once

#include "core/base/text.h"
#include "core/eval/weights.h"

// Both boards of a table as text, middlegame left and endgame right, the own side at the bottom.
void term_board_text(const Weights *weights, const WeightTerm *term, Text *text);

// One board of a table, for a page that has a style for it (classes point river label
// value light error unsure).
typedef struct TermBoard {
    const Weights *weights;
    const WeightTerm *term;
    bool endgame;
    int limit;             // the value that has the strongest colour
    const double *error;   // [2 * WEIGHT_COUNT] standard errors; NULL: not known
    const double *decided; // likewise: share that the games decided; below BOARD_UNSURE a point is
                           // drawn faint
} TermBoard;
#define BOARD_UNSURE 0.1
// id: unique on the page.
void term_board_figure(const TermBoard *board, const char *id, Text *svg);
void term_board_legend(int limit, Text *svg);
// The largest value of a table, middlegame and endgame, either sign; at least 1.
int term_board_limit(const Weights *weights, const WeightTerm *term);

// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a piece: what the evaluation loses when one such piece is taken off the board.
//
// With f the evaluation by the trace, and b the board, the value of a kind is the mean of
// f(b) - f(b without one of them), its owner's view, over the positions that have one; a position
// with several counts their mean. It is linear in the weights: value = sum of a_i w_i. All values
// are in points: those of the chariots in the same positions' stage are 9.
//
// Taking a piece off changes terms of others, too: lines open, guards fall, the phase moves on.
// That is meant. Sums of a piece's own terms are its share (values.h).
#pragma once

#include "tuner/rows/rows.h"

// Stages of a game by the phase of the position, as `data info` counts them: from 18 and 36 on.
enum { STAGE_PHASES = 18 };
typedef enum Stage { STAGE_ENDGAME, STAGE_MIDDLEGAME, STAGE_OPENING, STAGE_ALL, STAGES } Stage;

// The kinds, in the order of the classic table; behind them kinds of which a side has two: the last
// one ("1st") and each of two ("2nd"), those of the guards also by the enemy's chariots.
enum { PIECE_KINDS = 7, PIECE_LINES = PIECE_KINDS + 2 * 5 + 2 * 2 * 3, PIECE_NAME_SIZE = 32 };

typedef struct PieceTable {
    // Points, and standard errors; NAN: not known. Lines behind PIECE_KINDS have STAGE_ALL alone.
    double value[PIECE_LINES][STAGES], se[PIECE_LINES][STAGES];
    double positions[PIECE_LINES]; // that have such a piece
} PieceTable;

void piece_line_name(int line, char name[PIECE_NAME_SIZE]);
double piece_line_books(int line); // points of the classic table

// A table without any value.
void piece_table_init(PieceTable *table);

enum { PIECE_FORMS = PIECE_KINDS * STAGES + PIECE_LINES - PIECE_KINDS };
// Measures the values by `weights` (flat, of our own terms) in the positions of rows->sample. Their
// standard errors are those of the mix of positions, clustered by game: other games have other
// positions, and the endgames of one game are alike. forms [PIECE_FORMS][2 * WEIGHT_COUNT], unless
// NULL, receives the derivatives by the weights, in the order of piece_form().
void piece_table_measure(const RowSet *rows, const double *weights, PieceTable *table,
                         double *forms);
// The place of a value among the forms; -1 where a line has none.
int piece_form(int line, Stage stage);

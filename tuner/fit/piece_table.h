// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a piece: how far the evaluation falls when one such piece is removed from the board.
//
// Let f be the evaluation and b a board. The value of a kind is the mean of f(b) - f(b without one
// piece of the kind), from its owner's view, over the positions that contain the kind. A position
// with several such pieces counts once, with the mean over these pieces. The value is a linear
// function of the weights. It is then converted to points: all values in a stage of the game are
// multiplied so that a chariot is worth 9 in this stage.
//
// Removing a piece also changes terms of other pieces: lines open, guards disappear, the phase
// changes. This is intended. The contribution of a piece's own terms alone is computed in values.h.
#pragma once

#include "tuner/rows/rows.h"

// Stages of a game by the phase of the position: endgame 0 to 17, middlegame 18 to 35, opening from
// 36. `data info` uses the same stages.
enum { STAGE_PHASES = 18 };
typedef enum Stage { STAGE_ENDGAME, STAGE_MIDDLEGAME, STAGE_OPENING, STAGE_ALL, STAGES } Stage;

// The rows of the table ("lines" in the names below). First come the kinds of pieces, from the
// chariot to the crossed soldier. For each kind of which a side has at most two pieces, two more
// rows follow. "1st" is the value of a piece that is the only one of its kind. "2nd" is the value
// that a side loses if one piece of a pair is removed, so it is what the second piece adds to the
// first. Advisors and elephants have such rows also for each number of enemy chariots, 0 to 2.
enum { PIECE_KINDS = 7, PIECE_LINES = PIECE_KINDS + 2 * 5 + 2 * 2 * 3, PIECE_NAME_SIZE = 32 };

typedef struct PieceTable {
    // Piece values in points and their standard errors, for each row of the table and stage of the
    // game (endgame, middlegame, opening, all); NAN: unknown. The rows "1st" and "2nd", from
    // PIECE_KINDS on, have only the value over the whole game, STAGE_ALL.
    double value[PIECE_LINES][STAGES], se[PIECE_LINES][STAGES];
    // for each row of the table, the number of positions with a piece that counts in this row
    double positions[PIECE_LINES];
} PieceTable;

void piece_line_name(int line, char name[PIECE_NAME_SIZE]);
// Returns the value of the piece of table row `line` in the weights `classic`, in points.
double piece_line_books(int line);

// Sets all values and standard errors to unknown (NAN), and all numbers of positions to 0.
void piece_table_init(PieceTable *table);

enum { PIECE_FORMS = PIECE_KINDS * STAGES + PIECE_LINES - PIECE_KINDS };
// Measures the values that `weights` [2 * WEIGHT_COUNT] give to the pieces in the positions of
// rows->sample. The standard errors account only for the random choice of the games and positions,
// not for errors of the weights. Unless `forms` is NULL, writes the derivatives of the values with
// respect to the weights to forms [PIECE_FORMS][2 * WEIGHT_COUNT], in the order of piece_form().
void piece_table_measure(const RowSet *rows, const double *weights, PieceTable *table,
                         double *forms);
// Numbers all piece values of the table: returns the index, 0 to PIECE_FORMS - 1, of the value of a
// row in a stage of the game. Returns -1 if the row has no value for this stage.
int piece_form(int line, Stage stage);

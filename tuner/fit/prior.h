// SPDX-License-Identifier: GPL-3.0-or-later
// The belief about weights before any game is seen: a quadratic, as a list of pieces
//     strength / 2 * (sum of coefficient * (w - centre))^2.
// One coefficient makes a ridge towards the centre, several tie weights together.
#pragma once

#include "tuner/rows/rows.h"

typedef struct PriorPiece {
    double strength; // 1 / sd^2 of the sum
    size_t first;    // of its entries in index[] and coefficient[]
    int count;
} PriorPiece;

typedef struct Prior {
    int n;          // weights, middlegame and endgame apart
    double *centre; // [n]
    PriorPiece *pieces;
    size_t count, capacity;
    int *index;
    double *coefficient;
    size_t entry_count, entry_capacity;
} Prior;

void prior_clear(Prior *prior);

// The value at x; adds the gradient to gradient [n] unless it is NULL.
double prior_value(const Prior *prior, const double *x, double *gradient);
// Adds the (constant) Hessian to hessian, n x n row-major.
void prior_add_hessian(const Prior *prior, double *hessian);

// How strong the pieces for our evaluation's terms are; all in units.
typedef struct PriorSetup {
    double sd;          // of an entry of a table or of mobility around its centre
    double material_sd; // of material
    // Of the difference of two neighbouring entries' changes from their centres; 0: any. Changes,
    // not values: the centre may be a fit, whose steps from point to point are known already.
    // Around the classic table, whose tables are 0, the two are the same.
    double smooth_sd;
    const double *se; // [n], borrowed: errors of the centre; NULL, or not above 0: not known
    double se_times;  // where they are known, sd is so many of them; 0: not in use
} PriorSetup;

// Is the ridge of a weight that of its centre's own error?
bool prior_from_errors(const PriorSetup *setup, int weight);

// The ridge of every weight, and the choice among weights that predict the same. A piece has
// exactly one entry of each term of its kind: what all entries of a table have in common could as
// well stand in the material. Each table's mean over the rows is therefore held where the centre
// has it, middlegame and endgame apart, and material says what a piece is worth. Entries that never
// occur stay at the centre. Other people's terms are not known: all have the ridge of an
// entry.
void prior_for_evaluation(Prior *prior, const PriorSetup *setup, const RowSet *rows,
                          const double *centre);

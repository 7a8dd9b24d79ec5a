// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the share of a piece's value that its own terms contribute. Also prepares fitted weights
// for the program: moves means of tables into material values, scales the weights so that a chariot
// has the value 900, and rounds them to integers.
//
// The share of a kind of piece is the mean contribution of its own terms (material and table
// entries, weights.def) to the score for one such piece. The full value of a piece, which includes
// its effect on the terms of other pieces, is in piece_table.h. The sums run over all pieces of
// this kind in all positions. p is the phase of the position (1: full middlegame, 0: endgame). w_mg
// and w_eg are the middlegame and the endgame weight of the piece, summed over its own terms:
//     middlegame = sum p w_mg / sum p,  endgame = sum (1 - p) w_eg / sum (1 - p),
//     mean       = sum (p w_mg + (1 - p) w_eg) / number of pieces.
#pragma once

#include "core/eval/weights.h"
#include "tuner/rows/rows.h"

typedef enum ValueKind { VALUE_MIDDLEGAME, VALUE_ENDGAME, VALUE_MEAN } ValueKind;

// Computes coefficients share [2 * WEIGHT_COUNT] such that the sum of share[i] * weights[i] is the
// mean contribution of a piece of `group` to the score by its own terms. `kind` selects the mean
// over the middlegame, over the endgame, or over both. Returns the number of pieces of the group in
// the data; if it is 0, all share[i] are 0.
double value_shares(const RowSet *rows, WeightGroup group, ValueKind kind, double *share);

// Returns the mean contribution of a piece of `group` to the score, in units, by the MATERIAL and
// ENTRY terms of this group; NAN if no such piece occurs. weights is [2 * WEIGHT_COUNT].
double piece_share(const RowSet *rows, WeightGroup group, ValueKind kind, const double *weights);

enum { SCALE_CHARIOT = 900 };

// Returns true if the value of a chariot sets the scale of the weights. Returns false if the terms
// come from a file (RowSet.names): their meaning is unknown. Also returns false if a built-in term
// belongs to several pieces together (TERM_TOGETHER): no sum of terms is then the value of a
// chariot. In both cases K or the start weights set the scale.
bool values_have_scale(const RowSet *rows);

// Multiplies the weights so that the mean value of a chariot is SCALE_CHARIOT, and divides *k by
// the same factor. All predictions stay the same. Does nothing unless values_have_scale(). Returns
// STATUS_NUMERIC if no chariot occurs or its value is not positive.
Status values_apply_scale(const RowSet *rows, double *weights, double *k, Err *err);

// Centres the weights. Each piece occurs in exactly one entry of each table of its kind, such as
// the square table (ENTRY in weights.def). The mean of these entries can therefore be moved into
// the material value of this kind without changing any evaluation. Afterwards each such table has
// mean 0 over the positions, separately in the middlegame and the endgame, and the material value
// is the mean value of the piece. Entries that never occur are shifted by the same amount as the
// rest of their table. The general has no material value; the mean of its entries is dropped,
// because each side has one general and the mean cancels.
void values_centre(const RowSet *rows, double *weights);

// Rounds the weights to integers so that the loss grows little. Starts from the nearest integers
// and moves single weights by one unit while a sum of two parts falls. The first part is the
// quadratic approximation d' H d / 2 of the loss, where d is the change of the weights by rounding.
// The second part is a penalty on a change of the mean value of a chariot. hessian is H, n x n, n =
// 2 * WEIGHT_COUNT; if it is NULL, the nearest integers are used. A weight with frozen[i] set is
// only rounded to the nearest integer; frozen may be NULL. Returns STATUS_NUMERIC if the absolute
// value of a weight exceeds WEIGHT_LIMIT - 1.
Status values_round(const RowSet *rows, const double *weights, const double *hessian,
                    const bool *frozen, Weights *rounded, Err *err);
void values_flat(const Weights *weights, double *flat);
// Sets `flat` to the weights of the evaluation "classic": piece values from introductions to
// xiangqi, such as 900 for a chariot; all other weights are 0.
void values_classic(double *flat);

// Checks that two sets of weights predict the same result for every position of this MPI rank:
// `weights`, whose sigmoid has the slope k, and `fitted`, whose sigmoid has the slope k_fitted. For
// this, the score by `weights` and the score by `fitted` times k_fitted / k must agree. If they
// differ by more than `slack` units in a position, returns STATUS_NUMERIC and names the position
// with the largest difference. A term then probably differs from its description in weights.def.
Status values_check(const RowSet *rows, const double *fitted, double k_fitted,
                    const double *weights, double k, double slack, Err *err);

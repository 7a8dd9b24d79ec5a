// SPDX-License-Identifier: GPL-3.0-or-later
// What pieces contribute by their own terms, and the freedom of scale and of centring.
//
// The share of a kind is the mean traced contribution of a piece of that kind on the data: its
// material and entries (weights.def) together. (Its value, what the evaluation loses with it, is
// piece_table.h's.) A weight counts in the middlegame as much as the
// phase p of its position, in the endgame 1 - p:
//     middlegame = sum p w_mg / sum p,  endgame = sum (1 - p) w_eg / sum (1 - p),
//     mean       = sum (p w_mg + (1 - p) w_eg) / number of pieces.
// A chariot itself counts more in the endgame, where a lead decides more.
#pragma once

#include "core/eval/weights.h"
#include "tuner/rows/rows.h"

typedef enum ValueKind { VALUE_MIDDLEGAME, VALUE_ENDGAME, VALUE_MEAN } ValueKind;

// A value is linear in the weights: value = sum of share[i] * weights[i], share [2 * WEIGHT_COUNT].
// Returns how many pieces of the kind were seen; without any the shares are 0.
double value_shares(const RowSet *rows, WeightGroup group, ValueKind kind, double *share);

// The value, in units; NAN where no such piece was seen. weights is flat, 2 * WEIGHT_COUNT numbers.
double piece_share(const RowSet *rows, WeightGroup group, ValueKind kind, const double *weights);

enum { SCALE_CHARIOT = 900 };

// Is the scale that of the chariot? Not where the terms are somebody else's, or where one of ours
// is of several pieces together (TERM_TOGETHER): what a chariot is worth is then no sum of its own
// terms, and the scale stays the one of K.
bool values_have_scale(const RowSet *rows);

// The scale rule: multiplies the weights so that the chariot's mean is SCALE_CHARIOT and divides *k
// by the same factor, which leaves every prediction as it is. STATUS_NUMERIC when no chariot was
// seen or its value is not positive.
Status values_apply_scale(const RowSet *rows, double *weights, double *k, Err *err);

// Centring: a piece has exactly one entry of each ENTRY term of its group (weights.def), so what
// all entries of such a term have in common can be moved into the group's material without changing
// any evaluation. Afterwards each of them has mean 0 on the data, middlegame and endgame apart, and
// material is the piece's value. Entries that never occur move along with their term. A group
// without material (the general) loses the common part: both sides have it.
void values_centre(const RowSet *rows, double *weights);

// Whole numbers for the weight file, chosen so that the loss grows least: from the nearest ones,
// single weights are moved by whole units as long as the quadratic d' H d / 2 of the loss around
// `weights` falls. hessian is n x n, n = 2 * WEIGHT_COUNT; NULL: the nearest. A frozen weight [n],
// unless frozen is NULL, stays. STATUS_NUMERIC when one is beyond WEIGHT_LIMIT.
Status values_round(const RowSet *rows, const double *weights, const double *hessian,
                    const bool *frozen, Weights *rounded, Err *err);
void values_flat(const Weights *weights, double *flat);
void values_classic(double *flat); // those of the classic table

// Do weights with slope k predict, on every row, what the fitted ones do with theirs? Up to `slack`
// units of score. STATUS_NUMERIC names the worst row: a term then is not what its line of
// weights.def says.
Status values_check(const RowSet *rows, const double *fitted, double k_fitted,
                    const double *weights, double k, double slack, Err *err);

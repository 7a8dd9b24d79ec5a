// SPDX-License-Identifier: GPL-3.0-or-later
// The prior of the weights, before any game is seen: a quadratic function, as a list of terms
//     strength / 2 * (sum of coefficient * (w - centre))^2.
// A term with one coefficient is a ridge towards the centre; a term with several coefficients ties
// weights together.
#pragma once

#include "tuner/rows/rows.h"

typedef struct PriorPiece {
    double strength; // 1 / sd^2, where sd is the standard deviation of the sum
    size_t first;    // index of its first entry in index[] and coefficient[]
    int count;
} PriorPiece;

typedef struct Prior {
    int n;          // number of weights; middlegame and endgame count separately
    double *centre; // [n]
    PriorPiece *pieces;
    size_t count, capacity;
    int *index;
    double *coefficient;
    size_t entry_count, entry_capacity;
} Prior;

void prior_clear(Prior *prior);

// Returns the value of the prior at x [n]. Adds its gradient to gradient [n] unless that is NULL.
double prior_value(const Prior *prior, const double *x, double *gradient);
// Adds the Hessian, which is constant, to hessian [n][n], row-major.
void prior_add_hessian(const Prior *prior, double *hessian);

// Standard deviations of the prior for the built-in evaluation, in units.
typedef struct PriorSetup {
    double sd;          // sd of a table or mobility entry around its centre
    double material_sd; // sd of a material value around its centre
    // sd of the difference between the changes of two neighbouring entries; 0: no such terms.
    // Changes from the centre are compared, not values, because the centre may itself be a fit that
    // already has differences between neighbours. Around the classic table, whose tables are 0,
    // changes and values are equal.
    double smooth_sd;
    const double *se; // [n], borrowed: standard errors of the centre; an entry <= 0 is unknown;
                      // NULL: all unknown
    double se_times;  // sd is se_times * se for weights with known errors; 0: not used
} PriorSetup;

// Returns true if the standard error of the centre sets the ridge of this weight.
bool prior_from_errors(const PriorSetup *setup, int weight);

// Builds the prior of an evaluation: a ridge for every weight, and constraints that choose among
// weights with equal predictions. A piece has exactly one entry of each ENTRY term of its kind, so
// a constant added to all entries of a table could as well be added to material. The mean of each
// table over the rows therefore stays at that of the centre, separately in the middlegame and the
// endgame, and material holds the value of a piece. Entries that never occur stay at the centre.
// Terms of an external row file have only the ridge of an entry.
void prior_for_evaluation(Prior *prior, const PriorSetup *setup, const RowSet *rows,
                          const double *centre);

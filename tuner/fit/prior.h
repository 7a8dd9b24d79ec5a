// SPDX-License-Identifier: GPL-3.0-or-later
// The prior of the weights, which does not depend on the games' results. It is a quadratic function
// of the weights w. Each of its parts (PriorPart) is (strength / 2) * (sum of
// coefficient * (w - centre))^2. A part with one coefficient pulls a single weight towards its
// centre (ridge penalty). A part with several coefficients pulls a linear combination of weights,
// such as the difference of two neighbours, towards its value at the centres.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "tuner/rows/rows.h"

typedef struct PriorPart {
    // 1 / sd^2, where sd is the standard deviation of the linear combination of weights
    double strength;
    // position of the part's first coefficient in Prior.index and Prior.coefficient
    size_t first;
    int count;
} PriorPart;

typedef struct Prior {
    int n;          // number of weights; middlegame and endgame count separately
    double *centre; // the n weights to which the prior pulls
    PriorPart *parts;
    size_t count, capacity;
    int *index;
    double *coefficient;
    size_t entry_count, entry_capacity;
    double *sd; // standard deviation of each weight; NULL: unknown
    // Kind of each weight, from 0: its term of the built-in evaluation (in the order of
    // weight_terms), or its family of names (term_names.h); 0 for all weights of another evaluation
    // whose names have no meaning. The prior may suit the weights of one kind less than those of
    // another (errors.h). All weights of a part have the same kind.
    int *kind;
    int kinds; // number of kinds, at least 1
} Prior;

void prior_clear(Prior *prior);

// Adds a part with `count` coefficients.
void prior_add(Prior *prior, double strength, int count, const int *index,
               const double *coefficient);

// Returns the value of the prior at x [n]. Adds its gradient to gradient [n] unless `gradient` is
// NULL.
double prior_value(const Prior *prior, const double *x, double *gradient);
// Adds the Hessian of the prior, which is constant, to hessian [n][n], row-major.
void prior_add_hessian(const Prior *prior, double *hessian);

// Standard deviations of the prior, in units. The prior pulls each weight towards its centre, a
// value that the caller gives. Terms of another evaluation (RowSet.names) use only `sd`.
typedef struct PriorSetup {
    // standard deviation of a weight around its centre, for all weights except material values
    double sd;
    double material_sd; // standard deviation of a material value around its centre
    // Standard deviation of d_a - d_b, where a and b are neighbouring entries of a term (adjacent
    // squares of a piece-square table, consecutive entries of any other term), and d_a is entry a
    // minus its centre. 0: no prior on differences. The centres are subtracted because they may
    // come from an earlier fit, in which neighbours differ.
    double smooth_sd;
    // Standard errors of the n weights on which the prior is centred, borrowed. An element that is
    // NAN or at most 0 is unknown; NULL: all are unknown.
    const double *se;
    // If the standard error se of a weight is known, its prior has the standard deviation
    // se_times * se instead of `sd` or `material_sd`. If se_times is 0, standard errors are not
    // used.
    double se_times;
    // Terms of another evaluation whose start values and names set the prior (prior_terms.h);
    // borrowed. NULL: all weights of another evaluation have the standard deviation `sd`.
    const SparseTerms *terms;
    double times; // factor of the scales of this prior
} PriorSetup;

// Returns true if the standard deviation of this weight's prior is se_times times a known standard
// error; false if it is `sd` or `material_sd`.
bool prior_from_errors(const PriorSetup *setup, int weight);

// Builds the prior of an evaluation: a ridge (a penalty on the squared distance from the centre)
// for every weight, priors on differences of neighbours (smooth_sd), and a constraint on the mean
// of each table. A piece has exactly one entry of each table of its kind, such as the square table
// (ENTRY in weights.def). Without the constraint, a constant could move from all entries of a table
// to material without changing the evaluation. The mean of a table's entries over the positions is
// therefore kept within about one unit of the mean of their centres, separately in the middlegame
// and the endgame. The material weight is then the value of a piece. Entries that never occur stay
// at their centres, unless smoothing moves them with their neighbours. Terms of another evaluation
// (RowSet.names) have the prior of prior_terms.h or, if setup->terms is NULL, only a ridge with the
// standard deviation setup->sd.
void prior_for_evaluation(Prior *prior, const PriorSetup *setup, const RowSet *rows,
                          const double *centre);

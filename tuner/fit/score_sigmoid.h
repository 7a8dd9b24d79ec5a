// SPDX-License-Identifier: GPL-3.0-or-later
// The slopes of the loss (loss.h) are parameters, too: they are estimated from the same games as
// the weights. There are two groups of parameters. The score sigmoid maps search scores to expected
// results. Its parameters are ln of the slope at each knot of the phase, and the units by which a
// search favours the side to move. The other group is the single parameter ln K, where K is the
// slope that maps the evaluation to expected results.
//
// The standard errors of a fit depend on these estimates. Let z(slopes) = 0 be the equations of the
// slopes: the derivatives of their losses are 0. Let s(weights, slopes) = 0 be the equations of the
// weights, and A = ds/dweights the Hessian of the summed loss and prior. When the slopes change,
// the weights change by -A^-1 ds/dslopes. A game g contributes z_g to z and s_g to s. It therefore
// changes the weights by -A^-1 (s_g - Q z_g), where Q = ds/dslopes (dz/dslopes)^-1 (two-step
// estimation, Newey and McFadden 1994, section 6).
#pragma once

#include "tuner/fit/loss.h"

enum { SIGMOID_PARAMS = SCORE_KNOTS + 1, SLOPE_K = SIGMOID_PARAMS, SLOPES };

// Sums over the positions that have both a result and a search score that is no mate. `loss` is the
// sum of squared differences between the result and the points expected from the search score.
// `gradient` and `curvature` are half the first and second derivatives of `loss` by the parameters
// of the score sigmoid (Gauss-Newton approximation).
typedef struct SigmoidSums {
    double rows, weight, loss, gradient[SIGMOID_PARAMS], curvature[SIGMOID_PARAMS][SIGMOID_PARAMS];
} SigmoidSums;

// Sets k_score, k_bend and mover_units of a setup from the parameters of the score sigmoid.
void sigmoid_set(LossSetup *setup, const double params[SIGMOID_PARAMS]);

// A LossSetup prepared for sigmoid_add_rows(): lambda is 0, so that targets are search scores
// alone, and knot_k holds the slope at each knot.
typedef struct SigmoidPass {
    LossSetup setup;
    double knot_k[SCORE_KNOTS];
} SigmoidPass;
SigmoidPass sigmoid_pass(const LossSetup *setup, const double params[SIGMOID_PARAMS]);
// Adds the losses of positions `first` to `first` + count - 1 of the chunk, and the derivatives of
// these losses, to *sums; count is at most LOSS_BLOCK.
void sigmoid_add_rows(const SigmoidPass *pass, const RowChunk *chunk, uint32_t first, int count,
                      SigmoidSums *sums);

// Returns the loss and its derivatives, summed over the positions that setup->every selects. Adds a
// penalty on differences between ln slope at neighbouring knots of the phase, because few positions
// lie near some knots.
SigmoidSums sigmoid_sums(const RowSet *rows, const LossSetup *setup,
                         const double params[SIGMOID_PARAMS]);

// Computes the vector of slope parameters from a setup whose slopes are known.
void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]);

// Writes the matrix Q = ds/dslopes (dz/dslopes)^-1 to response [2 * rows->pairs][SLOPES]. `weights`
// is the solution of the fit, and K was fitted to `start`. The columns of slopes that were given
// instead of estimated are 0. Returns STATUS_NUMERIC if the games do not determine the slopes.
Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err);

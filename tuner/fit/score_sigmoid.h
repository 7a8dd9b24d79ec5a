// SPDX-License-Identifier: GPL-3.0-or-later
// The loss (loss.h) contains two sigmoids whose parameters are estimated from the same games as the
// weights, unless they are given. The score sigmoid maps search scores to expected results. Its
// parameters are ln of its slope at SCORE_KNOTS phases of the game, between which the slope is
// interpolated (the knots), and the units by which a search favours the side to move. The other
// sigmoid maps the evaluation to expected results. Its parameter is ln K, where K is its slope.
// Names with "slopes" mean all these sigmoid parameters.
//
// The standard errors of a fit depend on the estimates of the sigmoid parameters. Let r be the
// sigmoid parameters, and z the gradient by r of the losses to which they are fitted, which is 0 at
// the estimates. Let s be the gradient of the summed loss and prior by the weights, which is 0 at
// the solution, and A = ds/dweights the Hessian. When r changes by dr, the weights change by -A^-1
// ds/dr dr. A game g contributes z_g to z and s_g to s. With the matrix Q = ds/dr (dz/dr)^-1, the
// game therefore changes the weights by -A^-1 (s_g - Q z_g) (two-step estimation, Newey and
// McFadden 1994, section 6).
#pragma once

#include "tuner/fit/loss.h"

enum { SIGMOID_PARAMS = SCORE_KNOTS + 1, SLOPE_K = SIGMOID_PARAMS, SLOPES };

// Sums over the positions that have both a result and a search score that is no mate. `loss` is the
// weighted sum of squared differences between the result and the points expected from the search
// score. `gradient` and `curvature` are half the first and second derivatives of `loss` by the
// parameters of the score sigmoid (Gauss-Newton approximation).
typedef struct SigmoidSums {
    double rows, weight, loss, gradient[SIGMOID_PARAMS], curvature[SIGMOID_PARAMS][SIGMOID_PARAMS];
} SigmoidSums;

// Sets k_score, k_bend and mover_units of a setup from the parameters of the score sigmoid.
void sigmoid_set(LossSetup *setup, const double params[SIGMOID_PARAMS]);

// A LossSetup prepared for sigmoid_add_rows(): lambda is 0, so that targets are search scores
// alone. knot_k holds the slope of the score sigmoid at each knot, one of the phases between which
// the slope is interpolated.
typedef struct SigmoidPass {
    LossSetup setup;
    double knot_k[SCORE_KNOTS];
} SigmoidPass;
SigmoidPass sigmoid_pass(const LossSetup *setup, const double params[SIGMOID_PARAMS]);
// Adds the losses of positions `first` to `first` + count - 1 in *chunk, and the derivatives of
// these losses, to *sums; count is at most LOSS_BLOCK.
void sigmoid_add_rows(const SigmoidPass *pass, const RowChunk *chunk, uint32_t first, int count,
                      SigmoidSums *sums);

// Returns the loss and its derivatives, summed over the positions that setup->every selects. Adds a
// penalty on differences of ln slope between neighbouring knots, the phases between which the slope
// is interpolated, because few positions lie near some knots.
SigmoidSums sigmoid_sums(const RowSet *rows, const LossSetup *setup,
                         const double params[SIGMOID_PARAMS]);

// Writes the sigmoid parameters of a setup in which they are known: ln of the slope of the score
// sigmoid at each knot, mover_units, and ln k.
void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]);

// Writes the matrix Q, which converts a gradient by the sigmoid parameters to its effect on the
// gradient by the weights (defined above), to response [2 * rows->pairs][SLOPES]. `weights` is the
// solution of the fit; `start` are the weights before the fit, to which K was fitted. The columns
// of parameters that were given instead of estimated are 0. Returns STATUS_NUMERIC if the games do
// not determine the parameters.
Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err);

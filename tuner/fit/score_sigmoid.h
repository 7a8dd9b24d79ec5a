// SPDX-License-Identifier: GPL-3.0-or-later
// The loss (loss.h) contains two sigmoids whose parameters are estimated from the same games as the
// weights, unless they are given. The score sigmoid maps search scores to expected results. Its
// parameters are ln of its slope at SCORE_KNOTS phases of the game (the knots), and the number of
// units by which search scores favour the side to move. Between the knots the slope is
// interpolated. The other sigmoid maps the evaluation to expected results. Its parameter is ln K,
// where K is its slope. Names with "slopes" mean all these sigmoid parameters.
//
// The standard errors of a fit depend on the estimates of the sigmoid parameters. Let r be the
// sigmoid parameters, and z the gradient with respect to r of the losses by which r is estimated;
// at the estimate, z is 0. Let s be the gradient of the summed loss and prior with respect to the
// weights w; at the solution, s is 0. Let A = ds/dw be the Hessian. When r changes by dr, the
// weights change by -A^-1 (ds/dr) dr. A game g contributes z_g to z and s_g to s. With the matrix
// Q = (ds/dr) (dz/dr)^-1, the game therefore changes the weights by -A^-1 (s_g - Q z_g) (two-step
// estimation, Newey and McFadden 1994, section 6).
#pragma once

#include "tuner/fit/loss.h"

enum { SIGMOID_PARAMS = SCORE_KNOTS + 1, SLOPE_K = SIGMOID_PARAMS, SLOPES };

// Sums over the positions that have both a result and a search score that is no mate. `loss` is the
// weighted sum of squared differences between the result and the points expected from the search
// score. `gradient` and `curvature` are half the first and second derivatives of `loss` with
// respect to the parameters of the score sigmoid (Gauss-Newton approximation).
typedef struct SigmoidSums {
    double rows, weight, loss, gradient[SIGMOID_PARAMS], curvature[SIGMOID_PARAMS][SIGMOID_PARAMS];
} SigmoidSums;

// Sets k_score, k_bend and mover_units of a setup from the parameters of the score sigmoid.
void sigmoid_set(LossSetup *setup, const double params[SIGMOID_PARAMS]);

// Parameters for sigmoid_add_rows(). In `setup`, lambda is 0, so that only search scores determine
// the targets. knot_k is the slope of the score sigmoid at each knot (a phase of the game; the
// slope is interpolated between knots).
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
// penalty on differences of ln slope between neighbouring knots, because few positions have a phase
// near some knots.
SigmoidSums sigmoid_sums(const RowSet *rows, const LossSetup *setup,
                         const double params[SIGMOID_PARAMS]);

// Writes the sigmoid parameters of a setup in which they are known: ln of the slope of the score
// sigmoid at each knot, mover_units, and ln k.
void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]);

// Writes the matrix Q (defined at the head of this file) to response [2 * rows->pairs][SLOPES]. Q
// converts a gradient with respect to the sigmoid parameters to its effect on the gradient with
// respect to the weights. `weights` is the solution of the fit; `start` are the weights before the
// fit, to which K was fitted. The columns of parameters that were given and not estimated are 0.
// Returns STATUS_NUMERIC if the games do not determine the parameters.
Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err);

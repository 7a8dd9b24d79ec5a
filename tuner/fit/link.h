// SPDX-License-Identifier: GPL-3.0-or-later
// The slopes of the loss as parameters that are estimated from the same games as the weights. They
// are the link of the search scores to the results (ln of the slope at each knot, then the units by
// which a search favours the side to move), and ln K.
//
// The standard errors of a fit depend on them. Let z(slopes) = 0 be the equations of the slopes and
// s(weights, slopes) = 0 those of the weights. When the slopes move, the weights move by -A^-1
// ds/dslopes. A game therefore moves the weights by -A^-1 (s_g - Q z_g), where Q = ds/dslopes
// (dz/dslopes)^-1 (two-step estimation, Newey and McFadden 1994, section 6).
#pragma once

#include "tuner/fit/loss.h"

enum { LINK = SCORE_KNOTS + 1, SLOPE_K = LINK, SLOPES };

// Sums over the rows that have both a result and a search score. `loss` is the sum of squared
// differences between a row's result and the points expected from its search score. `gradient` and
// `curvature` are half its first and second derivatives by the parameters of the link, as the
// Gauss-Newton method defines them.
typedef struct LinkSums {
    double rows, weight, loss, gradient[LINK], curvature[LINK][LINK];
} LinkSums;

// Sets k_score, k_bend and mover_units of a setup from a link.
void link_set(LossSetup *setup, const double link[LINK]);

// A setup prepared for link_add_rows(): lambda is 0, and knot_k holds the slope at each knot.
typedef struct LinkPass {
    LossSetup setup;
    double knot_k[SCORE_KNOTS];
} LinkPass;
LinkPass link_pass(const LossSetup *setup, const double link[LINK]);
// Adds rows `first`..`first` + count - 1 of the chunk; count is at most LOSS_BLOCK.
void link_add_rows(const LinkPass *pass, const RowChunk *chunk, uint32_t first, int count,
                   LinkSums *sums);

// Returns the sums over all rows plus the smoothness penalty, which determines knots that few games
// reach.
LinkSums link_sums(const RowSet *rows, const LossSetup *setup, const double link[LINK]);

// Computes the slopes vector of a setup whose slopes are known.
void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]);

// Writes Q (see above) to response [2 * rows->pairs][SLOPES] for a fit whose solution is `weights`
// and whose K was fitted to `start`. Slopes that were given instead of estimated have 0. Returns
// STATUS_NUMERIC if the games do not determine the slopes.
Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// The slopes of the loss as parameters that are estimated from the same games as the weights: the
// link of the search scores to the results (ln of the slope at each knot, then the units that a
// search gives to the side to move), and ln K.
//
// The standard errors of a fit need them. With z(slopes) = 0 the equations that the slopes solve
// and s(weights, slopes) = 0 those of the weights, the weights move with the slopes by -A^-1
// ds/dslopes. A game therefore moves the weights by -A^-1 (s_g - Q z_g), Q = ds/dslopes
// (dz/dslopes)^-1 (estimation in two steps: Newey and McFadden 1994, section 6).
#pragma once

#include "tuner/fit/loss.h"

enum { LINK = SCORE_KNOTS + 1, SLOPE_K = LINK, SLOPES };

// Sums over the rows that have both a result and a score: the squared error of the points that the
// scores predict; for the method of Gauss and Newton half its first derivatives by the link, and
// half its second ones.
typedef struct LinkSums {
    double rows, weight, loss, gradient[LINK], curvature[LINK][LINK];
} LinkSums;

// Sets k_score, k_bend and mover_units of a setup.
void link_set(LossSetup *setup, const double link[LINK]);

// A setup prepared for link_add_rows(): lambda is 0, and the slope at each knot is known.
typedef struct LinkPass {
    LossSetup setup;
    double knot_k[SCORE_KNOTS];
} LinkPass;
LinkPass link_pass(const LossSetup *setup, const double link[LINK]);
// Adds `count` rows of the chunk, at most LOSS_BLOCK, from `first` on.
void link_add_rows(const LinkPass *pass, const RowChunk *chunk, uint32_t first, int count,
                   LinkSums *sums);

// The sums over all rows, and the smoothness of the link that holds knots which few games reach.
LinkSums link_sums(const RowSet *rows, const LossSetup *setup, const double link[LINK]);

// Reads the slopes of a setup whose slopes are known.
void slopes_of_setup(const LossSetup *setup, double slopes[SLOPES]);

// Writes Q, as above, to response [2 * rows->pairs][SLOPES]: for a fit whose solution is `weights`,
// with K fitted to `start`. Slopes that were given, not estimated, have 0. STATUS_NUMERIC when the
// games do not determine the slopes.
Status slopes_response(const RowSet *rows, const LossSetup *setup, const double *start,
                       const double *weights, double *response, Err *err);

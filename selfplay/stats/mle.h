// SPDX-License-Identifier: GPL-3.0-or-later
// The distribution of outcomes of a given strength that is most likely to give a sample: the two
// hypotheses of a generalized sequential test. Each function fills ratio[i] = p[i]/q[i], the
// sample's frequency over the fitted probability (sample->kinds of them), from which the log
// likelihood ratio of two fits is size * sum p[i]*ln(ratio0[i]/ratio1[i]).
#pragma once

#include "selfplay/stats/stats.h"

// Mean score `score`, in (0, 1). Source: Van den Bergh, "MLE for multinomial distributions",
// proposition 1.1. False when the score is not inside (0, 1).
bool mle_fit_mean(const Sample *sample, double score, double *ratio);

// (mean - 1/2)/sigma = t. Source: Van den Bergh, "Comments on normalized Elo", section 4.1;
// fishtest's MLE_t_value. False when no such distribution is found: t is beyond what these scores
// allow.
bool mle_fit_t(const Sample *sample, double t, double *ratio);

// The BayesElo model with the sample's own draw Elo, for samples of games (fishtest's LLRlegacy).
void mle_fit_bayes(const Sample *sample, double elo, double *ratio);

// The root of function(x, context) between low and high, to about the last digit, by GSL's Brent
// solver. False when the function does not change its sign there or is not finite.
bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root);

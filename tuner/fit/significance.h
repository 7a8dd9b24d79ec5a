// SPDX-License-Identifier: GPL-3.0-or-later
// Tests whether fitted weights differ from 0 by more than chance.
#pragma once

#include <stdbool.h>

// Returns true if a weight marked in `chosen` [n] differs from 0 by more than chance. The limit
// grows with the number of weights, so that with a probability of at most 5 % any of them exceeds
// it by chance alone (Bonferroni). Weights without a standard error are ignored. `se` are the
// errors without the prior's pull (FitErrors.data). The prior of a new term pulls its weight
// towards 0, so it does not move a weight whose true value is 0.
bool term_differs_from_zero(const double *value, const double *se, const bool *chosen, int n);

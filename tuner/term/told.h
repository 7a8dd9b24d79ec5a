// SPDX-License-Identifier: GPL-3.0-or-later
// Whether fitted weights differ from 0 by more than chance.
#pragma once

#include <stdbool.h>

// Returns true if the value of some chosen weight [n] differs from 0 by more than chance would let
// any of them differ in 95 % of cases (Bonferroni: the limit grows with their number). Weights
// without a standard error are left out.
bool term_differs_from_zero(const double *value, const double *se, const bool *chosen, int n);

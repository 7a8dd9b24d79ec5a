// SPDX-License-Identifier: GPL-3.0-or-later
// Roots of functions of one variable, by GSL's Brent solver.
#pragma once

#include <stdbool.h>

// The root of function(x, context) between low and high, to about the last digit. False when the
// function does not change its sign there or is not finite.
bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root);

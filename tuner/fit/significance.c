// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/significance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

bool term_differs_from_zero(const double *value, const double *se, const bool *chosen, int n) {
    int count = 0;
    double most = 0; // largest absolute weight, in standard errors
    for (int i = 0; i < n; i++) {
        if (!chosen[i] || !(se[i] > 0)) continue;
        count++;
        most = fmax(most, fabs(value[i]) / se[i]);
    }
    return count > 0 && most > gsl_cdf_ugaussian_Qinv(0.025 / count);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/root.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { ROOT_STEPS = 300 };

bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root) {
    gsl_function f = {.function = function, .params = context};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver) return false;
    bool found = gsl_root_fsolver_set(solver, &f, low, high) == GSL_SUCCESS;
    for (int i = 0; found && i < ROOT_STEPS; i++) {
        found = gsl_root_fsolver_iterate(solver) == GSL_SUCCESS;
        const int state =
            gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 1e-14, 4 * DBL_EPSILON);
        if (state == GSL_SUCCESS) break;
    }
    if (found) *root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return found && isfinite(*root);
}

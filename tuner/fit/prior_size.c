// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/prior_size.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/fit/errors.h"

// Fits with the prior of fit->setup, starting from weights [n], and stores the solution there. Sets
// *sd to the standard deviation that this fit suggests.
static Status suggest(const Fit *fit, double *weights, double *sd, Err *err) {
    const size_t n = (size_t)fit->n;
    AUTO(Fit) trial;
    AUTO_FREE double *decided = memory_alloc(n, sizeof *decided);
    double squares = 0, known = 0;
    fit_init(&trial, fit->rows, &fit->setup, fit->start);
    memcpy(trial.frozen, fit->frozen, n * sizeof *trial.frozen);
    memcpy(trial.weights, weights, n * sizeof *weights);
    TRY(fit_run(&trial, err));
    TRY(errors_decided(&trial, decided, err));
    memcpy(weights, trial.weights, n * sizeof *weights);
    for (size_t i = 0; i < n; i++) {
        if (fit->frozen[i]) continue;
        squares += pow(weights[i] - fit->start[i], 2);
        known += decided[i];
    }
    *sd = known > 0 ? sqrt(squares / known) : *sd;
    return STATUS_OK;
}

Status prior_choose_size(Fit *fit, Err *err) {
    enum { MOST_FITS = 20 };
    const double least = fit->setup.prior.sd / 1000;
    AUTO_FREE double *weights = memory_alloc((size_t)fit->n, sizeof *weights);
    memcpy(weights, fit->start, (size_t)fit->n * sizeof *weights);
    for (int i = 0; i < MOST_FITS; i++) {
        PriorSetup prior = fit->setup.prior;
        double sd = prior.sd;
        TRY(suggest(fit, weights, &sd, err));
        sd = fmin(PRIOR_SIZE_MAX, fmax(sd, least));
        const bool found = fabs(log(sd / prior.sd)) < 0.05;
        prior.sd = prior.material_sd = sd;
        fit_set_prior(fit, &prior);
        if (found) break;
    }
    return STATUS_OK;
}

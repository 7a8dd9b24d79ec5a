// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/prior_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

// A search for the standard deviation of the prior.
typedef struct SizeSearch {
    const Fit *fit;
    double *weights; // [fit->n] solution of the last fit, where the next one starts
    Status status;   // status of the first failed fit, or STATUS_OK
    Err *err;
} SizeSearch;

// Sets the standard deviation of the prior of all weights.
static FitSetup with_size(const FitSetup *setup, double sd) {
    FitSetup changed = *setup;
    changed.prior.sd = changed.prior.material_sd = sd;
    return changed;
}

// Fits with the prior exp(log_sd). Returns the negative logarithm of the evidence, without
// constants (prior_size.h); INFINITY if a fit failed.
static double minus_evidence(double log_sd, SizeSearch *search) {
    const Fit *fit = search->fit;
    const size_t n = (size_t)fit->n;
    const FitSetup setup = with_size(&fit->setup, exp(log_sd));
    if (search->status != STATUS_OK) return INFINITY;
    AUTO(Fit) trial;
    fit_init(&trial, fit->rows, &setup, fit->start);
    memcpy(trial.frozen, fit->frozen, n * sizeof *trial.frozen);
    memcpy(trial.weights, search->weights, n * sizeof *trial.weights);
    search->status = fit_run(&trial, search->err);
    if (search->status != STATUS_OK) return INFINITY;
    memcpy(search->weights, trial.weights, n * sizeof *trial.weights);
    const size_t count = fit_free_count(fit);
    double sum = trial.last.objective * trial.train_weight;
    for (size_t i = 0; i < count; i++) {
        // the factor L of the Hessian per position has log|A| = sum of log(L_ii^2 train_weight)
        sum += log(trial.factor[i * count + i]) + log(trial.train_weight) / 2 + log_sd;
    }
    return sum;
}

// Returns the logarithm of the standard deviation with the largest evidence, roughly between least
// and most, which are logarithms, too. Compares three values at equal distances, moves to the
// better side, and halves the distance twice. The result is the minimum of the parabola through the
// last three values of minus_evidence().
static double find_size(SizeSearch *search, double guess, double least, double most) {
    enum { MOST_MOVES = 30 };
    double x = guess, step = log(2);
    double low = minus_evidence(x - step, search), middle = minus_evidence(x, search),
           high = minus_evidence(x + step, search);
    int halved = 0;
    for (int move = 0; move < MOST_MOVES && search->status == STATUS_OK; move++) {
        if (low < middle && low < high && x > least) {
            x -= step;
            high = middle;
            middle = low;
            low = minus_evidence(x - step, search);
        } else if (high < middle && x < most) {
            x += step;
            low = middle;
            middle = high;
            high = minus_evidence(x + step, search);
        } else if (halved++ < 2) {
            step /= 2;
            low = minus_evidence(x - step, search);
            high = minus_evidence(x + step, search);
        } else {
            break;
        }
    }
    const double curvature = low - 2 * middle + high;
    if (low > middle && high > middle) x += step * (low - high) / (2 * curvature);
    return fmin(most, fmax(least, x));
}

Status prior_choose_size(Fit *fit, Err *err) {
    AUTO_FREE double *weights = memory_alloc((size_t)fit->n, sizeof *weights);
    SizeSearch search = {.fit = fit, .weights = weights, .err = err};
    memcpy(weights, fit->start, (size_t)fit->n * sizeof *weights);
    const double guess = log(fit->setup.prior.sd);
    const double size = find_size(&search, guess, guess - log(1000), log(PRIOR_SIZE_MAX));
    TRY(search.status);
    const FitSetup setup = with_size(&fit->setup, fmin(PRIOR_SIZE_MAX, exp(size)));
    fit_set_prior(fit, &setup.prior);
    return STATUS_OK;
}

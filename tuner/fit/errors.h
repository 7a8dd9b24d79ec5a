// SPDX-License-Identifier: GPL-3.0-or-later
// How sure a fit is: covariance of the weights, errors of piece values, what the data cannot tell.
//
// Positions of one game share its result, so games are the independent units. With s_g the gradient
// of game g's summed loss, A the Hessian of the summed loss and prior, the covariance is the
// sandwich
//     A^-1 ( G / (G - 1) sum_g s_g s_g' ) A^-1
// (Huber 1967; White 1982; clustered as Liang and Zeger 1986). It says how the fit would scatter if
// other games were played, not how far the prior pulls it from the truth.
#pragma once

#include "tuner/fit/fit.h"
#include "tuner/fit/measure.h"
#include "tuner/fit/values.h"

// sum_g s_g s_g' over the games with weight: n x n, n = 2 * rows->pairs, both triangles. Returns
// how many games there were. The same bits for any number of threads.
uint64_t loss_meat(const RowSet *rows, const LossSetup *setup, const double *weights, double *meat);

// The covariance of result->weights: n x n, to be freed by the caller. STATUS_NUMERIC when the
// Hessian is not positive definite.
Status errors_covariance(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                         double **covariance, Err *err);

// The scale is part of the estimate: weights are multiplied by 900 / chariot's mean, which is
// itself uncertain. error[i] is the standard error of scaled weight i, with weights and covariance
// before scaling (first-order propagation).
void errors_of_weights(const RowSet *rows, const double *weights, const double *covariance,
                       double *error);

// Standard errors of the three values of each kind, scaled likewise.
void errors_of_values(const RowSet *rows, const double *weights, const double *covariance,
                      PieceValue error[GROUP_COUNT]);

// What a fit is printed with: standard errors of the scaled weights and values.
typedef struct FitErrors {
    double weight[2 * WEIGHT_COUNT];
    PieceValue value[GROUP_COUNT];
} FitErrors;
// All of them for a fit before its scale is set.
Status errors_of_fit(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                     FitErrors *errors, Err *err);

// The mean loss of each part with its standard error, clustered by game; NAN where a part is empty.
// weights as scaled, with result->k to them.
void errors_of_losses(const RowSet *rows, const FitSetup *setup, const FitResult *result,
                      const double *weights, Estimate loss[PART_COUNT]);

// Tab-separated lines: term, entry, phase (mg or eg), value, standard error, occurrences (both
// sides, weighted by the phase's share), after a header line. weights as scaled.
void errors_format(const RowSet *rows, const double *weights, const FitErrors *errors, Text *text);

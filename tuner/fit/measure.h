// SPDX-License-Identifier: GPL-3.0-or-later
// How well weights predict results, without a fit: loss, calibration, and two sets compared.
#pragma once

#include "tuner/fit/loss.h"

// Positions of one game share its result, so every error here is clustered by game.
typedef struct Estimate {
    double value, error; // mean per row, and its standard error
} Estimate;

// Mean of sums / counts over games, [games] each: the estimates here are all of this form.
Estimate measure_ratio(const double *sums, const double *counts, size_t games);

// Adds sign * weight * loss of every row to losses[its game], and the weight to counts[its game]
// unless counts is NULL.
void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double sign, double *losses, double *counts);

enum { CALIBRATION_BINS = 10 };
typedef struct CalibrationBin {
    uint64_t rows;
    double predicted;  // mean of sigma(k s); NAN without rows
    Estimate observed; // mean target
} CalibrationBin;

// Mean loss of the weights (flat, 2 * pairs) with setup->k.
Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights);

// Loss of `a` minus loss of `b`, row by row, each with its own k.
Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b);

// Rows by predicted result: bin i holds predictions in [i, i + 1) / CALIBRATION_BINS.
void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]);

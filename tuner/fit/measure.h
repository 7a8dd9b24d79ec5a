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
// The same of sums less `than`.
Estimate measure_change(const double *sums, const double *than, const double *counts, size_t games);

// Adds weight * loss of every row to losses[its game], and the weight to counts[its game] unless
// counts is NULL.
void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double *losses, double *counts);

// The rows of a bin that lie farthest below and above what was predicted, counted from 1; 0: none.
typedef struct Extremes {
    uint64_t row[2];
    double size[2];
} Extremes;

enum { CALIBRATION_BINS = 10 };
typedef struct CalibrationBin {
    uint64_t rows;
    double predicted;  // mean of sigma(k s); NAN without rows
    Estimate observed; // mean target
    Extremes extremes;
} CalibrationBin;

// Mean loss of the weights (flat, 2 * pairs) with setup->k.
Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights);

// Loss of `a` minus loss of `b`, row by row, each with its own k.
Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b);

// Rows by predicted result: bin i holds predictions in [i, i + 1) / CALIBRATION_BINS.
void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]);

// Observed minus predicted result, by phase and by material, with errors
// clustered by game. The target is that of the loss (result and score blended).
typedef struct ResidualBin {
    double low, high; // of what the rows are sorted by; low included, high not
    uint64_t rows;
    Estimate residual; // NAN without rows
    Extremes extremes;
} ResidualBin;

enum { RESIDUAL_PHASES = 12, RESIDUAL_LEADS = 9, RESIDUAL_KINDS = 16 }; // at least GROUP_COUNT

typedef struct Residuals {
    // By share of the middlegame, equal bins of 0..1 (1 in the last): as Red sees it, and as the
    // side sees it that the evaluation has ahead (above 0: the lead is worth more than predicted).
    ResidualBin phase_red[RESIDUAL_PHASES], phase_leader[RESIDUAL_PHASES];
    // By the lead in material, in points of the classic table, as the side ahead sees it; even
    // material, the first bin, as Red sees it.
    ResidualBin lead[RESIDUAL_LEADS];
    // Of rows in which one side has more pieces of the kind, as that side sees it.
    ResidualBin kind[RESIDUAL_KINDS];
} Residuals;

// Rows without weight in setup are left out. weights flat, 2 * WEIGHT_COUNT; the rows must be those
// of our evaluation.
void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals);

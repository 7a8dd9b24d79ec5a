// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well weights predict results, without a fit: loss, calibration, and a comparison of
// two sets of weights. Positions of one game share its result, so all errors here are clustered by
// game.
#pragma once

#include "tuner/fit/loss.h"

typedef struct Estimate {
    double value, error; // mean per row, and its standard error
    size_t games;        // number of games that contribute to it
} Estimate;

// Returns the mean of sums / counts over games with its error; both arrays hold [games] numbers.
Estimate measure_ratio(const double *sums, const double *counts, size_t games);
// Returns the mean of (sums - than) / counts with its error.
Estimate measure_change(const double *sums, const double *than, const double *counts, size_t games);

// Adds weight * loss of every row to losses[game], and its weight to counts[game] unless `counts`
// is NULL.
void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double *losses, double *counts);

// The rows of a bin that lie farthest below [0] and above [1] the prediction. Rows are counted from
// 1; 0: no such row.
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

// Returns the mean loss of `weights` [2 * pairs] with setup->k.
Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights);

// Returns the mean of loss of `a` minus loss of `b`, row by row, each with its own setup.
Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b);

// Sorts rows by predicted result: bin i holds predictions in [i, i + 1) / CALIBRATION_BINS.
void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]);

// Observed minus predicted result of the rows of one bin. The observed result is the target of the
// loss, a blend of result and search score.
typedef struct ResidualBin {
    double low, high; // limits of the sorting value: low is included, high is not
    uint64_t rows;
    Estimate residual; // NAN without rows
    Extremes extremes;
} ResidualBin;

enum { RESIDUAL_PHASES = 12, RESIDUAL_LEADS = 9, RESIDUAL_KINDS = 16 }; // at least GROUP_COUNT

typedef struct Residuals {
    // Bins of equal width by the share of the middlegame, 0..1 (1 is in the last bin). phase_red is
    // from Red's view, phase_leader from the view of the side that the evaluation prefers; above 0,
    // its lead is worth more than predicted.
    ResidualBin phase_red[RESIDUAL_PHASES], phase_leader[RESIDUAL_PHASES];
    // Bins by the material lead in points of the classic table, from the view of the side that is
    // ahead. The first bin holds even material, from Red's view.
    ResidualBin lead[RESIDUAL_LEADS];
    // Rows in which one side has more pieces of a kind, from the view of that side.
    ResidualBin kind[RESIDUAL_KINDS];
} Residuals;

// Measures residuals of the rows that have weight in the setup. `weights` is [2 * WEIGHT_COUNT];
// the rows must hold the built-in terms.
void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals);

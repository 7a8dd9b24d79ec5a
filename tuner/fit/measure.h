// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well weights predict results, without a fit: loss, calibration, and a comparison of
// two sets of weights. Positions of one game share its result, so all errors here are clustered by
// game.
#pragma once

#include "tuner/fit/loss.h"

typedef struct Estimate {
    double value, error; // mean per position, and its standard error
    size_t games;        // number of games in the mean
} Estimate;

// Returns the mean of sums / counts over games, with its standard error; both arrays hold one
// number per game.
Estimate measure_ratio(const double *sums, const double *counts, size_t games);
// Returns the mean of (sums - than) / counts over games, with its standard error.
Estimate measure_change(const double *sums, const double *than, const double *counts, size_t games);

// Adds weight * loss of every position to losses[game], and its weight to counts[game] unless
// `counts` is NULL.
void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double *losses, double *counts);

// The two positions of a bin whose result lies farthest below [0] and above [1] the prediction.
// `row` is their number, counted from 1; 0: no such position.
typedef struct Extremes {
    uint64_t row[2];
    double size[2];
} Extremes;

enum { CALIBRATION_BINS = 10 };
typedef struct CalibrationBin {
    uint64_t rows;
    double predicted;  // mean prediction sigma(k s); NAN without positions
    Estimate observed; // mean target, a blend of result and search score
    Extremes extremes;
} CalibrationBin;

// Returns the mean loss of `weights` [2 * pairs], where setup->k is the slope.
Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights);

// Returns the mean difference between the losses of weights `a` and `b`, position by position, each
// with its own setup.
Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b);

// Groups positions by their predicted result: bin i holds predictions in [i, i + 1) /
// CALIBRATION_BINS.
void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]);

// Mean observed minus predicted result of the positions of one bin. The observed result is the
// target of the loss, a blend of result and search score.
typedef struct ResidualBin {
    // Limits of the quantity that sorts positions into bins: low is included, high is not. Only set
    // for the bins phase_red and lead of Residuals.
    double low, high;
    uint64_t rows;
    Estimate residual; // mean residual; NAN without positions
    Extremes extremes;
} ResidualBin;

// Numbers of bins; RESIDUAL_KINDS is at least GROUP_COUNT.
enum { RESIDUAL_PHASES = 12, RESIDUAL_LEADS = 9, RESIDUAL_KINDS = 16 };

typedef struct Residuals {
    // Bins of equal width by the share of the middlegame, 0..1 (1 belongs to the last bin).
    // phase_red is from Red's view. phase_leader is from the view of the side that the evaluation
    // prefers: a positive residual means that its lead is worth more than predicted.
    ResidualBin phase_red[RESIDUAL_PHASES], phase_leader[RESIDUAL_PHASES];
    // Bins by the material lead in points of the classic table, from the view of the side that is
    // ahead. The first bin holds positions with even material, from Red's view.
    ResidualBin lead[RESIDUAL_LEADS];
    // Positions in which one side has more pieces of a kind, from the view of that side. There is
    // one bin per kind.
    ResidualBin kind[RESIDUAL_KINDS];
} Residuals;

// Measures the residuals of the positions that have weight in the setup. `weights` is [2 *
// WEIGHT_COUNT]; the positions must hold the built-in terms.
void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals);

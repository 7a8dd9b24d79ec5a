// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well weights predict results, without a fit: loss, calibration, residuals, and a
// comparison of two sets of weights. Positions of one game share its result, so all errors here are
// clustered by game.
#pragma once

#include "tuner/fit/loss.h"

typedef struct Estimate {
    // weighted mean over the positions, and its standard error (NAN: fewer than 2 games)
    double value, error;
    size_t games; // number of games in the mean
} Estimate;

// Returns the sum of all sums[game] divided by the sum of all counts[game], with a standard error
// that takes the games as independent samples. A game with the count 0 must have the sum 0; it does
// not count as a game.
Estimate measure_ratio(const double *sums, const double *counts, size_t games);
// Returns the difference between two means: the sum of all (sums[game] - than[game]), divided by
// the sum of all counts[game]. Its standard error takes the games as independent samples.
Estimate measure_change(const double *sums, const double *than, const double *counts, size_t games);

// Adds weight * loss of every position to losses[game], and its weight to counts[game] unless
// `counts` is NULL.
void measure_game_losses(const RowSet *rows, const LossSetup *setup, const double *weights,
                         double *losses, double *counts);

// The two extreme positions of a bin: the one whose observed result lies farthest below the
// prediction [0], and the one whose observed result lies farthest above it [1]. The observed result
// is the target of the loss, a blend of game result and search score. It is from Red's view in a
// CalibrationBin. In a ResidualBin it is from the view that struct Residuals names for the bin.
// `row` is the number of the position, counted from 1 (0: no such position). `size` is the distance
// between observed result and prediction.
typedef struct Extremes {
    uint64_t row[2];
    double size[2];
} Extremes;

enum { CALIBRATION_BINS = 10 };
typedef struct CalibrationBin {
    uint64_t rows;
    double predicted; // mean predicted result; NAN without positions
    // mean target with its standard error, which is enlarged for few games (measure.c); the target
    // blends result and search score
    Estimate observed;
    Extremes extremes;
} CalibrationBin;

// Returns the mean loss of `weights` [2 * rows->pairs]. setup->k is K, the slope of the sigmoid
// that turns scores into expected results.
Estimate measure_loss(const RowSet *rows, const LossSetup *setup, const double *weights);

// Returns the mean over the positions of the loss of weights `a`, minus the loss of weights `b`.
// setup_a contains the K for `a`, setup_b the K for `b`.
Estimate measure_difference(const RowSet *rows, const LossSetup *setup_a, const double *a,
                            const LossSetup *setup_b, const double *b);

// Groups positions by their predicted result: bin i has the predictions from i / CALIBRATION_BINS
// up to, but not including, (i + 1) / CALIBRATION_BINS; the last bin includes 1. Positions whose
// weight is 0 are left out.
void measure_calibration(const RowSet *rows, const LossSetup *setup, const double *weights,
                         CalibrationBin bins[CALIBRATION_BINS]);

// Mean observed minus predicted result of the positions of one bin. The observed result is the
// target of the loss, a blend of result and search score.
typedef struct ResidualBin {
    // Limits of the bin. low is included; high is not, except in the last bin of phase_red. The
    // limits in Residuals.phase_red are middlegame shares (0..1), those in Residuals.lead are
    // material leads in points. Other bins have no limits.
    double low, high;
    uint64_t rows;
    // mean residual, with a standard error that is enlarged for few games as that of a
    // CalibrationBin; NAN without positions
    Estimate residual;
    Extremes extremes;
} ResidualBin;

// Numbers of bins into which Residuals sorts positions: by phase, by material lead, and by the kind
// of piece of which one side has more. The index of a kind is its WeightGroup; RESIDUAL_KINDS
// leaves room for more groups. The bins of groups without a material term stay empty.
enum { RESIDUAL_PHASES = 12, RESIDUAL_LEADS = 9, RESIDUAL_KINDS = 16 };

typedef struct Residuals {
    // Bins of equal width by the phase of the position, from 0 (endgame) to 1 (full middlegame).
    // The last bin includes 1. The residuals of phase_red are from Red's view. Those of
    // phase_leader are from the view of the side that the evaluation prefers: a residual above 0
    // means that the results of this side are better than predicted.
    ResidualBin phase_red[RESIDUAL_PHASES], phase_leader[RESIDUAL_PHASES];
    // Bins of positions by the material lead in points of the classic piece values (chariot 9,
    // cannon 4.5), from the view of the side that is ahead. The first bin holds positions with even
    // material (lead below 0.25), from Red's view.
    ResidualBin lead[RESIDUAL_LEADS];
    // One bin per kind of piece, for positions in which one side has more pieces of this kind than
    // the other. The residuals are from the view of the side with more pieces.
    ResidualBin kind[RESIDUAL_KINDS];
} Residuals;

// Measures the residuals (observed minus predicted results) of an evaluation with `weights` [2 *
// WEIGHT_COUNT], on the positions of games with setup->game_weight above 0. The positions must hold
// the built-in terms.
void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals);

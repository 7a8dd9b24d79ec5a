// SPDX-License-Identifier: GPL-3.0-or-later
// Where predictions are off: observed minus predicted result, by phase and by material, with errors
// clustered by game. The target is that of the loss (result and score blended).
#pragma once

#include "tuner/fit/measure.h"

typedef struct ResidualBin {
    double low, high; // of what the rows are sorted by; low included, high not
    uint64_t rows;
    Estimate residual; // NAN without rows
} ResidualBin;

enum { RESIDUAL_PHASES = 12, RESIDUAL_LEADS = 9 };

typedef struct Residuals {
    // By share of the middlegame, equal bins of 0..1 (1 in the last): as Red sees it, and as the
    // side sees it that the evaluation has ahead (above 0: the lead is worth more than predicted).
    ResidualBin phase_red[RESIDUAL_PHASES], phase_leader[RESIDUAL_PHASES];
    // By the lead in material, in points of the classic table, as the side ahead sees it; even
    // material, the first bin, as Red sees it.
    ResidualBin lead[RESIDUAL_LEADS];
    // Of rows in which one side has more pieces of the kind, as that side sees it.
    ResidualBin kind[GROUP_COUNT];
} Residuals;

// Rows without weight in setup are left out. weights flat, 2 * WEIGHT_COUNT; the rows must be those
// of our evaluation.
void measure_residuals(const RowSet *rows, const LossSetup *setup, const double *weights,
                       Residuals *residuals);

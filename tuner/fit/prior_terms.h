// SPDX-License-Identifier: GPL-3.0-or-later
// The prior of another program's terms, by what their names say. The change of a table of squares
// from its start is a sum of a value, ranks, files and squares; the change of a curve is a value
// plus a random walk along its numbers. Each part has its own standard deviation, so that the mean
// of a table moves freely and a single square little. Terms without numeric indices are
// independent.
#pragma once

#include "tuner/fit/prior.h"

// Standard deviations of the parts, in units of the evaluation. Those of single terms and of curves
// also depend on the size of their start values.
typedef struct TermScales {
    double share; // standard deviation of a term's or a curve's value, as a share of its size
    double least; // smallest standard deviation of the value of a term or a curve
    double step;  // share of a curve's deviation by which neighbours may differ
    double value, rank, file, square; // parts of the change of a table
} TermScales;

// Returns the scales that follow from the start values: a share of the typical size of terms, of
// the typical mean of tables, and of the typical spread within tables. `times` multiplies all.
// `terms` has start values.
TermScales term_scales(const SparseTerms *terms, double times);

// Adds the prior of the terms to *prior, and sets prior->sd to the standard deviation of each
// weight.
void prior_add_terms(Prior *prior, const SparseTerms *terms, double times);

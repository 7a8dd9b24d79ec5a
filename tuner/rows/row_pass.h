// SPDX-License-Identifier: GPL-3.0-or-later
// How passes walk over rows: from weights to the sums of rows, and from the rows to a gradient.
#pragma once

#include "tuner/rows/rows.h"

// The pair of a list of numbers: middlegame and endgame.
ALWAYS_INLINE DoublePair pair_at(const double *numbers, unsigned pair) {
    return ((const DoublePair *)(const void *)numbers)[pair];
}
ALWAYS_INLINE DoublePair *pair_place(double *numbers, unsigned pair) {
    return (DoublePair *)(void *)numbers + pair;
}

// The weights [2 * pairs], followed by the pair that multiplies a row's offset; to be freed.
double *pass_weights(const double *weights, int pairs);

// Middlegame and endgame sums of `count` rows of the chunk from `first` on. weights as of
// pass_weights().
void row_sums(const RowChunk *chunk, uint32_t first, int count, const double *weights,
              DoublePair *sum);

// Adds slope[i] times the coefficients of row first + i to gradient [2 * pairs + 2].
void row_spread(const RowChunk *chunk, uint32_t first, int count, const DoublePair *slope,
                double *gradient);

// The chunks of range `number` of `ranges`: *first to one before the returned end.
size_t chunk_range(const RowSet *rows, int number, int ranges, size_t *first);

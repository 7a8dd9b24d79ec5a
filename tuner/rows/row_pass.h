// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops over training positions (rows): from weights to the sums of a position, and from
// positions to a gradient.
#pragma once

#include "tuner/rows/rows.h"

// Returns the middlegame and the endgame number of the weight pair `pair` from an array [pairs][2].
ALWAYS_INLINE DoublePair pair_at(const double *numbers, unsigned pair) {
    return ((const DoublePair *)(const void *)numbers)[pair];
}

// Returns a copy of the weights [2 * pairs] with two more numbers, both 1. They are the middlegame
// and endgame weights of the offset, a part of the score that no weight of the evaluation
// multiplies. The caller frees the copy.
double *pass_weights(const double *weights, int pairs);

// Computes the middlegame and endgame scores (sums of weight times coefficient) of `count`
// positions of the chunk, starting with `first`. `weights` [2 * pairs + 2] is a result of
// pass_weights().
void row_sums(const RowChunk *chunk, uint32_t first, int count, const double *weights,
              DoublePair *sum);

// For each i from 0 to count - 1: adds slope[i] times the coefficients of the position with index
// `first` + i to gradient [2 * pairs + 2].
void row_spread(const RowChunk *chunk, uint32_t first, int count, const DoublePair *slope,
                double *gradient);

// Finds range `number` of the list of chunks (blocks of at most ROWS_CHUNK positions), which is
// divided into `ranges` almost equal ranges. Sets *first to the first chunk of the range, and
// returns the index after its last chunk.
size_t chunk_range(const RowSet *rows, int number, int ranges, size_t *first);

// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a chunk one after the other, whole, for passes that need a row's coefficients
// together. Inside of hessian.c and games.c.
#pragma once

#include "tuner/rows/rows.h"

// A row's coefficients: indices of those that are +1, then of those that are -1, then of others,
// whose values are apart.
typedef struct RowEntries {
    int plus, minus, other;
    const uint16_t *index;
    const float *value;
} RowEntries;

typedef struct RowReader RowReader;

// For rows with indices below `pairs`; row_reader_free() it.
RowReader *row_reader_new(int pairs);
void row_reader_free(RowReader *reader);

// The next row will be the chunk's first.
void row_reader_open(RowReader *reader, const RowChunk *chunk);
// The next row of the chunk, which must have one; it is valid until the call after.
RowEntries row_reader_next(RowReader *reader);

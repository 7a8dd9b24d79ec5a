// SPDX-License-Identifier: GPL-3.0-or-later
// Compares an engine with fitted values that its author has written back.
#pragma once

#include "tuner/fit/term_table.h"
#include "tuner/trace/trace_load.h"

enum { TRACE_CHECK_POSITIONS = 2000 };

// Values of terms as a file of `tune --out` has them.
typedef struct TraceValues {
    SparseTerms terms; // only the names are set
    double (*values)[2];
} TraceValues;
void trace_values_clear(TraceValues *values);
AUTO_VALUE(TraceValues, trace_values_clear)

// Reads a file of `tune --out`: as HDF5 if its name ends in .h5, as a C header with the values of
// the engine's terms if it ends in .h, otherwise as text.
Status trace_values_read(const char *path, const Tracer *tracer, TraceValues *values, Err *err);

// Compares the values of the engine's terms with the values of the file, rounded to the unit of
// each term. Appends a line to *text for each of the first differences, and what they have in
// common. Returns their number. From now on the sums of rows are those of the file's values.
size_t trace_compare_terms(Tracer *tracer, const TraceValues *values, Text *text);

// Compares the engine's values of positions with the sums of the terms. The positions are those of
// the runs in `paths`, evenly chosen, or of random games if there are none.
Status trace_compare_positions(Tracer *tracer, const char *const *paths, int count, RowCheck *check,
                               Err *err);

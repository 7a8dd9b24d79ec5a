// SPDX-License-Identifier: GPL-3.0-or-later
// Checks terms that the values of an engine cannot show, because they occur rarely or have
// small values, such as 0: the engine evaluates with other values of these terms (`trace set`).
#pragma once

#include "tuner/trace/trace_load.h"

// Marks in unchecked [terms of the engine] the terms that occur in fewer than ROW_CHECK_LEAST
// positions, or whose values are at most two units of the evaluation. Returns their number.
size_t trace_unchecked(const Tracer *tracer, const RowCheck *check, bool *unchecked);

// Asks the engine for the row of a position and adds the comparison of its value with the sum of
// the row to `check`. Adds nothing if the engine has no static value there.
Status trace_compare(TraceEngine *engine, const Position *board, TraceRow *row, RowCheck *check,
                     Err *err);

// Gives the unchecked terms trial values, compares the engine's values of positions in which they
// occur with the sums, and restores the values. Clears unchecked[i] of each term that was compared.
// Returns STATUS_MISMATCH if the sums with a term do not add up, unless both of its weights are
// frozen. Does nothing if the engine does not know `trace set`.
Status trace_trial(Tracer *tracer, const RowSet *rows, const RowCheck *check,
                   const SparseTerms *terms, bool *unchecked, const bool *frozen, Err *err);

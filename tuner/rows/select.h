// SPDX-License-Identifier: GPL-3.0-or-later
// Weights chosen by the names of their terms.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "tuner/rows/rows.h"

// Sets chosen[i] = value for the weights that a comma list of patterns names. A pattern is a term's
// name with `*` and `?`, for both phases, or with `.mg` or `.eg` behind it for one: "table_*,
// material_horse.eg". chosen holds 2 * WEIGHT_COUNT flags. STATUS_USAGE when a pattern names
// nothing.
Status select_weights(const char *patterns, bool value, bool *chosen, Err *err);

// The same among other people's terms: chosen [2 * terms->terms].
Status select_names(const char *patterns, const SparseTerms *terms, bool value, bool *chosen,
                    Err *err);

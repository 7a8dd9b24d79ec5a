// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how often a term occurs in the positions that a search evaluates. Self-play samples only
// some kinds of positions.
#pragma once

#include "core/eval/weights.h"

typedef struct TermSearch {
    uint64_t evaluations; // number of static evaluations that the searches computed
    uint64_t with_term; // number of evaluations in which one side has more of a term than the other
} TermSearch;

// Searches each bench position with these weights. chosen [WEIGHT_COUNT] marks the pairs of weights
// of the terms.
Status term_search_count(const Weights *weights, const bool *chosen, TermSearch *found, Err *err);

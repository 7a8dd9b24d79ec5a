// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how often a term occurs in the positions that a search evaluates. Self-play games cannot
// show this, because only some kinds of positions are sampled from them.
#pragma once

#include "core/eval/weights.h"

typedef struct TermSearch {
    uint64_t evaluations; // number of static evaluations that the searches computed
    // number of evaluations in which at least one of the chosen pairs of weights has different
    // counts for Red and Black
    uint64_t with_term;
} TermSearch;

// Searches each bench position with these weights. chosen [WEIGHT_COUNT] marks the pairs of weights
// of the terms.
Status term_search_count(const Weights *weights, const bool *chosen, TermSearch *found, Err *err);

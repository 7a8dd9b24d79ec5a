// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how often a term counts where a search evaluates: in positions that self-play never
// samples, too.
#pragma once

#include "core/eval/weights.h"

typedef struct TermSearch {
    uint64_t evaluations; // static evaluations that the searches computed
    uint64_t with_term;   // ... in which one side has more of a term than the other
} TermSearch;

// Searches each bench position with these weights and counts. chosen [WEIGHT_COUNT]: the pairs of
// the terms.
Status term_search_count(const Weights *weights, const bool *chosen, TermSearch *found, Err *err);

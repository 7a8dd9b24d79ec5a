// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that a new term with weight 0 changes nothing: the program must play like the latest
// commit that does not have the term.
#pragma once

#include "core/base/progress.h"
#include "core/eval/weights.h"

typedef struct TermSameSpec {
    const bool *chosen; // [WEIGHT_TERM_COUNT] true for each new term
    // Commit to compare with; NULL: the latest one whose weights.def does not have the terms.
    const char *commit;
    // Path of a weight file that both programs can read; term_same_measure() writes it.
    const char *weights;
    Progress *progress; // shows a message while a commit is built
} TermSameSpec;

typedef struct TermSame {
    bool compared, same;
    // commit with which the program was compared: its short hash, or the name given in TermSameSpec
    char commit[48];
    int positions; // number of positions that both programs searched
    Text why;      // why nothing was compared, or the first difference; "" if both programs agree
} TermSame;

// Builds the commit like `match --rev`. Searches the bench positions with the weights `start`, but
// with the new terms at 0: with the commit's program over UCI, with this program over UCI, and in
// this process. Scores, moves and nodes must agree. Without a git repository or such a commit, the
// function compares nothing, returns STATUS_OK and gives the reason in same->why, which the caller
// clears.
Status term_same_measure(const TermSameSpec *spec, const Weights *start, TermSame *same, Err *err);

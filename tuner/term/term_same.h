// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that a new term with weight 0 changes nothing: the program plays like the latest commit
// without the term.
#pragma once

#include "core/base/progress.h"
#include "core/eval/weights.h"

typedef struct TermSameSpec {
    const bool *chosen;  // [WEIGHT_TERM_COUNT]: the new terms
    const char *commit;  // other version; NULL: the latest one whose weights.def lacks the terms
    const char *weights; // path of a weight file that both programs can read; the check writes it
    Progress *progress;  // shows that a commit is being built
} TermSameSpec;

typedef struct TermSame {
    bool compared, same;
    char commit[48]; // short hash
    int positions;   // number of compared positions
    Text why;        // why nothing was compared, or the first difference; "" if all agree
} TermSame;

// Builds the commit like `match --rev`, and searches the bench positions with the weights of
// `start`, in which the terms are 0: with the commit's program over UCI, with this program over
// UCI, and in this process. Scores, moves and nodes must agree. Without a git repository or such a
// commit the function compares nothing, returns STATUS_OK and says so in same->why, which the
// caller clears.
Status term_same_measure(const TermSameSpec *spec, const Weights *start, TermSame *same, Err *err);

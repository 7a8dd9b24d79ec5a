// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that a new term with weight 0 changes nothing: the program must play like the latest
// commit that does not have the term.
#pragma once

#include "core/command/progress.h"
#include "core/eval/weights.h"

typedef struct TermSameSpec {
    const bool *chosen; // [WEIGHT_TERM_COUNT] true for each new term
    // Commit to compare with; NULL: the latest one whose weights.def does not have the terms.
    const char *commit;
    // Path of a weight file. term_same_measure() writes it; this program and the older one load it.
    const char *weights;
    Progress *progress; // shows a message while the older program is built
} TermSameSpec;

typedef struct TermSame {
    bool compared, same;
    // commit with which the program was compared: its short hash, or the name given in TermSameSpec
    char commit[48];
    int positions; // number of positions that both programs searched
    Text why;      // why nothing was compared, or the first difference; "" if both programs agree
} TermSame;

// Compares this program with the program of an older commit (TermSameSpec.commit), which is built
// like a commit of `match --rev`. Each bench position, up to the first difference, is searched
// three times: by the older program over UCI, by this program over UCI, and in this process. All
// use the weights `start`, but 0 for the new terms. Scores, moves and nodes must agree. If
// TermSameSpec.commit is NULL and there is no git repository or no commit without the new terms,
// compares nothing and returns STATUS_OK; same->why then has the reason. The caller clears
// same->why.
Status term_same_measure(const TermSameSpec *spec, const Weights *start, TermSame *same, Err *err);

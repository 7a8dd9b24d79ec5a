// SPDX-License-Identifier: GPL-3.0-or-later
// A review of games as lines and as a page.
#pragma once

#include "selfplay/run/review.h"

typedef struct ReviewOutput {
    FILE *out;        // stream for the lines
    bool json;        // lines are JSON objects
    const char *page; // file of the page; NULL: write no page
} ReviewOutput;

// Reviews games and prints how it was done, one line per move ("game ply move loss mark best-line",
// separated by tabs), a comment line per game with the accuracy of both sides, and records that
// cannot be read in their place. The caller fills `spec` except k, reviewed and hooks. An
// interrupted review keeps all finished games, on the page too. Returns STATUS_REPORTED if some
// records could not be read.
Status review_write(const ReviewSpec *spec, const ReviewOutput *output, Progress *progress,
                    Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a review of games as lines and writes it as an HTML page.
#pragma once

#include "selfplay/analysis/review.h"

typedef struct ReviewOutput {
    FILE *out;        // stream to which the analysis of the games is printed
    bool json;        // print each line as a JSON object
    const char *page; // file name of the HTML page; NULL: write no page
} ReviewOutput;

// Reviews games: finds what each move lost compared with the best move (review.h). First prints
// comment lines that say how this is done, then one line per move ("game ply move loss mark
// best-line", separated by tabs), and after each game a comment line with the accuracy of both
// sides. With `json`, each of these is a JSON object. A record that cannot be read is reported at
// the point of the output where its game would stand. The caller fills `spec` except the members k,
// reviewed, hooks and context. An interrupted review keeps all finished games, also on the page.
// Returns STATUS_REPORTED if some records could not be read, STATUS_BAD_INPUT if there was no
// record at all.
Status review_write(const ReviewSpec *spec, const ReviewOutput *output, Progress *progress,
                    Err *err);

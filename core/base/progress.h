// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line of long work: rewritten in place on a terminal, a plain line now and then in a
// pipe.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *out;         // NULL: silent
    const char *what;  // "games"
    uint64_t total;    // 0: unknown
    uint64_t expected; // where it may end before that, for the time left; 0: total
    double started_s, shown_s;
    bool terminal;
    const char *table; // whole lines to draw below, on a terminal, cut to its width; NULL: none
    int lines;         // drawn there
} Progress;

// quiet, or out NULL: nothing is ever printed.
void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total);
// Shows "done/total what  rate/s  detail  ETA" when enough time has passed since the last line
// (0.2 s on a terminal, 10 s in a pipe). detail may be NULL. Callers serialise.
void progress_update(Progress *progress, uint64_t done, const char *detail);
// Will the next update be shown? For those whose detail is dear.
bool progress_is_due(const Progress *progress);
// A line of its own above what is shown.
void progress_say(Progress *progress, const char *sentence);
// Shows the final state once and ends the line; nothing for work of less than a second.
void progress_finish(Progress *progress, uint64_t done, const char *detail);
double progress_elapsed_s(const Progress *progress);

// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line of long work: rewritten in place on a terminal, a plain line now and then in a
// pipe.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *out;        // NULL: silent
    const char *what; // "games"
    uint64_t total;   // 0: unknown
    double started_s, shown_s;
    bool terminal;
} Progress;

// quiet, or out NULL: nothing is ever printed.
void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total);
// Shows "done/total what  rate/s  detail  ETA" when enough time has passed since the last line
// (0.2 s on a terminal, 10 s in a pipe). detail may be NULL. Callers serialise.
void progress_update(Progress *progress, uint64_t done, const char *detail);
// Shows the final state once and ends the line; nothing for work of less than a second.
void progress_finish(Progress *progress, uint64_t done, const char *detail);
// Seconds since progress_init().
double progress_elapsed_s(const Progress *progress);

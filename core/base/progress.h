// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line of long work. On a terminal it is rewritten in place. In other output a new
// line is printed at intervals.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

typedef struct Progress {
    FILE *out;         // stream of the progress line; NULL: print nothing
    const char *what;  // unit of the work, such as "games"
    uint64_t total;    // amount of work, or 0 if unknown
    uint64_t expected; // amount at which the work is expected to end, used for the ETA; 0: `total`
    double started_s, shown_s;
    bool terminal;
    const char *table; // table drawn below the progress line on a terminal: complete lines, cut to
                       // the terminal's width; may be NULL
    int lines;         // number of table lines on the screen
} Progress;

// Initialises a progress line. It prints nothing if `quiet` is set or `out` is NULL.
void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total);
// Shows "done/total what  rate/s  detail  ETA" if enough time has passed since the last line: 0.2 s
// on a terminal, 10 s in a pipe. `detail` can be NULL. Not thread-safe: callers use a lock.
void progress_update(Progress *progress, uint64_t done, const char *detail);
// Returns true if the next update will be shown. Callers use it to skip the computation of
// `detail`.
bool progress_is_due(const Progress *progress);
// Prints a sentence on a line of its own above the progress line.
void progress_say(Progress *progress, const char *sentence);
// Shows the final state and ends the progress line. Shows nothing if the work took less than a
// second and no progress line was shown.
void progress_finish(Progress *progress, uint64_t done, const char *detail);
double progress_elapsed_s(const Progress *progress);
// Appends a duration in at most two units: "1h05m", "3m20s" or "45s".
void progress_add_duration(Text *line, double seconds);

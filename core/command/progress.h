// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line of a long command. On a terminal the line is rewritten in place. Other output
// gets a new line from time to time.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

typedef struct Progress {
    FILE *out;         // stream of the progress line; NULL: print nothing
    const char *what;  // unit of the work, such as "games"
    uint64_t total;    // largest possible amount of work, counted in `what`, such as games; 0 if
                       // unknown
    uint64_t expected; // amount of work after which the command will probably end, for the ETA; 0:
                       // `total`
    uint64_t before; // amount of work that was done before the command started, such as games that
                     // --resume found; it is part of `done`, but not of the rate
    double started_s, shown_s; // clock_now_s() at the start and at the last progress line
    bool terminal;
    // Lines of a table to draw below the progress line on a terminal; may be NULL.
    const char *table;
    int lines; // number of table lines on the screen
} Progress;

// Initialises a progress line. It prints nothing if `quiet` is set, if `out` is NULL, or on MPI
// ranks other than 0.
void progress_init(Progress *progress, FILE *out, bool quiet, const char *what, uint64_t total);
// Shows "done/total what rate/s detail ETA time" if enough time has passed since the last line: 0.2
// s on a terminal, else 10 s. `detail` can be NULL. Not thread-safe: threads that share a Progress
// must use a lock.
void progress_update(Progress *progress, uint64_t done, const char *detail);
// Returns true if progress_update() would show a line now. Callers use it to compute `detail` only
// when it is shown.
bool progress_is_due(const Progress *progress);
// Prints a sentence on a line of its own; on a terminal the progress line continues below it.
void progress_say(Progress *progress, const char *sentence);
// Shows the final state and ends the progress line. Shows nothing if the work took less than a
// second and no progress line was shown.
void progress_finish(Progress *progress, uint64_t done, const char *detail);
double progress_elapsed_s(const Progress *progress);
// Appends a duration in at most two units: "1h05m", "3m20s" or "45s".
void progress_add_duration(Text *line, double seconds);

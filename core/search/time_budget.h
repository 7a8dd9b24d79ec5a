// SPDX-License-Identifier: GPL-3.0-or-later
// Time management: how much of the remaining time one move may use.
#pragma once

#include <stdint.h>

typedef struct TimeLeft {
    int64_t time_ms;      // remaining time of the side to move
    int64_t increment_ms; // added after each move
    int64_t moves_to_go;  // until the next time control; 0: no further time control
    int64_t overhead_ms;  // lost for each move by communication and scheduling
} TimeLeft;

// Both times are > 0.
typedef struct TimeBudget {
    int64_t soft_ms; // after this time no new iteration begins
    int64_t hard_ms; // at this time the search stops
} TimeBudget;

TimeBudget time_budget(const TimeLeft *have);

// SPDX-License-Identifier: GPL-3.0-or-later
// Time management: how much of the remaining time one move may use.
#pragma once

#include <stdint.h>

typedef struct TimeLeft {
    int64_t time_ms;      // remaining time of the side to move
    int64_t increment_ms; // increment: time added after each move
    int64_t moves_to_go;  // number of moves until the next time control; 0: there is none
    int64_t overhead_ms;  // part of the time of each move that communication and scheduling use
} TimeLeft;

// The time that one move may use. Both members are > 0.
typedef struct TimeBudget {
    int64_t soft_ms; // after about this time, no new iteration starts (SearchLimits.soft_ms)
    int64_t hard_ms; // the search stops at this time
} TimeBudget;

TimeBudget time_budget(const TimeLeft *have);

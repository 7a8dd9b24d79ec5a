// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a clock one move may use.
#pragma once

#include <stdint.h>

typedef struct TimeLeft {
    int64_t time_ms;      // left on the clock of the side to move
    int64_t increment_ms; // added after each move
    int64_t moves_to_go;  // until the next time control; 0: the time is for the rest of the game
    int64_t overhead_ms;  // lost on the way for each move: lines, pipes, scheduling
} TimeLeft;

// When to begin no further iteration, and when to stop; both > 0.
typedef struct TimeBudget {
    int64_t soft_ms, hard_ms;
} TimeBudget;

TimeBudget time_budget(const TimeLeft *have);

// SPDX-License-Identifier: GPL-3.0-or-later
// Time controls as players are given them, and the clock of one side. Times are nanoseconds inside
// and never go through floating point once they are read.
#pragma once

#include "core/base/status.h"

#define MS_NS 1000000LL

// All zero: no control by time.
typedef struct TimeControl {
    int moves;       // of a session; 0: all moves of the game
    int64_t base_ns; // for the session
    int64_t inc_ns;  // added after each move
    int64_t move_ns; // fixed time of each move ("st="); then the others are 0
} TimeControl;

// "40/60+0.5", "10+0.1", "1:30+1", "60": [MOVES/]TIME[+INCREMENT] in seconds or M:SS. TIME is above
// 0.
Status timecontrol_parse(const char *text, TimeControl *control, Err *err);
// Seconds of each move, above 0.
Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err);

typedef struct Clock {
    TimeControl control;
    int64_t left_ns; // until the flag falls; with a fixed time of each move: that time
    int moves_left;  // of the session; 0: no sessions
} Clock;

bool clock_is_used(const Clock *clock); // false: the control is not by time
void clock_start(Clock *clock, const TimeControl *control);
// A move took spent_ns. False when that is more than was left and the margin: the flag fell.
// Otherwise the time is taken off (never below nothing), the increment added, a new session begun.
bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns);

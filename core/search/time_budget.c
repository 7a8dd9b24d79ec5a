// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/time_budget.h"

// These numbers were chosen by hand; no experiment has tested them.
enum {
    MOVES_LEFT = 36,   // the remaining time is divided by this number of moves, or by the number of
                       // moves to the next time control if that is smaller
    SOFT_PERCENT = 60, // soft_ms is this percentage of the planned time. The last iteration may
                       // begin shortly before soft_ms, and costs about as much as all earlier ones
                       // together
    HARD_PLANS = 4,    // a difficult move may use this many times the planned time
    HARD_PERCENT = 60, // a move may use at most this percentage of the remaining time, unless it is
                       // the last one before a time control
};

static int64_t min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t at_least_1(int64_t number) {
    return number > 1 ? number : 1;
}

TimeBudget time_budget(const TimeLeft *have) {
    const int64_t left = at_least_1(have->time_ms - have->overhead_ms);
    if (have->moves_to_go == 1) return (TimeBudget){at_least_1(left * 9 / 10), left};
    const int64_t moves =
        have->moves_to_go > 0 ? min_i64(have->moves_to_go, MOVES_LEFT) : MOVES_LEFT;
    // Reserve the overhead of the following moves, and plan with three quarters of the increment.
    const int64_t reserve = min_i64(have->overhead_ms * (moves - 1), left / 2);
    const int64_t plan = (left - reserve) / moves + have->increment_ms * 3 / 4;
    const int64_t most = at_least_1(left * HARD_PERCENT / 100);
    const int64_t hard = at_least_1(min_i64(plan * HARD_PLANS, most));
    const int64_t soft = at_least_1(min_i64(plan * SOFT_PERCENT / 100, hard));
    return (TimeBudget){soft, hard};
}

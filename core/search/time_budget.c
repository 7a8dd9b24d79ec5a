// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/time_budget.h"

enum {
    MOVES_LEFT = 36, // a game without a control is planned so many moves ahead
    SOFT_PERCENT =
        60,         // the next iteration costs about as much as all before: begin none after this
    HARD_PLANS = 4, // a hard move may use the plan of so many moves
    HARD_PERCENT = 60, // but never more than this of what is left
};

static int64_t min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

TimeBudget time_budget(const TimeLeft *have) {
    const int64_t left = max_i64(have->time_ms - have->overhead_ms, 1);
    if (have->moves_to_go == 1) return (TimeBudget){max_i64(left * 9 / 10, 1), left};
    const int64_t moves =
        have->moves_to_go > 0 ? min_i64(have->moves_to_go, MOVES_LEFT) : MOVES_LEFT;
    // The overhead of the moves to come is spent already, as is most of the increment.
    const int64_t reserve = min_i64(have->overhead_ms * (moves - 1), left / 2);
    const int64_t plan = (left - reserve) / moves + have->increment_ms * 3 / 4;
    const int64_t most = max_i64(left * HARD_PERCENT / 100, 1);
    const int64_t hard = max_i64(min_i64(plan * HARD_PLANS, most), 1);
    const int64_t soft = max_i64(min_i64(plan * SOFT_PERCENT / 100, hard), 1);
    return (TimeBudget){soft, hard};
}

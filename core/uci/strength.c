// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/uci/strength.h"

#include <math.h>

// By phase, from the bare endgame to all pieces, straight between: what a unit of score is worth,
// and how wide the draw is (E-026).
enum { KNOTS = 6 };
static const double slopes[KNOTS] = {0.00554, 0.00510, 0.00290, 0.00286, 0.00286, 0.00193};
static const double widths[KNOTS] = {3.890, 2.319, 0.689, 0.410, 0.284, 0.222};

Wdl wdl_of_score(int score, int phase) {
    if (score >= SCORE_EVAL_MAX) return (Wdl){1000, 0, 0};
    if (score <= -SCORE_EVAL_MAX) return (Wdl){0, 0, 1000};
    const double at = (double)phase * (KNOTS - 1) / PHASE_MAX;
    const int low = at < KNOTS - 1 ? (int)at : KNOTS - 2;
    const double share = at - low;
    const double slope = slopes[low] * (1 - share) + slopes[low + 1] * share;
    const double width = widths[low] * (1 - share) + widths[low + 1] * share;
    const int win = (int)(1000.0 / (1.0 + exp(width - slope * score)) + 0.5);
    const int loss = (int)(1000.0 / (1.0 + exp(width + slope * score)) + 0.5);
    return (Wdl){win, 1000 - win - loss, loss};
}

static const struct {
    int elo;
    uint64_t nodes;
    int slips;
} steps[] = {
#define STRENGTH(elo, nodes, slips) {elo, nodes, slips},
#include "core/uci/strengths.def"
#undef STRENGTH
};
enum { STEP_COUNT = sizeof steps / sizeof *steps };

Strength strength_of_elo(int elo) {
    int at = 1;
    while (at < STEP_COUNT - 1 && elo > steps[at].elo) at++;
    const double from = steps[at - 1].elo, share = (elo - from) / (steps[at].elo - from);
    const double ratio = (double)steps[at].nodes / (double)steps[at - 1].nodes;
    return (Strength){
        .nodes = (uint64_t)((double)steps[at - 1].nodes * pow(ratio, share) + 0.5),
        .slips = (int)((1 - share) * steps[at - 1].slips + share * steps[at].slips + 0.5),
    };
}

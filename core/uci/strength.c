// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/uci/strength.h"

#include <math.h>

#include "core/base/random.h"
#include "core/eval/eval.h"

// The values `slope` (per unit of score) and `width` in the formula of wdl_of_score(), for six
// equidistant phases, from 0 to PHASE_MAX (E-026). Between these phases, slope and width are
// interpolated linearly.
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

const Strength strength_levels[STRENGTH_LEVELS] = {
#define STRENGTH(level, elo, error, nodes, slips) [(level)-1] = {nodes, slips, elo},
#include "core/uci/strengths.def"
};

Strength strength_of_elo(int elo) {
    const Strength *above = &strength_levels[1];
    while (above < &strength_levels[STRENGTH_LEVELS - 1] && elo > above->elo) above++;
    const Strength *below = above - 1;
    const double share = (double)(elo - below->elo) / (above->elo - below->elo);
    const double ratio = (double)above->nodes / (double)below->nodes;
    return (Strength){
        .nodes = (uint64_t)((double)below->nodes * pow(ratio, share) + 0.5),
        .slips = (int)((1 - share) * below->slips + share * above->slips + 0.5),
    };
}

Move strength_slip(const Strength *strength, const MoveList *moves, uint64_t seed, uint64_t index) {
    Random random;
    random_init(&random, seed, index);
    if (moves->count == 0 || random_below(&random, 100) >= (uint64_t)strength->slips)
        return MOVE_NONE;
    return moves->moves[random_below(&random, (uint64_t)moves->count)];
}

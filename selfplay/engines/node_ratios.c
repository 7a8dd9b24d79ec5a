// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/node_ratios.h"

#include <math.h>

// Bins per unit of the natural logarithm, and the bin of ratio 1.
enum { BINS_PER_E = 20, BIN_OF_ONE = NODE_RATIO_BINS / 2 };

void node_ratios_add(NodeRatios *ratios, double ratio) {
    if (!(ratio > 0)) return;
    const double bin = BIN_OF_ONE + round(BINS_PER_E * log(ratio));
    ratios->moves++;
    ratios->sum += ratio;
    ratios->largest = fmax(ratios->largest, ratio);
    ratios->bins[(int)fmax(0, fmin(NODE_RATIO_BINS - 1, bin))]++;
}

void node_ratios_count(NodeRatios *ratios, uint64_t limit, const GameRecord *record,
                       const PlyRecord *plies, Side side) {
    for (uint32_t i = record->opening_plies; i < record->ply_count && limit > 0; i++) {
        // One side makes all extra moves of a handicap, so they do not change the side to move.
        const bool other = (i - record->extra_plies) % 2 != 0;
        const Side stm = other ? side_other((Side)record->start.stm) : (Side)record->start.stm;
        if (stm == side) node_ratios_add(ratios, plies[i].nodes / (double)limit);
    }
}

double node_ratios_mean(const NodeRatios *ratios) {
    return ratios->moves ? ratios->sum / (double)ratios->moves : NAN;
}

double node_ratios_median(const NodeRatios *ratios) {
    uint64_t below = 0;
    int bin = 0;
    if (!ratios->moves) return NAN;
    while (2 * (below + ratios->bins[bin]) < ratios->moves) below += ratios->bins[bin++];
    return exp((double)(bin - BIN_OF_ONE) / BINS_PER_E);
}

bool node_ratios_differ(const NodeRatios *ratios) {
    const double mean = node_ratios_mean(ratios);
    return ratios->moves > 0 && (mean < 0.8 || mean > 1.1 || ratios->largest > 1.5);
}

void node_ratios_describe(const NodeRatios *ratios, uint64_t limit, Text *text) {
    text_add(text,
             "uses other than %llu nodes: %.2f times as many on average, median %.2f, largest "
             "%.2f",
             (unsigned long long)limit, node_ratios_mean(ratios), node_ratios_median(ratios),
             ratios->largest);
}

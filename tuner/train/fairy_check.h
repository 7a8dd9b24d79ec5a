// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a network of Fairy-Stockfish on the positions of games, to find out why it plays badly.
#pragma once

#include "core/eval/fairy.h"
#include "tuner/train/train.h"

typedef struct FairyStackCheck {
    uint64_t positions;
    double loss, linear, weight;   // sums of weight * loss, of the network and of the linear
                                   // scores, and of the weights
    Estimate above;                // mean loss of the network minus that of the linear scores
    int dead_first, dead_second;   // number of units that are 0 in all positions
    int limit_first, limit_second; // number of weights at the limits of int8
    bool on_first[FAIRY_FIRST], on_second[FAIRY_SECOND]; // units that are not 0 in some position
} FairyStackCheck;

typedef struct FairyCheck {
    uint64_t positions;
    uint64_t saturated; // number of accumulator units at FAIRY_ONE or above, of all units
    int dead, full;     // units of 512 that are 0 in all positions, and FAIRY_ONE in all positions
    int sum_min, sum_max; // smallest and largest sum of an accumulator
    uint64_t wrapped;     // number of positions with a sum that does not fit in 16 bits
    uint64_t limit_input; // number of input weights at +-FAIRY_INPUT_MAX or the limits of int16
    double mirror_mean;   // mean absolute difference of the scores of mirrored positions, in units
    int mirror_max, swap_max; // largest difference under mirror and under exchange of the colours
    bool on[FAIRY_UNITS], off[FAIRY_UNITS]; // units that are above 0, and below FAIRY_ONE, in some
                                            // position
    FairyStackCheck stack[FAIRY_STACKS];
} FairyCheck;

// Measures the network of *network, which must be one of Fairy-Stockfish, on all positions. The
// losses of the network have its own best slope K, those of the linear scores data->k.
void fairy_check(const Network *network, const TrainData *data, int threads, FairyCheck *check);
// Appends one line for each fault that the measurement shows: what is wrong, and what to do.
void fairy_check_explain(const FairyCheck *check, Text *lines);

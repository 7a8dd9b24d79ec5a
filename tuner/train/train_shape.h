// SPDX-License-Identifier: GPL-3.0-or-later
// A shape of network: the functions and sizes that train_net.c needs to fit it.
#pragma once

#include "tuner/train/train.h"

enum { LANES = 16, SEEN_MAX = 32, SCRATCH = 1152 };

// Network inputs of a position. Index 0 is the view of the side to move, index 1 the view of its
// opponent. `output` selects the set of output weights.
struct Seen {
    uint16_t input[2][SEEN_MAX];
    uint8_t count[2], output;
};

struct TrainShape {
    int extra;           // number of floats of an accumulator that are no hidden units
    int buckets, places; // sets of input weights that the general selects, and inputs of each set
    // A batch is divided into chunks of `chunk` positions, and the list of chunks into `ranges`
    // ranges of consecutive chunks.
    int chunk, ranges;
    bool whole; // true if the network is computed with integers during the fit
    // Calls train_net_add() for the input weights, the biases, and the layers above them.
    void (*add_segments)(TrainNet *net);
    // Sets the parameters, which are 0, before a fit to `data`.
    void (*init)(TrainNet *net, const TrainSetup *setup, const TrainData *data);
    // Overwrites TrainNet.used with the numbers of a network.
    void (*start)(TrainNet *net, const Network *network);
    Network *(*round)(const TrainNet *net);
    void (*see)(const TrainNet *net, const TrainRow *row, bool mirror, Seen *seen);
    // Returns the score of position i of the batch. backward() finds `scratch` as forward() left
    // it.
    double (*forward)(const TrainNet *net, size_t i, float scratch[SCRATCH]);
    // Overwrites each accumulator of position i with the derivative of the loss with respect to
    // it. Adds the position's contribution to `partial`, the gradient of the layers above the
    // accumulators. `slope` is the derivative of the loss with respect to the score divided by
    // TrainNet.unit.
    void (*backward)(const TrainNet *net, size_t i, float slope, const float scratch[SCRATCH],
                     float *partial);
};
extern const TrainShape train_shape_own, train_shape_fairy;

// Appends a segment to the list of parameters, and returns the index of its first number in
// TrainNet.used. segment->first and segment->used are set.
size_t train_net_add(TrainNet *net, TrainSegment segment);

// Returns the accumulator of position i of the batch, the inputs of the hidden units before the
// activation. `view` is 0 for the side to move, 1 for its opponent.
ALWAYS_INLINE float *sums_of(const TrainNet *net, size_t i, int view) {
    return net->sums + (2 * i + (size_t)view) * (size_t)net->units;
}

ALWAYS_INLINE const FloatWide *wides(const float *numbers) {
    return (const void *)numbers;
}

// Returns the index in TrainNet.used of the first of LANES weights of an input, those of the hidden
// units from LANES * slice on.
ALWAYS_INLINE size_t input_at(const TrainNet *net, size_t input, size_t slice) {
    return (slice * net->inputs + input) * LANES;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the networks of this program (core/eval/network.h) for their fit.
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "datasets/store/store.h"
#include "tuner/train/train_shape.h"

enum { INPUTS, BIAS, OUTPUT, OUTPUT_BIAS }; // indices of TrainNet.segment

static void add_segments(TrainNet *net) {
    const size_t units = (size_t)net->units;
    const float most = (float)NETWORK_INPUT_MAX / (NETWORK_FINE * NETWORK_ONE), limit = 5;
    TrainSegment segment = {.size = NETWORK_PLACES * LANES,
                            .groups = net->units / LANES,
                            .buckets = NETWORK_BUCKETS,
                            .one = 1,
                            .low = -most,
                            .high = most,
                            .limit = limit,
                            .decays = true,
                            .rate_factor = 1};
    train_net_add(net, segment);
    segment = (TrainSegment){units, 1, 1, 1, -limit, limit, limit, false, 1, 0, 0};
    net->bias = train_net_add(net, segment);
    segment.size = NETWORK_OUTPUTS * 2 * units;
    segment.decays = true;
    net->head = train_net_add(net, segment);
    segment.size = NETWORK_OUTPUTS;
    segment.decays = false;
    train_net_add(net, segment);
}

static void init(TrainNet *net, const TrainSetup *setup, const TrainData *data) {
    const size_t units = (size_t)net->units;
    float *output = net->parameter + net->segment[OUTPUT].first;
    Random random;
    (void)data;
    random_init(&random, setup->fit.seed, 0);
    // With these random weights and biases, the inputs of the hidden units for a full board have
    // mean 0.4 and a standard deviation of about 0.5. Most of them thus lie in the range 0..1,
    // where they have a gradient.
    for (size_t place = 0; place < NETWORK_PLACES; place++) {
        for (size_t u = 0; u < units; u++) {
            net->parameter[(u / LANES * NETWORK_PLACES + place) * LANES + u % LANES] =
                (float)(0.3 * (random_real(&random) - 0.5));
        }
    }
    for (size_t u = 0; u < units; u++) net->parameter[net->segment[BIAS].first + u] = 0.4f;
    for (size_t i = 0; i < 2 * units; i++) {
        const float start = (float)(0.1 * (random_real(&random) - 0.5));
        for (size_t o = 0; o < NETWORK_OUTPUTS; o++) output[o * 2 * units + i] = start;
    }
}

static void start(TrainNet *net, const Network *network) {
    const size_t units = (size_t)net->units, old = (size_t)network->units;
    const float fine = NETWORK_FINE * NETWORK_ONE, one = NETWORK_OUTPUT_ONE;
    for (size_t i = 0; i < NETWORK_INPUTS; i++) {
        for (size_t u = 0; u < old; u++) {
            net->used[input_at(net, i, u / LANES) + u % LANES] = network->input[i * old + u] / fine;
        }
    }
    for (size_t u = 0; u < old; u++) net->used[net->bias + u] = network->bias[u] / fine;
    for (size_t o = 0; o < NETWORK_OUTPUTS; o++) {
        for (size_t view = 0; view < 2; view++) {
            float *output = net->used + net->head + (o * 2 + view) * units;
            const int16_t *from = network->output[o] + view * old;
            for (size_t u = 0; u < units; u++) output[u] = u < old ? from[u] / one : 0;
        }
        net->used[net->segment[OUTPUT_BIAS].used + o] =
            (float)network->output_bias[o] / (NETWORK_ONE * NETWORK_ONE * one);
    }
}

static int16_t whole(float value, double scale, int limit) {
    const double rounded = nearbyint((double)value * scale);
    return (int16_t)fmax(-limit, fmin(limit, rounded)); // a value that is not a number is `limit`
}

static Network *round_own(const TrainNet *net) {
    enum { OUTPUT_MAX = 8 * NETWORK_OUTPUT_ONE };
    const size_t units = (size_t)net->units;
    const double fine = NETWORK_FINE * NETWORK_ONE;
    Network *network = network_new(net->units, net->linear);
    for (size_t i = 0; i < NETWORK_INPUTS; i++) {
        for (size_t u = 0; u < units; u++) {
            network->input[i * units + u] =
                whole(net->used[input_at(net, i, u / LANES) + u % LANES], fine, NETWORK_INPUT_MAX);
        }
    }
    for (size_t u = 0; u < units; u++) {
        network->bias[u] = whole(net->used[net->bias + u], fine, NETWORK_INPUT_MAX);
    }
    for (size_t o = 0; o < NETWORK_OUTPUTS; o++) {
        const float *from = net->used + net->head + o * 2 * units;
        for (size_t i = 0; i < 2 * units; i++) {
            network->output[o][i] = whole(from[i], NETWORK_OUTPUT_ONE, OUTPUT_MAX);
        }
        const double bias = (double)net->used[net->segment[OUTPUT_BIAS].used + o];
        const double rounded = nearbyint(bias * NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE);
        network->output_bias[o] = (int32_t)fmax(-INT32_MAX, fmin(INT32_MAX, rounded));
    }
    return network;
}

static void see(const TrainNet *net, const TrainRow *row, bool mirror, Seen *seen) {
    int pieces = 0;
    for (int s = 0; s < SLOT_COUNT; s++) pieces += row->squares[s] != SLOT_EMPTY;
    seen->output = (uint8_t)network_output(pieces);
    for (int view = 0; view < 2; view++) {
        const Side side = (Side)(row->black ^ (unsigned)view);
        // index of this side's general in row->squares, the squares of the 32 pieces
        const int own = side == RED ? 0 : SLOT_COUNT / 2;
        const int on = row->squares[own], general = mirror ? square_mirror(on) : on;
        int mirrored, count = 0;
        const int bucket = network_bucket(side, general, &mirrored);
        const int turned = mirrored ^ (int)mirror;
        for (int s = 0; s < SLOT_COUNT; s++) {
            const int square = row->squares[s];
            if (square == SLOT_EMPTY || s == own) continue;
            seen->input[view][count++] =
                (uint16_t)(bucket * NETWORK_PLACES +
                           net->places.of[side][turned][slot_piece(s)][square]);
        }
        seen->count[view] = (uint8_t)count;
    }
}

static double forward(const TrainNet *net, size_t row, float scratch[SCRATCH]) {
    const Seen *seen = &net->seen[row];
    const int units = net->units;
    const float *output = net->used + net->head + seen->output * 2 * units;
    float total[LANES] = {0}, score = net->used[net->segment[OUTPUT_BIAS].used + seen->output];
    (void)scratch;
    for (int view = 0; view < 2; view++) {
        const float *sum = sums_of(net, row, view);
        for (int u = 0; u < units; u++) {
            const float low = sum[u] < 0 ? 0 : sum[u], unit = low > 1 ? 1 : low;
            total[u % LANES] += unit * unit * output[view * units + u];
        }
    }
    for (int lane = 0; lane < LANES; lane++) score += total[lane];
    return (double)score * NETWORK_SCORE;
}

static void backward(const TrainNet *net, size_t row, float slope, const float scratch[SCRATCH],
                     float *partial) {
    const Seen *seen = &net->seen[row];
    const int units = net->units;
    const float *output = net->used + net->head + seen->output * 2 * units;
    float *own = partial + seen->output * 2 * units;
    (void)scratch;
    partial[NETWORK_OUTPUTS * 2 * units + seen->output] += slope;
    for (int view = 0; view < 2; view++) {
        float *restrict sum = sums_of(net, row, view);
        for (int u = 0; u < units; u++) {
            const float low = sum[u] < 0 ? 0 : sum[u], unit = low > 1 ? 1 : low;
            const float open = sum[u] > 0 && sum[u] < 1 ? 2 * unit : 0;
            own[view * units + u] += slope * unit * unit;
            sum[u] = slope * open * output[view * units + u];
        }
    }
}

const TrainShape train_shape_own = {.buckets = NETWORK_BUCKETS,
                                    .places = NETWORK_PLACES,
                                    .chunk = 256,
                                    .ranges = 4,
                                    .add_segments = add_segments,
                                    .init = init,
                                    .start = start,
                                    .round = round_own,
                                    .see = see,
                                    .forward = forward,
                                    .backward = backward};

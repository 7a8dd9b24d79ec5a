// SPDX-License-Identifier: GPL-3.0-or-later
// Forward pass and backward pass of the network during its fit, and Adam steps.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "tuner/train/train.h"

// A batch is divided into chunks of CHUNK positions, and the list of chunks into RANGES ranges of
// consecutive chunks. The gradients of the ranges are added in order, so the result does not depend
// on the number of threads.
enum { LANES = 16, SEEN_MAX = 31, CHUNK = 256, RANGES = 4 };

// Network inputs of a position. Index 0 is the view of the side to move, index 1 the view of its
// opponent. `output` selects the set of output weights.
struct Seen {
    uint16_t input[2][SEEN_MAX];
    uint8_t count[2], output;
};

// Returns the accumulator of position i of the batch, the inputs of the hidden units before the
// activation. `view` is 0 for the side to move, 1 for its opponent.
static float *sums_of(const TrainNet *net, size_t i, int view) {
    return net->sums + (2 * i + (size_t)view) * (size_t)net->units;
}

// ---- the list of parameters ---------------------------------------------------------------------

typedef struct Layout {
    // Index of the first parameter of each kind, and the number of parameters. The input weights
    // that all buckets share begin at 0.
    size_t bucket, bias, output, output_bias, count;
} Layout;

static Layout layout_of(int units) {
    const size_t u = (size_t)units;
    Layout at = {.bucket = NETWORK_PLACES * u};
    at.bias = at.bucket + NETWORK_INPUTS * u;
    at.output = at.bias + u;
    at.output_bias = at.output + NETWORK_OUTPUTS * 2 * u;
    at.count = at.output_bias + NETWORK_OUTPUTS;
    return at;
}

void train_net_init(TrainNet *net, int units, bool linear, size_t batch, uint64_t seed) {
    const Layout at = layout_of(units);
    Random random;
    *net = (TrainNet){.units = units,
                      .linear = linear,
                      .count = at.count,
                      .parameter = memory_aligned(64, TRAIN_LISTS * at.count * sizeof(float)),
                      .input = memory_aligned(64, NETWORK_INPUTS * (size_t)units * sizeof(float))};
    net->seen = memory_alloc(batch, sizeof *net->seen);
    net->sums = memory_aligned(64, batch * 2 * (size_t)units * sizeof(float));
    // Each range begins at a multiple of LANES floats, so its memory is aligned.
    net->slopes = at.count - at.count % LANES;
    net->gradient = memory_aligned(64, RANGES * net->slopes * sizeof(float));
    // For each block of CHUNK positions, `partial` stores the derivatives of the loss with respect
    // to all output weights and output biases, then the loss.
    net->partial_size = at.count - at.output + 1;
    net->partial = memory_alloc((batch + CHUNK - 1) / CHUNK * net->partial_size, sizeof(float));
    network_places_init(&net->places);
    random_init(&random, seed, 0);
    memset(net->parameter, 0, TRAIN_LISTS * at.count * sizeof(float));
    // With these random weights and biases, the inputs of the hidden units for a full board have
    // mean 0.4 and a standard deviation of about 0.5. Most of them thus lie in the range 0..1,
    // where they have a gradient.
    for (size_t i = 0; i < at.bucket; i++) {
        net->parameter[i] = (float)(0.3 * (random_real(&random) - 0.5));
    }
    for (size_t i = at.bias; i < at.output; i++) net->parameter[i] = 0.4f;
    for (size_t i = 0; i < 2 * (size_t)units; i++) {
        const float start = (float)(0.1 * (random_real(&random) - 0.5));
        for (size_t output = 0; output < NETWORK_OUTPUTS; output++) {
            net->parameter[at.output + output * 2 * (size_t)units + i] = start;
        }
    }
}

void train_net_start(TrainNet *net, const Network *network) {
    const Layout at = layout_of(net->units);
    const size_t units = (size_t)net->units, old = (size_t)network->units;
    const float fine = NETWORK_FINE * NETWORK_ONE, one = NETWORK_OUTPUT_ONE;
    float *shared = net->parameter, *bucket = net->parameter + at.bucket;
    for (size_t place = 0; place < NETWORK_PLACES; place++) {
        for (size_t u = 0; u < old; u++) {
            const int16_t *input = network->input + place * old + u;
            float sum = 0;
            for (size_t b = 0; b < NETWORK_BUCKETS; b++) sum += input[b * NETWORK_PLACES * old];
            const float mean = sum / NETWORK_BUCKETS;
            shared[place * units + u] = mean / fine;
            for (size_t b = 0; b < NETWORK_BUCKETS; b++) {
                bucket[(b * NETWORK_PLACES + place) * units + u] =
                    (input[b * NETWORK_PLACES * old] - mean) / fine;
            }
        }
    }
    for (size_t u = 0; u < old; u++) net->parameter[at.bias + u] = network->bias[u] / fine;
    for (size_t o = 0; o < NETWORK_OUTPUTS; o++) {
        for (size_t view = 0; view < 2; view++) {
            float *output = net->parameter + at.output + (o * 2 + view) * units;
            const int16_t *from = network->output[o] + view * old;
            for (size_t u = 0; u < units; u++) output[u] = u < old ? from[u] / one : 0;
        }
        net->parameter[at.output_bias + o] =
            (float)network->output_bias[o] / (NETWORK_ONE * NETWORK_ONE * one);
    }
}

void train_net_clear(TrainNet *net) {
    free(net->parameter);
    free(net->input);
    free(net->seen);
    free(net->sums);
    free(net->gradient);
    free(net->partial);
    *net = (TrainNet){0};
}

void train_net_refresh(TrainNet *net, int threads) {
    const size_t places = NETWORK_PLACES * (size_t)net->units;
    const float *shared = net->parameter, *bucket = net->parameter + places;
    const float limit = (float)NETWORK_INPUT_MAX / (NETWORK_FINE * NETWORK_ONE);
#pragma omp parallel for num_threads(threads)
    for (int b = 0; b < NETWORK_BUCKETS; b++) {
        const size_t first = (size_t)b * places;
        for (size_t i = 0; i < places; i++) {
            const float sum = shared[i] + bucket[first + i];
            net->input[first + i] = sum > limit ? limit : sum < -limit ? -limit : sum;
        }
    }
}

static int16_t whole(float value, double scale, int limit) {
    const double rounded = nearbyint((double)value * scale);
    return (int16_t)fmax(-limit, fmin(limit, rounded)); // a value that is not a number is `limit`
}

Network *train_net_round(const TrainNet *net) {
    enum { OUTPUT_MAX = 8 * NETWORK_OUTPUT_ONE };
    const Layout at = layout_of(net->units);
    const size_t units = (size_t)net->units;
    Network *network = network_new(net->units, net->linear);
    for (size_t i = 0; i < NETWORK_INPUTS * units; i++) {
        network->input[i] = whole(net->input[i], NETWORK_FINE * NETWORK_ONE, NETWORK_INPUT_MAX);
    }
    for (size_t i = 0; i < units; i++) {
        network->bias[i] =
            whole(net->parameter[at.bias + i], NETWORK_FINE * NETWORK_ONE, NETWORK_INPUT_MAX);
    }
    for (size_t o = 0; o < NETWORK_OUTPUTS; o++) {
        const float *from = net->parameter + at.output + o * 2 * units;
        for (size_t i = 0; i < 2 * units; i++) {
            network->output[o][i] = whole(from[i], NETWORK_OUTPUT_ONE, OUTPUT_MAX);
        }
        const double bias = (double)net->parameter[at.output_bias + o];
        const double rounded = nearbyint(bias * NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE);
        network->output_bias[o] = (int32_t)fmax(-INT32_MAX, fmin(INT32_MAX, rounded));
    }
    return network;
}

// ---- forward ------------------------------------------------------------------------------------

static void see(const TrainRow *row, const NetworkPlaces *places, bool mirror, Seen *seen) {
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
                           places->of[side][turned][slot_piece(s)][square]);
        }
        seen->count[view] = (uint8_t)count;
    }
}

ALWAYS_INLINE const FloatWide *wides(const float *numbers) {
    return (const void *)numbers;
}

static double forward(const TrainNet *net, size_t row) {
    const Seen *seen = &net->seen[row];
    const Layout at = layout_of(net->units);
    const int units = net->units, wide = units / LANES;
    const float *output = net->parameter + at.output + seen->output * 2 * units;
    const FloatWide *bias = wides(net->parameter + at.bias);
    float total[LANES] = {0}, score = net->parameter[at.output_bias + seen->output];
    for (int view = 0; view < 2; view++) {
        float *sum = sums_of(net, row, view);
        for (int w = 0; w < wide; w += 2) {
            FloatWide a = bias[w], b = bias[w + 1];
            for (int i = 0; i < seen->count[view]; i++) {
                const FloatWide *input = wides(net->input + seen->input[view][i] * units);
                a += input[w];
                b += input[w + 1];
            }
            memcpy(sum + w * LANES, &a, sizeof a);
            memcpy(sum + (w + 1) * LANES, &b, sizeof b);
        }
        for (int u = 0; u < units; u++) {
            const float low = sum[u] < 0 ? 0 : sum[u], unit = low > 1 ? 1 : low;
            total[u % LANES] += unit * unit * output[view * units + u];
        }
    }
    for (int lane = 0; lane < LANES; lane++) score += total[lane];
    return (double)score * NETWORK_SCORE;
}

// Computes the cross entropy and its derivative without overflow for large |k_score|.
double train_row_loss(const TrainRow *row, double k_score, double *slope) {
    const double target = (double)row->target, away = exp(-fabs(k_score));
    const double sigma = k_score > 0 ? 1.0 / (1.0 + away) : away / (1.0 + away);
    if (slope) *slope = sigma - target;
    return log1p(away) + (k_score > 0 ? (1.0 - target) : -target) * k_score;
}

// ---- a step -------------------------------------------------------------------------------------

// Overwrites each accumulator of a position with the derivative of the loss with respect to it.
// Adds the position's contribution to `partial`, the gradient of the output layer. `slope` is the
// derivative of the loss with respect to the network's output.
static void backward(const TrainNet *net, size_t row, float slope, float *partial) {
    const Seen *seen = &net->seen[row];
    const Layout at = layout_of(net->units);
    const int units = net->units;
    const float *output = net->parameter + at.output + seen->output * 2 * units;
    float *own = partial + seen->output * 2 * units;
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

// Returns the index of the first position of a range of a batch of `count` positions, or `count` if
// `range` is RANGES. Each range begins at a multiple of CHUNK positions.
static size_t range_row(size_t count, int range) {
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
    const size_t row = chunks * (size_t)range / RANGES * CHUNK;
    return row < count ? row : count;
}

static int rank_range(int of_mpi_rank) {
    return RANGES * of_mpi_rank / mpi_size();
}

// Sums the derivatives of the loss with respect to the input weights and biases of LANES hidden
// units over the positions of a range. Calls can run in parallel, because each writes to memory of
// its own.
static void spread(const TrainNet *net, size_t count, int range, int lanes) {
    const int units = net->units, first = lanes * LANES;
    float *gradient = net->gradient + (size_t)range * net->slopes, *inputs = gradient + first;
    FloatWide bias = {0};
    for (int row = 0; row < NETWORK_INPUTS; row++) {
        memset(inputs + (size_t)row * (size_t)units, 0, LANES * sizeof *inputs);
    }
    for (size_t i = range_row(count, range); i < range_row(count, range + 1); i++) {
        const Seen *seen = &net->seen[i];
        for (int view = 0; view < 2; view++) {
            const FloatWide slope = *wides(sums_of(net, i, view) + first);
            bias += slope;
            for (int k = 0; k < seen->count[view]; k++) {
                FloatWide *to = (void *)(inputs + (size_t)seen->input[view][k] * (size_t)units);
                *to += slope;
            }
        }
    }
    memcpy(gradient + NETWORK_INPUTS * units + first, &bias, sizeof bias);
}

static void sum_output(const TrainNet *net, size_t count, int range) {
    const Layout at = layout_of(net->units);
    float *output = net->gradient + (size_t)range * net->slopes + at.output - at.bucket;
    memset(output, 0, net->partial_size * sizeof *output);
    for (size_t row = range_row(count, range); row < range_row(count, range + 1); row += CHUNK) {
        const float *partial = net->partial + row / CHUNK * net->partial_size;
        for (size_t i = 0; i < net->partial_size; i++) output[i] += partial[i];
    }
}

// Makes an Adam step for the parameters `first` to `end` - 1. The gradient of a shared input weight
// is the sum of the gradients of all buckets. All weights except the biases decay towards 0,
// separately from the gradient (AdamW, Loshchilov and Hutter 2019).
static void adam(TrainNet *net, size_t first, size_t end, double rate, double decay) {
    const size_t places = NETWORK_PLACES * (size_t)net->units;
    const Layout at = layout_of(net->units);
    const double steps = (double)net->steps;
    const float beta = 0.9f, gamma = 0.999f, limit = 5.0f;
    const float length =
        (float)(rate * sqrt(1.0 - pow((double)gamma, steps)) / (1.0 - pow((double)beta, steps)));
    const float keep = (float)(1.0 - rate * decay);
    float *restrict moment = net->parameter + TRAIN_MOMENT * net->count;
    float *restrict square = moment + net->count;
    for (size_t i = first; i < end; i++) {
        float slope = i < places ? 0 : net->gradient[i - places];
        for (size_t b = 0; i < places && b < NETWORK_BUCKETS; b++) {
            slope += net->gradient[b * places + i];
        }
        moment[i] = beta * moment[i] + (1 - beta) * slope;
        square[i] = gamma * square[i] + (1 - gamma) * slope * slope;
        const bool bias = (i >= at.bias && i < at.output) || i >= at.output_bias;
        const float from = net->parameter[i] * (bias ? 1 : keep);
        const float to = from - length * moment[i] / (sqrtf(square[i]) + 1e-8f);
        net->parameter[i] = to > limit ? limit : to < -limit ? -limit : to;
    }
}

static void run_chunk(const TrainNet *net, const TrainRows *rows, const uint32_t *order,
                      size_t first, size_t count, uint64_t mirror_seed, double k) {
    const double scale = k * NETWORK_SCORE / (double)count;
    float *partial = net->partial + first / CHUNK * net->partial_size;
    memset(partial, 0, net->partial_size * sizeof *partial);
    for (size_t i = first; i < first + CHUNK && i < count; i++) {
        const TrainRow *row = &rows->list[order[i]];
        const bool mirror = random_mix(mirror_seed + order[i]) & 1;
        double slope;
        see(row, &net->places, mirror, &net->seen[i]);
        const double score = forward(net, i) + (net->linear ? (double)row->linear : 0.0);
        const double loss = train_row_loss(row, k * score, &slope);
        partial[net->partial_size - 1] += (float)(loss * (double)row->weight / (double)count);
        backward(net, i, (float)(slope * scale * (double)row->weight), partial);
    }
}

static Status take_ranges(void *context, int from, const void *bytes, size_t size, Err *err) {
    const TrainNet *net = context;
    (void)err;
    float *to = net->gradient + (size_t)rank_range(from) * net->slopes;
    if (from > 0 && size > 0) memcpy(to, bytes, size);
    return STATUS_OK;
}

// net->gradient has one row for each range of the batch. Adds the first `count` numbers of all rows
// and stores the sums in the first row, on every MPI rank. Sets the next number of the first row to
// 1 if the fit must stop, otherwise to 0.
static Status add_ranges(TrainNet *net, size_t count, int threads, Err *err) {
    const size_t first = (size_t)rank_range(mpi_rank()), end = (size_t)rank_range(mpi_rank() + 1);
    float *sum = net->gradient;
    if (mpi_size() > 1) {
        TRY(ranks_collect(sum + first * net->slopes, (end - first) * net->slopes * sizeof *sum,
                          take_ranges, net, err));
    }
    if (mpi_rank() == 0) {
#pragma omp parallel for num_threads(threads)
        for (size_t i = 0; i < count; i++) {
            for (size_t r = 1; r < RANGES; r++) sum[i] += sum[r * net->slopes + i];
        }
        sum[count] = interrupt_requested();
    }
    return mpi_size() > 1 ? ranks_share(sum, (count + 1) * sizeof *sum, err) : STATUS_OK;
}

Status train_step(TrainNet *net, const TrainRows *rows, const uint32_t *order, size_t count,
                  uint64_t mirror_seed, double k, double rate, double decay, int threads,
                  bool *stop, Err *err) {
    enum { BLOCK = 4096 };
    const Layout at = layout_of(net->units);
    const int first = rank_range(mpi_rank()), end = rank_range(mpi_rank() + 1);
    const int slices = net->units / LANES;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 1)
        for (size_t row = range_row(count, first); row < range_row(count, end); row += CHUNK) {
            run_chunk(net, rows, order, row, count, mirror_seed, k);
        }
#pragma omp for schedule(dynamic, 1)
        for (int i = first * slices; i < end * slices; i++) {
            spread(net, count, i / slices, i % slices);
        }
#pragma omp for schedule(dynamic, 1)
        for (int range = first; range < end; range++) sum_output(net, count, range);
    }
    TRY(add_ranges(net, at.count - at.bucket + 1, threads, err));
    net->loss = (double)net->gradient[at.count - at.bucket];
    *stop = net->gradient[at.count - at.bucket + 1] != 0;
    net->steps++;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < net->count; i += BLOCK) {
        adam(net, i, i + BLOCK < net->count ? i + BLOCK : net->count, rate, decay);
    }
    train_net_refresh(net, threads);
    return STATUS_OK;
}

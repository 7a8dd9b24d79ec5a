// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the networks of Fairy-Stockfish (core/eval/fairy.h) for their fit. A hidden unit has
// the value 1 in the fit if it is FAIRY_ONE in the network. Behind the 512 hidden units of an
// accumulator stand its eight psqt sums. The fit has only the inputs that a position can have.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/board/attacks.h"
#include "core/eval/eval.h"
#include "datasets/store/store.h"
#include "tuner/train/train_shape.h"

enum { FIRST = 3, FIRST_BIAS, SECOND, SECOND_BIAS, OUTPUT, OUTPUT_BIAS }; // TrainNet.segment
enum {
    SLICES = FAIRY_UNITS / LANES,
    PLACES = NETWORK_PLACES + 1, // inputs of a bucket: those of our networks, and the own general
    FIRSTS = FAIRY_FIRST * 2 * FAIRY_UNITS, // number of weights of the first layer of a stack
    SECONDS = FAIRY_SECOND * FAIRY_FIRST,
    PSQT_ONE = 9600 // number that stands for an output of 1: 600 units of Fairy-Stockfish
};

static void add_segments(TrainNet *net) {
    const float one = FAIRY_ONE, small = 1 << FAIRY_SHIFT, output = (float)PSQT_ONE / FAIRY_ONE;
    const struct {
        size_t size;
        int groups, buckets;
        float one, low, high;
        bool decays;
    } rows[] = {
        {PLACES * LANES, SLICES, PALACE_COUNT, one, -FAIRY_INPUT_MAX, FAIRY_INPUT_MAX, true},
        {PLACES * LANES, 1, PALACE_COUNT, PSQT_ONE, -FAIRY_PSQT_MAX, FAIRY_PSQT_MAX, false},
        {FAIRY_UNITS + LANES, 1, 1, one, -FAIRY_INPUT_MAX, FAIRY_INPUT_MAX, false},
        {FIRSTS, 1, FAIRY_STACKS, small, INT8_MIN, INT8_MAX, true},
        {FAIRY_FIRST, 1, FAIRY_STACKS, small * one, -FAIRY_BIAS_MAX, FAIRY_BIAS_MAX, false},
        {FAIRY_STACKS * SECONDS, 1, 1, small, INT8_MIN, INT8_MAX, true},
        {FAIRY_STACKS * FAIRY_SECOND, 1, 1, small * one, -FAIRY_BIAS_MAX, FAIRY_BIAS_MAX, false},
        {FAIRY_STACKS * FAIRY_SECOND, 1, 1, output, INT8_MIN, INT8_MAX, true},
        {FAIRY_STACKS, 1, 1, PSQT_ONE, -FAIRY_BIAS_MAX, FAIRY_BIAS_MAX, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        train_net_add(net, (TrainSegment){rows[i].size, rows[i].groups, rows[i].buckets,
                                          rows[i].one, rows[i].low, rows[i].high,
                                          rows[i].high / rows[i].one, rows[i].decays, 1, 0, 0});
    }
    // A unit of the first layer has 1,024 inputs, all of them 0 or more. If all their weights took
    // full steps in one direction, the unit would leave the range 0..1 within a few steps and never
    // return, because its gradient is then 0.
    net->segment[FIRST].rate_factor = 1.0f / 32;
    net->bias = net->segment[2].used;
    net->head = net->segment[FIRST].used;
    net->unit = (double)net->ratio / FAIRY_RATIO_OF / FAIRY_FINE;
}

// Sets `count` parameters from *to on to random numbers within mean +- width.
static void randomise(float *to, size_t count, double mean, double width, Random *random) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)(mean + width * (2 * random_real(random) - 1));
    }
}

static void see(const TrainNet *net, const TrainRow *row, bool mirror, Seen *seen) {
    int count = 0;
    for (int s = 0; s < SLOT_COUNT; s++) count += row->squares[s] != SLOT_EMPTY;
    seen->count[0] = seen->count[1] = (uint8_t)count;
    seen->output = (uint8_t)fairy_stack(count);
    for (int view = 0; view < 2; view++) {
        const Side side = (Side)(row->black ^ (unsigned)view);
        const int own = side == RED ? 0 : SLOT_COUNT / 2, general = row->squares[own];
        const int on = side == RED ? general : square_flip(general);
        const int first = palace_point(mirror ? square_mirror(on) : on) * PLACES;
        uint16_t *to = seen->input[view];
        for (int s = 0; s < SLOT_COUNT; s++) {
            const int square = row->squares[s];
            if (square == SLOT_EMPTY) continue;
            *to++ = (uint16_t)(first + (s == own
                                            ? NETWORK_PLACES
                                            : net->places.of[side][mirror][slot_piece(s)][square]));
        }
    }
}

// Returns the index, within a bucket, of the input for a piece on a square, as Red sees the board,
// or -1 if the piece cannot stand there. Own generals have one index, because their squares are the
// buckets.
static int place_of(const TrainNet *net, Piece piece, int square) {
    const PieceType type = piece_type(piece);
    if (type == NO_PIECE_TYPE || !square_fits_piece(square, piece_side(piece), type)) return -1;
    return piece == piece_make(RED, GENERAL) ? NETWORK_PLACES
                                             : net->places.of[RED][0][piece][square];
}

// Returns the part of a position's output that comes from the psqt numbers that all places of the
// general share, and adds `step` to each of them, with the sign of its effect.
static double psqt_step(float *shared, const Seen *seen, double step) {
    double sum = 0;
    for (int view = 0; view < 2; view++) {
        for (int k = 0; k < seen->count[view]; k++) {
            float *to = shared + seen->input[view][k] % PLACES * LANES + seen->output;
            sum += (view ? -0.5 : 0.5) * (double)*to;
            *to += (float)(view ? -step : step);
        }
    }
    return sum;
}

// Sets the psqt numbers to the piece values and piece-square weights of *weights. Then fits them to
// the scores by all of these weights (LMS, Widrow and Hoff 1960), because other terms, such as
// mobility, contain a part of a piece's value.
static void init_psqt(TrainNet *net, const Weights *weights, const TrainData *data) {
    AUTO_FREE Evaluator *evaluator = memory_aligned(64, sizeof *evaluator);
    float *shared = net->parameter + net->segment[1].first;
    const double one = net->unit * PSQT_ONE;
    const TrainRows *rows = &data->part[PART_TRAIN];
    evaluator_init(evaluator, weights);
    for (int i = 0; i < PIECE_COUNT * SQUARE_COUNT; i++) {
        const Piece piece = (Piece)(i / SQUARE_COUNT);
        const int square = i % SQUARE_COUNT;
        const int place = place_of(net, piece, square);
        if (place < 0 || place == NETWORK_PLACES) continue;
        float *to = shared + place * LANES;
        const IntQuad value = evaluator->place[square][piece];
        for (int s = 0; s < FAIRY_STACKS; s++) {
            const double middle = s / (FAIRY_STACKS - 1.0);
            to[s] = (float)((value[0] * middle + value[1] * (1 - middle)) / one);
        }
    }
    // E-172: more passes over few positions, and this first rate, give the least loss.
    const size_t passes = rows->count < 2000000 ? 4 : 1, steps = passes * rows->count;
    for (size_t n = 0; n < steps; n++) {
        const TrainRow *row = &rows->list[n % rows->count];
        Seen seen;
        see(net, row, (n / rows->count + n % rows->count) & 1, &seen);
        const double rate = 0.02 * (1.01 - (double)n / (double)steps);
        const double error = (double)row->linear / one - psqt_step(shared, &seen, 0);
        psqt_step(shared, &seen, rate * error);
    }
}

// The hidden units of all layers begin within 0..1 for most positions, where they have a gradient.
// All stacks begin with the same weights, and with the output 0, so the score is that of `psqt`.
static void init(TrainNet *net, const TrainSetup *setup, const TrainData *data) {
    float *p = net->parameter;
    const TrainSegment *at = net->segment;
    Random random;
    random_init(&random, setup->fit.seed, 0);
    randomise(p, (size_t)SLICES * at->size, 0, 0.15, &random);
    randomise(p + at[2].first, FAIRY_UNITS, 0.4, 0, &random);
    randomise(p + at[FIRST].first, FIRSTS, 0, 0.05, &random);
    randomise(p + at[FIRST_BIAS].first, FAIRY_FIRST, 0.4, 0, &random);
    randomise(p + at[SECOND].first, SECONDS, 0, 0.4, &random);
    randomise(p + at[SECOND_BIAS].first, FAIRY_STACKS * FAIRY_SECOND, 0.3, 0, &random);
    for (size_t s = 1; s < FAIRY_STACKS; s++) {
        memcpy(p + at[SECOND].first + s * SECONDS, p + at[SECOND].first, SECONDS * sizeof *p);
    }
    init_psqt(net, setup->weights, data);
}

// Copies `count` numbers of `size` bytes of the network's file to `used`, or back if `back` is set.
// Numbers are little-endian; the arithmetic shift extends their sign.
static void copy(float *used, void *numbers, size_t count, size_t size, bool back) {
    char *at = numbers;
    for (size_t i = 0; i < count; i++, at += size) {
        int32_t value = back && isfinite(used[i]) ? (int32_t)used[i] : 0;
        if (back) {
            memcpy(at, &value, size);
        } else {
            memcpy((char *)&value + sizeof value - size, at, size);
            used[i] = (float)(value >> 8 * (sizeof value - size));
        }
    }
}

// Lists the inputs of the file in the order of the inputs of the fit.
static void list_inputs(const TrainNet *net, uint16_t inputs[PALACE_COUNT * PLACES]) {
    for (int point = 0; point < PALACE_COUNT; point++, inputs += PLACES) {
        const int general = square_make(3 + point % 3, point / 3);
        for (int i = 0; i < PIECE_COUNT * SQUARE_COUNT; i++) {
            const int place = place_of(net, (Piece)(i / SQUARE_COUNT), i % SQUARE_COUNT);
            if (place < 0) continue;
            inputs[place] =
                (uint16_t)fairy_input(RED, general, (Piece)(i / SQUARE_COUNT), i % SQUARE_COUNT);
        }
        inputs[NETWORK_PLACES] =
            (uint16_t)fairy_input(RED, general, piece_make(RED, GENERAL), general);
    }
}

static void copy_all(const TrainNet *net, Fairy *fairy, bool back) {
    float *used = net->used;
    uint16_t inputs[PALACE_COUNT * PLACES];
    list_inputs(net, inputs);
    for (size_t i = 0; i < net->inputs; i++) {
        for (size_t slice = 0; slice < SLICES; slice++) {
            copy(used + input_at(net, i, slice),
                 fairy->weight + (size_t)inputs[i] * FAIRY_UNITS + slice * LANES, LANES, 2, back);
        }
        copy(used + input_at(net, i, SLICES), fairy->psqt + inputs[i] * FAIRY_STACKS, FAIRY_STACKS,
             4, back);
    }
    copy(used + net->bias, fairy->bias, FAIRY_UNITS, 2, back);
    for (size_t s = 0; s < FAIRY_STACKS; s++) {
        FairyStack *stack = &fairy->stack[s];
        const struct {
            int segment;
            void *numbers;
            size_t count, size;
        } layers[] = {{FIRST, stack->first, FIRSTS, 1},
                      {FIRST_BIAS, stack->first_bias, FAIRY_FIRST, 4},
                      {SECOND_BIAS, stack->second_bias, FAIRY_SECOND, 4},
                      {OUTPUT, stack->output, FAIRY_SECOND, 1},
                      {OUTPUT_BIAS, &stack->output_bias, 1, 4}};
        for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
            copy(used + net->segment[layers[i].segment].used + s * layers[i].count,
                 layers[i].numbers, layers[i].count, layers[i].size, back);
        }
        for (size_t row = 0; row < FAIRY_SECOND; row++) { // longer in the file than in the fit
            copy(used + net->segment[SECOND].used + s * SECONDS + row * FAIRY_FIRST,
                 stack->second[row], FAIRY_FIRST, 1, back);
        }
    }
}

static void start(TrainNet *net, const Network *network) {
    copy_all(net, network->fairy, false);
    // Numbers of the start may exceed the limits of a fit from random numbers.
    for (TrainSegment *segment = net->segment; segment < net->segment + FIRST; segment++) {
        const size_t count = segment->size * (size_t)(segment->groups * segment->buckets);
        for (size_t i = 0; i < count; i++) {
            segment->high = fmaxf(segment->high, fabsf(net->used[segment->used + i]));
        }
        segment->low = -segment->high;
        segment->limit = 2 * segment->high / segment->one;
    }
}

static Network *round_fairy(const TrainNet *net) {
    Network *network = memory_alloc(1, sizeof *network);
    // The start has the numbers of inputs that no position can have, such as an advisor outside the
    // palace.
    Fairy *fairy = network->fairy = fairy_new(net->start ? net->start->fairy : NULL);
    copy_all(net, fairy, true);
    fairy->ratio = net->ratio;
    fairy->ratio_of = FAIRY_RATIO_OF;
    return network;
}

// ---- the layers above the accumulators ----------------------------------------------------------

// The scratch memory of a position: values of the accumulators' units, and sums of both small
// layers before they are clamped.
enum { FIRST_SUM = 2 * FAIRY_UNITS, SECOND_SUM = FIRST_SUM + FAIRY_FIRST };
_Static_assert(SECOND_SUM + FAIRY_SECOND <= SCRATCH, "a position fits in the scratch memory");

static float clamp(float sum) {
    return sum < 0 ? 0 : sum > FAIRY_ONE ? FAIRY_ONE : sum;
}

// Returns the value of a unit of a small layer, whose sum was divided by 64.
static float unit_of(const TrainNet *net, float sum) {
    return clamp(net->whole ? floorf(sum) : sum);
}

// Returns the numbers of a stack in one of the layers, of which each stack has `count`.
static const float *layer(const TrainNet *net, int segment, size_t stack, size_t count) {
    return net->used + net->segment[segment].used + stack * count;
}

static double forward(const TrainNet *net, size_t row, float scratch[SCRATCH]) {
    const size_t s = net->seen[row].output;
    const float *own = sums_of(net, row, 0), *other = sums_of(net, row, 1);
    const float *weights = layer(net, FIRST, s, FIRSTS);
    const float *bias = layer(net, FIRST_BIAS, s, FAIRY_FIRST);
    for (int u = 0; u < FAIRY_UNITS; u++) {
        scratch[u] = clamp(own[u]);
        scratch[FAIRY_UNITS + u] = clamp(other[u]);
    }
    for (int i = 0; i < FAIRY_FIRST; i++, weights += 2 * FAIRY_UNITS) {
        FloatWide total[4] = {{0}};
        float sum = bias[i];
        for (int w = 0; w < 2 * FAIRY_UNITS / LANES; w++) {
            total[w % 4] += wides(scratch)[w] * wides(weights)[w];
        }
        total[0] = (total[0] + total[1]) + (total[2] + total[3]);
        for (int lane = 0; lane < LANES; lane++) sum += total[0][lane];
        scratch[FIRST_SUM + i] = sum / (1 << FAIRY_SHIFT);
    }
    weights = layer(net, SECOND, s, SECONDS);
    bias = layer(net, SECOND_BIAS, s, FAIRY_SECOND);
    const float *output = layer(net, OUTPUT, s, FAIRY_SECOND);
    float total = *layer(net, OUTPUT_BIAS, s, 1);
    for (int i = 0; i < FAIRY_SECOND; i++) {
        float sum = bias[i];
        for (int k = 0; k < FAIRY_FIRST; k++) {
            sum += unit_of(net, scratch[FIRST_SUM + k]) * weights[i * FAIRY_FIRST + k];
        }
        scratch[SECOND_SUM + i] = sum / (1 << FAIRY_SHIFT);
        total += unit_of(net, scratch[SECOND_SUM + i]) * output[i];
    }
    const float psqt = (own[FAIRY_UNITS + s] - other[FAIRY_UNITS + s]) / 2;
    if (!net->whole) return (double)(psqt + total) * net->unit;
    const int value = ((int)psqt + (int)total) / FAIRY_FINE;
    return value * net->ratio / FAIRY_RATIO_OF;
}

// Returns true if a unit of a small layer is not clamped.
static bool is_open(float sum) {
    return sum > 0 && sum < FAIRY_ONE + 1;
}

static void backward(const TrainNet *net, size_t row, float slope, const float scratch[SCRATCH],
                     float *partial) {
    const size_t s = net->seen[row].output;
    const float small = slope / (1 << FAIRY_SHIFT);
    const float *output = layer(net, OUTPUT, s, FAIRY_SECOND);
    const float *weights = layer(net, SECOND, s, SECONDS);
    float *to[OUTPUT_BIAS + 1], first[FAIRY_FIRST] = {0}; // `first`: derivatives by the units
    _Alignas(64) float unit[2 * FAIRY_UNITS] = {0};
    for (int i = FIRST; i <= OUTPUT_BIAS; i++) {
        to[i] = partial + net->segment[i].used - net->head;
    }
    to[OUTPUT_BIAS][s] += slope;
    for (size_t i = 0; i < FAIRY_SECOND; i++) {
        const float sum = scratch[SECOND_SUM + i];
        to[OUTPUT][s * FAIRY_SECOND + i] += slope * unit_of(net, sum);
        if (!is_open(sum)) continue;
        const float by_sum = small * output[i];
        to[SECOND_BIAS][s * FAIRY_SECOND + i] += by_sum;
        for (size_t k = 0; k < FAIRY_FIRST; k++) {
            to[SECOND][s * SECONDS + i * FAIRY_FIRST + k] +=
                by_sum * unit_of(net, scratch[FIRST_SUM + k]);
            first[k] += by_sum * weights[i * FAIRY_FIRST + k];
        }
    }
    for (size_t i = 0; i < FAIRY_FIRST; i++) {
        const float by_sum = first[i] / (1 << FAIRY_SHIFT);
        const FloatWide *from = wides(layer(net, FIRST, s, FIRSTS) + i * 2 * FAIRY_UNITS);
        float *own = to[FIRST] + s * FIRSTS + i * 2 * FAIRY_UNITS;
        if (!is_open(scratch[FIRST_SUM + i])) continue;
        to[FIRST_BIAS][s * FAIRY_FIRST + i] += by_sum;
        for (int w = 0; w < 2 * FAIRY_UNITS / LANES; w++) {
            ((FloatWide *)(void *)unit)[w] += by_sum * from[w];
            ((FloatWide *)(void *)own)[w] += by_sum * wides(scratch)[w];
        }
    }
    for (int view = 0; view < 2; view++) {
        float *sum = sums_of(net, row, view);
        for (int u = 0; u < FAIRY_UNITS; u++) {
            sum[u] = sum[u] > 0 && sum[u] < FAIRY_ONE ? unit[view * FAIRY_UNITS + u] : 0;
        }
        memset(sum + FAIRY_UNITS, 0, LANES * sizeof *sum);
        sum[FAIRY_UNITS + s] = view ? -slope / 2 : slope / 2;
    }
}

const TrainShape train_shape_fairy = {.buckets = PALACE_COUNT,
                                      .places = PLACES,
                                      .extra = LANES,
                                      .chunk = 1024,
                                      .ranges = 1,
                                      .whole = true,
                                      .add_segments = add_segments,
                                      .init = init,
                                      .start = start,
                                      .round = round_fairy,
                                      .see = see,
                                      .forward = forward,
                                      .backward = backward};

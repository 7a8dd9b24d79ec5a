// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a network of any shape (train_shape.h) during its fit, the accumulators and
// their gradients, and Adam steps.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "tuner/train/train_shape.h"

// ---- the list of parameters ---------------------------------------------------------------------

// Returns how many numbers of a segment the network uses.
static size_t used_of(const TrainSegment *segment) {
    return (size_t)(segment->groups * segment->buckets) * segment->size;
}

// Returns how many parameters of a segment all buckets share.
static size_t shared_of(const TrainSegment *segment) {
    return segment->buckets > 1 ? (size_t)segment->groups * segment->size : 0;
}

size_t train_net_add(TrainNet *net, TrainSegment segment) {
    segment.first = net->count;
    segment.used = net->used_count;
    net->count += shared_of(&segment) + used_of(&segment);
    net->used_count += used_of(&segment);
    net->segment[net->segments++] = segment;
    return segment.used;
}

void train_net_init(TrainNet *net, const TrainSetup *setup, const TrainData *data) {
    const TrainShape *shape = setup->shape;
    const size_t batch = (size_t)setup->batch, units = (size_t)(setup->units + shape->extra);
    *net = (TrainNet){.shape = shape,
                      .units = (int)units,
                      .linear = !setup->alone,
                      .whole = shape->whole,
                      .unit = NETWORK_SCORE,
                      .ratio = setup->ratio,
                      .inputs = (size_t)(shape->buckets * shape->places)};
    shape->add_segments(net);
    net->parameter = memory_huge(TRAIN_LISTS * net->count * sizeof(float));
    net->used = memory_huge(net->used_count * sizeof(float));
    net->seen = memory_alloc(batch, sizeof *net->seen);
    net->sums = memory_huge(batch * 2 * units * sizeof(float));
    // Each range begins at a multiple of LANES floats, so its memory is aligned. After the
    // gradient follow the loss and the mark of an interruption.
    net->slopes = (net->used_count + 2 + LANES - 1) / LANES * LANES;
    net->gradient = memory_huge((size_t)shape->ranges * net->slopes * sizeof(float));
    net->partial_size = net->used_count - net->head + 1;
    const size_t chunk = (size_t)shape->chunk, chunks = (batch + chunk - 1) / chunk;
    net->partial_stride = (net->partial_size + LANES - 1) / LANES * LANES;
    net->partial = memory_aligned(64, chunks * net->partial_stride * sizeof(float));
    network_places_init(&net->places);
    memset(net->parameter, 0, TRAIN_LISTS * net->count * sizeof(float));
    shape->init(net, setup, data);
}

void train_net_start(TrainNet *net, const Network *network) {
    train_net_refresh(net, 1);
    net->start = network;
    net->shape->start(net, network);
    train_net_split(net);
}

void train_net_clear(TrainNet *net) {
    free(net->parameter);
    free(net->used);
    free(net->seen);
    free(net->sums);
    free(net->gradient);
    free(net->partial);
    *net = (TrainNet){0};
}

void train_net_split(TrainNet *net) {
    for (const TrainSegment *segment = net->segment; segment < net->segment + net->segments;
         segment++) {
        const size_t buckets = (size_t)segment->buckets;
        float *shared = net->parameter + segment->first, *own = shared + shared_of(segment);
        const float *used = net->used + segment->used;
        for (size_t i = 0; i < (size_t)segment->groups * segment->size; i++) {
            const size_t first = i / segment->size * buckets * segment->size + i % segment->size;
            float sum = 0, mean = 0;
            for (size_t b = 0; b < buckets; b++) sum += used[first + b * segment->size];
            if (buckets > 1) shared[i] = (mean = sum / (float)buckets) / segment->one;
            for (size_t b = 0; b < buckets; b++) {
                const size_t at = first + b * segment->size;
                own[at] = (used[at] - mean) / segment->one;
            }
        }
    }
}

// Computes `count` numbers that the network uses, from the number `first` of a bucket on. `row` is
// group * segment->buckets + bucket.
static void refresh_block(const TrainNet *net, const TrainSegment *segment, size_t row,
                          size_t first, size_t count) {
    const size_t size = segment->size, buckets = (size_t)segment->buckets, at = row * size + first;
    const float one = segment->one, low = segment->low, high = segment->high;
    const float *shared = net->parameter + segment->first + row / buckets * size + first;
    const float *own = net->parameter + segment->first + shared_of(segment) + at;
    float *restrict used = net->used + segment->used + at;
    for (size_t i = 0; i < count; i++) {
        const float sum = (buckets > 1 ? shared[i] + own[i] : own[i]) * one;
        const float value = net->whole ? rintf(sum) : sum;
        used[i] = value > high ? high : value < low ? low : value;
    }
}

void train_net_refresh(TrainNet *net, int threads) {
    for (int s = 0; s < net->segments; s++) {
        const TrainSegment *segment = &net->segment[s];
#pragma omp parallel for num_threads(threads)
        for (int row = 0; row < segment->groups * segment->buckets; row++) {
            refresh_block(net, segment, (size_t)row, 0, segment->size);
        }
    }
}

Network *train_net_round(const TrainNet *net) {
    return net->shape->round(net);
}

// ---- a step -------------------------------------------------------------------------------------

#define ADAM_MOMENT ((double)0.9f)   // share of the first moment that a step keeps
#define ADAM_SQUARE ((double)0.999f) // share of the second moment that a step keeps
enum {
    STEP_BLOCK = 1024, // number of parameters of a bucket that a thread steps at a time
    AHEAD = 8          // positions whose accumulators the processor fetches in advance
};

// Computes the cross entropy and its derivative without overflow for large |k_score|.
double train_row_loss(const TrainRow *row, double k_score, double *slope) {
    const double target = (double)row->target, away = exp(-fabs(k_score));
    const double sigma = k_score > 0 ? 1.0 / (1.0 + away) : away / (1.0 + away);
    if (slope) *slope = sigma - target;
    return log1p(away) + (k_score > 0 ? (1.0 - target) : -target) * k_score;
}

// Returns the index of the first position of a range of a batch of `count` positions, or `count` if
// `range` is the number of ranges. Each range begins at a multiple of shape->chunk positions.
static size_t range_row(const TrainNet *net, size_t count, int range) {
    const size_t chunk = (size_t)net->shape->chunk, chunks = (count + chunk - 1) / chunk;
    const size_t row = chunks * (size_t)range / (size_t)net->shape->ranges * chunk;
    return row < count ? row : count;
}

static int rank_range(const TrainNet *net, int of_mpi_rank) {
    return net->shape->ranges * of_mpi_rank / mpi_size();
}

// Fetches a slice of both accumulators of a position into the processor's cache. The slices of two
// positions are on different pages, so the processor does not foresee their use.
static void fetch(const TrainNet *net, size_t i, size_t slice) {
    for (int view = 0; view < 2; view++) {
        __builtin_prefetch(sums_of(net, i, view) + slice * LANES, 1);
    }
}

// Computes LANES numbers of the accumulators of all positions of a range. The weights of these
// hidden units are consecutive, so they stay in the processor's cache. Calls can run in parallel.
static void gather(const TrainNet *net, size_t count, int range, size_t slice) {
    const FloatWide *inputs = wides(net->used + input_at(net, 0, slice));
    const FloatWide bias = *wides(net->used + net->bias + slice * LANES);
    const size_t end = range_row(net, count, range + 1);
    for (size_t i = range_row(net, count, range); i < end; i++) {
        const Seen *seen = &net->seen[i];
        if (i + AHEAD < end) fetch(net, i + AHEAD, slice);
        for (int view = 0; view < 2; view++) {
            FloatWide sum = bias;
            for (int k = 0; k < seen->count[view]; k++) sum += inputs[seen->input[view][k]];
            memcpy(sums_of(net, i, view) + slice * LANES, &sum, sizeof sum);
        }
    }
}

// Sums the derivatives of the loss with respect to the input weights and biases of LANES hidden
// units over the positions of a range. Calls can run in parallel, because each writes to memory of
// its own.
static void spread(const TrainNet *net, size_t count, int range, size_t slice) {
    float *gradient = net->gradient + (size_t)range * net->slopes;
    FloatWide *inputs = (void *)(gradient + input_at(net, 0, slice)), bias = {0};
    memset(inputs, 0, net->inputs * sizeof *inputs);
    const size_t end = range_row(net, count, range + 1);
    for (size_t i = range_row(net, count, range); i < end; i++) {
        const Seen *seen = &net->seen[i];
        if (i + AHEAD < end) fetch(net, i + AHEAD, slice);
        for (int view = 0; view < 2; view++) {
            const FloatWide slope = *wides(sums_of(net, i, view) + slice * LANES);
            bias += slope;
            for (int k = 0; k < seen->count[view]; k++) inputs[seen->input[view][k]] += slope;
        }
    }
    memcpy(gradient + net->bias + slice * LANES, &bias, sizeof bias);
}

static void sum_head(const TrainNet *net, size_t count, int range) {
    const size_t chunk = (size_t)net->shape->chunk, end = range_row(net, count, range + 1);
    float *sum = net->gradient + (size_t)range * net->slopes + net->head;
    memset(sum, 0, net->partial_size * sizeof *sum);
    for (size_t row = range_row(net, count, range); row < end; row += chunk) {
        const float *partial = net->partial + row / chunk * net->partial_stride;
        for (size_t i = 0; i < net->partial_size; i++) sum[i] += partial[i];
    }
}

// The factors of a step for the parameters of a segment.
typedef struct AdamStep {
    float length; // learning rate, corrected for the moments' start at 0
    float keep;   // factor of the weight decay, separate from the gradient (AdamW, Loshchilov and
                  // Hutter 2019)
    float one, limit; // TrainSegment.one and limit
} AdamStep;

static AdamStep adam_step(const TrainNet *net, const TrainSegment *segment, double rate,
                          double decay) {
    const double steps = (double)net->steps;
    rate *= (double)segment->rate_factor;
    return (AdamStep){.length = (float)(rate * sqrt(1.0 - pow(ADAM_SQUARE, steps)) /
                                        (1.0 - pow(ADAM_MOMENT, steps))),
                      .keep = segment->decays ? (float)(1.0 - rate * decay) : 1,
                      .one = segment->one,
                      .limit = segment->limit};
}

// Makes an Adam step for `count` parameters with these derivatives.
static void adam(const TrainNet *net, AdamStep step, const float *slopes, float *first,
                 size_t count) {
    const float beta = (float)ADAM_MOMENT, gamma = (float)ADAM_SQUARE;
    float *restrict parameter = first;
    float *restrict moment = parameter + TRAIN_MOMENT * net->count;
    float *restrict square = moment + net->count;
    for (size_t i = 0; i < count; i++) {
        const float slope = slopes[i] * step.one;
        moment[i] = beta * moment[i] + (1 - beta) * slope;
        square[i] = gamma * square[i] + (1 - gamma) * slope * slope;
        const float from = parameter[i] * step.keep;
        const float to = from - step.length * moment[i] / (sqrtf(square[i]) + 1e-8f);
        parameter[i] = to > step.limit ? step.limit : to < -step.limit ? -step.limit : to;
    }
}

// Makes an Adam step for the parameters `first` to `first` + `count` - 1 of all buckets of a group,
// and of their shared part, whose derivatives are the sums of those of all buckets. Then computes
// the numbers that the network uses, while the parameters are in the processor's cache.
static void step_block(TrainNet *net, const TrainSegment *segment, AdamStep step, size_t group,
                       size_t first, size_t count) {
    const size_t size = segment->size, buckets = (size_t)segment->buckets;
    const size_t at = group * buckets * size + first; // index of the block in the first bucket
    const float *slopes = net->gradient + segment->used + at;
    float *shared = net->parameter + segment->first;
    if (buckets > 1) {
        float sum[STEP_BLOCK];
        memcpy(sum, slopes, count * sizeof *sum);
        for (size_t b = 1; b < buckets; b++) {
            for (size_t i = 0; i < count; i++) sum[i] += slopes[b * size + i];
        }
        adam(net, step, sum, shared + group * size + first, count);
    }
    float *own = shared + shared_of(segment) + at;
    for (size_t b = 0; b < buckets; b++) {
        adam(net, step, slopes + b * size, own + b * size, count);
        refresh_block(net, segment, group * buckets + b, first, count);
    }
}

static void step_segment(TrainNet *net, const TrainSegment *segment, AdamStep step, int threads) {
    const size_t size = segment->size, blocks = (size + STEP_BLOCK - 1) / STEP_BLOCK;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < (size_t)segment->groups * blocks; i++) {
        const size_t first = i % blocks * STEP_BLOCK, left = size - first;
        step_block(net, segment, step, i / blocks, first, left < STEP_BLOCK ? left : STEP_BLOCK);
    }
}

static void run_chunk(const TrainNet *net, const TrainRows *rows, const uint32_t *order,
                      size_t first, size_t count, double k) {
    const size_t chunk = (size_t)net->shape->chunk;
    const double scale = k * net->unit / (double)count;
    _Alignas(64) float scratch[SCRATCH];
    float *partial = net->partial + first / chunk * net->partial_stride;
    memset(partial, 0, net->partial_size * sizeof *partial);
    for (size_t i = first; i < first + chunk && i < count; i++) {
        const TrainRow *row = &rows->list[order[i]];
        double slope;
        const double score =
            net->shape->forward(net, i, scratch) + (net->linear ? (double)row->linear : 0.0);
        const double loss = train_row_loss(row, k * score, &slope);
        partial[net->partial_size - 1] += (float)(loss * (double)row->weight / (double)count);
        net->shape->backward(net, i, (float)(slope * scale * (double)row->weight), scratch,
                             partial);
    }
}

static Status take_ranges(void *context, int from, const void *bytes, size_t size, Err *err) {
    const TrainNet *net = context;
    (void)err;
    float *to = net->gradient + (size_t)rank_range(net, from) * net->slopes;
    if (from > 0 && size > 0) memcpy(to, bytes, size);
    return STATUS_OK;
}

// net->gradient has one row for each range of the batch. Adds the first `count` numbers of all rows
// and stores the sums in the first row, on every MPI rank. Sets the next number of the first row to
// 1 if the fit must stop, otherwise to 0.
static Status add_ranges(TrainNet *net, size_t count, int threads, Err *err) {
    const size_t first = (size_t)rank_range(net, mpi_rank()),
                 end = (size_t)rank_range(net, mpi_rank() + 1);
    float *sum = net->gradient;
    if (mpi_size() > 1) {
        TRY(ranks_collect(sum + first * net->slopes, (end - first) * net->slopes * sizeof *sum,
                          take_ranges, net, err));
    }
    if (mpi_rank() == 0) {
#pragma omp parallel for num_threads(threads)
        for (size_t i = 0; i < count; i++) {
            for (size_t r = 1; r < (size_t)net->shape->ranges; r++) {
                sum[i] += sum[r * net->slopes + i];
            }
        }
        sum[count] = interrupt_requested();
    }
    return mpi_size() > 1 ? ranks_share(sum, (count + 1) * sizeof *sum, err) : STATUS_OK;
}

Status train_step(TrainNet *net, const TrainRows *rows, const uint32_t *order, size_t count,
                  uint64_t mirror_seed, double k, double rate, double decay, int threads,
                  bool *stop, Err *err) {
    const int first = rank_range(net, mpi_rank()), end = rank_range(net, mpi_rank() + 1);
    const int slices = net->units / LANES;
    const size_t begin = range_row(net, count, first), last = range_row(net, count, end);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for
        for (size_t i = begin; i < last; i++) {
            const bool mirror = (random_mix((mirror_seed >> 1) + order[i]) ^ mirror_seed) & 1;
            net->shape->see(net, &rows->list[order[i]], mirror, &net->seen[i]);
        }
#pragma omp for schedule(dynamic, 1)
        for (int i = first * slices; i < end * slices; i++) {
            gather(net, count, i / slices, (size_t)(i % slices));
        }
#pragma omp for schedule(dynamic, 1)
        for (size_t row = begin; row < last; row += (size_t)net->shape->chunk) {
            run_chunk(net, rows, order, row, count, k);
        }
#pragma omp for schedule(dynamic, 1)
        for (int i = first * slices; i < end * slices; i++) {
            spread(net, count, i / slices, (size_t)(i % slices));
        }
#pragma omp for schedule(dynamic, 1)
        for (int range = first; range < end; range++) sum_head(net, count, range);
    }
    TRY(add_ranges(net, net->used_count + 1, threads, err));
    net->loss = (double)net->gradient[net->used_count];
    *stop = net->gradient[net->used_count + 1] != 0;
    net->steps++;
    for (int s = 0; s < net->segments; s++) {
        const TrainSegment *segment = &net->segment[s];
        step_segment(net, segment, adam_step(net, segment, rate, decay), threads);
    }
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the fit of networks of Fairy-Stockfish: values during the fit, gradients, and the way from
// a file to parameters and back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/store.h"
#include "tests/core/fairy_known.h"
#include "tests/core/positions.h"
#include "tests/test.h"
#include "tuner/train/train_shape.h"

enum { COUNT = 64 };

// A batch of random positions, with random targets, and the network of the known answers.
typedef struct Batch {
    TrainRow list[COUNT];
    uint32_t order[COUNT];
    Weights weights;
    TrainData data;
    TrainSetup setup;
    TrainNet net;
    Network *known;
} Batch;

static bool batch_init(TestContext *t, Batch *batch) {
    AUTO(Text) file = {0};
    Random random;
    Err err = {0};
    random_init(&random, 68, 1);
    fairy_chariot_file(20000, &file);
    if (!CHECK_OK(network_parse(text_get(&file), file.length, "FILE", &batch->known, &err), err)) {
        return false;
    }
    weights_classic(&batch->weights);
    for (uint32_t i = 0; i < COUNT; i++) {
        TrainRow *row = &batch->list[i];
        Position position;
        while (!positions_random_crowd(&random, &position)) {
        }
        squares_from_position(&position, row->squares);
        row->black = position.stm == BLACK;
        row->target = (float)random_real(&random);
        row->weight = 0.5f + (float)random_real(&random);
        batch->order[i] = i;
    }
    batch->data = (TrainData){.part[PART_TRAIN] = {batch->list, COUNT}, .k = 0.002};
    batch->setup = (TrainSetup){.fit = {.seed = 1, .threads = 1},
                                .shape = &train_shape_fairy,
                                .units = FAIRY_UNITS,
                                .batch = COUNT,
                                .alone = true,
                                .ratio = batch->known->fairy->ratio,
                                .weights = &batch->weights};
    train_net_init(&batch->net, &batch->setup, &batch->data);
    return true;
}

static void batch_free(Batch *batch) {
    train_net_clear(&batch->net);
    network_free(batch->known);
    free(batch);
}

// Makes a step that changes nothing and returns the loss. The gradient stays in net.gradient.
static double loss_of(TestContext *t, Batch *batch, int threads) {
    bool stop;
    Err err = {0};
    train_net_refresh(&batch->net, threads);
    CHECK_OK(train_step(&batch->net, &batch->data.part[PART_TRAIN], batch->order, COUNT, 0, 0.002,
                        0, 0, threads, &stop, &err),
             err);
    return batch->net.loss;
}

// The network of a file survives the way to parameters and back. Its score of a position during the
// fit is that of the file.
void test_train_fairy_values(TestContext *t) {
    Batch *batch = memory_alloc(1, sizeof *batch);
    if (!batch_init(t, batch)) return;
    TrainNet *net = &batch->net;
    train_net_start(net, batch->known);
    loss_of(t, batch, 1);
    AUTO_POINTER(Network) network = train_net_round(net);
    const Fairy *made = network->fairy, *known = batch->known->fairy;
    CHECK(memcmp(made->bias, known->bias, sizeof known->bias) == 0);
    CHECK(memcmp(made->weight, known->weight, 2 * FAIRY_INPUTS * FAIRY_UNITS) == 0);
    CHECK(memcmp(made->psqt, known->psqt, 4 * FAIRY_INPUTS * FAIRY_STACKS) == 0);
    CHECK(memcmp(made->stack, known->stack, sizeof known->stack) == 0);
    AUTO_FREE NetworkCache *cache = memory_aligned(64, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++) {
        PositionRecord record = {.stm = batch->list[i].black};
        Position position, image;
        memcpy(record.squares, batch->list[i].squares, sizeof record.squares);
        CHECK_INT(position_record_board(&record, &position, NULL), STATUS_OK);
        if (random_mix(i) & 1) position_mirror(&position, &image);
        const int score =
            network_score(network, cache, random_mix(i) & 1 ? &image : &position, NULL, NULL);
        sum += train_row_loss(&batch->list[i], 0.002 * score, NULL) *
               (double)batch->list[i].weight / COUNT;
    }
    CHECK_MSG(fabs(sum - net->loss) < 1e-6, "%.9f, but the file has %.9f", net->loss, sum);
    batch_free(batch);
}

// Without rounding, the gradient of each kind of number is the difference of losses.
void test_train_fairy_gradient(TestContext *t) {
    Batch *batch = memory_alloc(1, sizeof *batch);
    if (!batch_init(t, batch)) return;
    TrainNet *net = &batch->net;
    train_net_start(net, batch->known);
    net->whole = false;
    for (int s = 0; s < net->segments; s++) {
        const TrainSegment *segment = &net->segment[s];
        const size_t count = (size_t)(segment->groups * segment->buckets) * segment->size;
        const size_t shared = segment->buckets > 1 ? (size_t)segment->groups * segment->size : 0;
        loss_of(t, batch, 1);
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            if (fabsf(net->gradient[segment->used + i]) >
                fabsf(net->gradient[segment->used + at])) {
                at = i;
            }
        }
        const double slope = (double)net->gradient[segment->used + at];
        float *parameter = &net->parameter[segment->first + shared + at], before = *parameter;
        const float step = (float)(0.002 / fabs(slope)) / segment->one;
        *parameter = before + step;
        const double more = loss_of(t, batch, 1);
        *parameter = before - step;
        const double less = loss_of(t, batch, 1);
        *parameter = before;
        CHECK_MSG(fabs((more - less) / 0.004 * (slope > 0 ? 1 : -1) - 1) < 0.05,
                  "segment %d, number %zu: slope %g, difference %g", s, at, slope,
                  (more - less) / 2 / (double)(step * segment->one));
    }
    batch_free(batch);
}

// The gradient has the same bits for any number of threads.
void test_train_fairy_threads(TestContext *t) {
    Batch *batch = memory_alloc(1, sizeof *batch);
    if (!batch_init(t, batch)) return;
    TrainNet *net = &batch->net;
    loss_of(t, batch, 1);
    AUTO_FREE float *one = memory_alloc(net->used_count + 1, sizeof *one);
    memcpy(one, net->gradient, (net->used_count + 1) * sizeof *one);
    loss_of(t, batch, 3);
    CHECK(memcmp(one, net->gradient, (net->used_count + 1) * sizeof *one) == 0);
    batch_free(batch);
}

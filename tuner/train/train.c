// SPDX-License-Identifier: GPL-3.0-or-later
// The fit: epochs of batches, the best network so far, and a file from which it goes on.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/random.h"
#include "core/base/ranks.h"
#include "tuner/train/train.h"

// The order of the rows in an epoch (Fisher and Yates).
static void shuffle(uint32_t *order, size_t count, uint64_t seed, int epoch) {
    Random random;
    random_init(&random, seed, (uint64_t)epoch + 1);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t k = random_below(&random, i);
        const uint32_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
}

// The steps become shorter as half a wave of a cosine, to a fiftieth.
static double rate_at(const TrainSetup *setup, uint64_t step, uint64_t steps) {
    const double share = (double)step / (double)steps;
    return setup->rate * (0.02 + 0.98 * 0.5 * (1.0 + cos(3.14159265358979323846 * share)));
}

// ---- going on -----------------------------------------------------------------------------------

// What a file of a fit in work begins with: another fit's is refused.
typedef struct StateHead {
    char magic[8];
    uint64_t setup[8]; // what decides the bits
    uint64_t steps, epochs_done;
    double best_loss;
} StateHead;

static StateHead state_head(const Train *train) {
    const TrainSetup *s = &train->setup;
    StateHead head = {.magic = "PTTRAIN",
                      .setup = {(uint64_t)s->units, (uint64_t)s->epochs, (uint64_t)s->batch,
                                s->alone, s->fit.seed, train->data->part[PART_TRAIN].count,
                                train->data->part[PART_VALID].count},
                      .steps = train->net.steps,
                      .epochs_done = (uint64_t)train->epochs_done,
                      .best_loss = train->best_loss};
    const double numbers[2] = {s->rate, train->data->k};
    head.setup[7] =
        random_mix(random_mix((uint64_t)(numbers[0] * 1e12)) + (uint64_t)(numbers[1] * 1e15));
    return head;
}

static Status save_state(const Train *train, const char *path, Err *err) {
    AUTO(Text) text = {0};
    const StateHead head = state_head(train);
    const size_t size = train->net.count * sizeof(float);
    text_add_bytes(&text, &head, sizeof head);
    text_add_bytes(&text, train->net.parameter, size);
    text_add_bytes(&text, train->net.moment, 2 * size);
    text_add_bytes(&text, train->best, size);
    return text_write_file(path, text.data, text.length, err);
}

Status train_resume(Train *train, const char *path, Err *err) {
    AUTO(Text) file = {0};
    size_t parameters = train->net.count * sizeof(float);
    StateHead head, own = state_head(train);
    if (rank_self() == 0) TRY(text_read_file(path, &file.data, &file.length, err));
    TRY(ranks_share_text(&file, err));
    const bool whole = file.length == sizeof head + 4 * parameters;
    if (whole) memcpy(&head, file.data, sizeof head);
    if (!whole || memcmp(head.magic, own.magic, sizeof head.magic) != 0 ||
        memcmp(head.setup, own.setup, sizeof head.setup) != 0) {
        return err_set(err, STATUS_MISMATCH,
                       "%s: not of this fit: it goes on with the same games and options only",
                       path);
    }
    const unsigned char *at = (const unsigned char *)file.data + sizeof head;
    at = bytes_take(at, train->net.parameter, parameters);
    at = bytes_take(at, train->net.moment, 2 * parameters);
    bytes_take(at, train->best, parameters);
    train->net.steps = head.steps;
    train->epochs_done = (int)head.epochs_done;
    train->best_loss = head.best_loss;
    train_net_refresh(&train->net, train->setup.fit.threads);
    return STATUS_OK;
}

// ---- the fit ------------------------------------------------------------------------------------

void train_init(Train *train, const TrainData *data, const TrainSetup *setup) {
    *train = (Train){.setup = *setup, .data = data, .best_loss = INFINITY};
    train_net_init(&train->net, setup->units, !setup->alone, (size_t)setup->batch, setup->fit.seed);
    train_net_refresh(&train->net, setup->fit.threads);
    train->best = memory_alloc(train->net.count, sizeof *train->best);
}

void train_clear(Train *train) {
    train_net_clear(&train->net);
    free(train->best);
    *train = (Train){0};
}

static double valid_loss(const Train *train) {
    AUTO_POINTER(Network) network = train_net_round(&train->net);
    return train_loss(network, train->data, PART_VALID, train->setup.fit.threads, NULL);
}

static Status run_epoch(Train *train, uint32_t *order, Err *err) {
    const TrainSetup *setup = &train->setup;
    const TrainRows *rows = &train->data->part[PART_TRAIN];
    const size_t size = (size_t)setup->batch;
    const uint64_t each = (rows->count + size - 1) / size;
    const uint64_t steps = each * (uint64_t)setup->epochs;
    const uint64_t mirror = random_mix(setup->fit.seed + (uint64_t)train->epochs_done);
    shuffle(order, rows->count, setup->fit.seed, train->epochs_done);
    for (size_t first = 0; first < rows->count && !train->interrupted; first += size) {
        const size_t count = first + size < rows->count ? size : rows->count - first;
        TRY(train_step(&train->net, rows, order + first, count, mirror, train->data->k,
                       rate_at(setup, train->net.steps, steps), setup->fit.threads,
                       &train->interrupted, err));
        if (train->progress) train->progress(train->context, train->epochs_done, first + count);
    }
    return STATUS_OK;
}

Status train_run(Train *train, const char *state_path, Err *err) {
    AUTO_FREE uint32_t *order = memory_alloc(train->data->part[PART_TRAIN].count, sizeof *order);
    while (train->epochs_done < train->setup.epochs) {
        TRY(run_epoch(train, order, err));
        const double loss = valid_loss(train);
        if (loss < train->best_loss) {
            train->best_loss = loss;
            memcpy(train->best, train->net.parameter, train->net.count * sizeof *train->best);
        }
        if (train->interrupted) break;
        train->epochs_done++;
        if (train->report) train->report(train->context, train->epochs_done, loss);
        if (rank_self() == 0) TRY(save_state(train, state_path, err));
    }
    memcpy(train->net.parameter, train->best, train->net.count * sizeof *train->best);
    train_net_refresh(&train->net, train->setup.fit.threads);
    return STATUS_OK;
}

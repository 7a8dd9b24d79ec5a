// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a network: epochs of batches, the best network so far, and the state file for
// --resume.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"
#include "tuner/train/train_shape.h"

// Fills `order` with a random order of the positions for an epoch (Fisher-Yates shuffle).
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

// Returns the learning rate of a step. It falls along half a cosine wave to 2 % of its first value.
static double rate_at(const TrainSetup *setup, uint64_t step, uint64_t steps) {
    const double share = (double)step / (double)steps;
    return setup->rate * (0.02 + 0.98 * 0.5 * (1.0 + cos(3.14159265358979323846 * share)));
}

// ---- resuming -----------------------------------------------------------------------------------

// Header of the file that stores the state of an unfinished fit. After the header follow the losses
// so far (TrainCurve), then the network's parameters, their first and second moments of Adam, and
// the best parameters so far. --resume refuses a file if a header member that is declared before
// `steps` differs from that of this fit.
typedef struct StateHead {
    char magic[8];
    double setup[10];                // settings and K, set by state_head()
    uint8_t data[SHA256_BYTES];      // Train.data_hash
    char start[SHA256_HEX_SIZE + 7]; // hash of the network from which the fit starts, or ""
    uint64_t steps, epochs_done;
    double best_loss;
} StateHead;

// Writes the SHA-256 of the training and validation positions, with their targets and weights.
static void hash_data(const TrainData *data, uint8_t digest[SHA256_BYTES]) {
    Sha256 hash;
    sha256_init(&hash);
    for (int part = PART_TRAIN; part <= PART_VALID; part++) {
        const uint64_t count = data->part[part].count;
        sha256_add(&hash, &count, sizeof count);
        sha256_add(&hash, data->part[part].list, count * sizeof(TrainRow));
    }
    sha256_finish(&hash, digest);
}

static StateHead state_head(const Train *train) {
    const TrainSetup *s = &train->setup;
    StateHead head = {.magic = "PTTRAIN",
                      .setup = {(double)s->fit.seed, s->units, s->epochs, s->batch, s->alone,
                                s->rate, train->data->k, s->decay, s->ratio, s->shape->buckets},
                      .steps = train->net.steps,
                      .epochs_done = (uint64_t)train->epochs_done,
                      .best_loss = train->best_loss};
    memcpy(head.data, train->data_hash, sizeof head.data);
    if (s->start) memcpy(head.start, s->start->hash, SHA256_HEX_SIZE);
    return head;
}

// Returns the size in bytes of an array with one number for each epoch.
static size_t epochs_size(const Train *train) {
    return (size_t)train->setup.epochs * sizeof(double);
}

// A part of the state file behind the header.
typedef struct StatePart {
    void *numbers;
    size_t size;
} StatePart;
enum { STATE_PARTS = 5 };

static void state_parts(Train *train, StatePart parts[STATE_PARTS]) {
    TrainCurve *curve = &train->curve;
    parts[0] = (StatePart){curve->rows, sizeof curve->rows};
    parts[1] = (StatePart){curve->sum, sizeof curve->sum};
    parts[2] = (StatePart){curve->valid, epochs_size(train)};
    parts[3] = (StatePart){curve->train, epochs_size(train)};
    parts[4] = (StatePart){train->net.parameter, TRAIN_LISTS * train->net.count * sizeof(float)};
}

// Writes the parts one after the other, because the parameters may need 100 megabytes.
static Status save_state(Train *train, const char *path, Err *err) {
    OutFile file;
    StatePart parts[STATE_PARTS];
    const StateHead head = state_head(train);
    state_parts(train, parts);
    TRY(out_file_open(&file, path, err));
    fwrite(&head, sizeof head, 1, file.stream); // out_file_close() reports a failure
    for (int i = 0; i < STATE_PARTS; i++) fwrite(parts[i].numbers, 1, parts[i].size, file.stream);
    return out_file_close(&file, STATUS_OK, err);
}

Status train_resume(Train *train, const char *path, Err *err) {
    AUTO(Text) file = {0};
    StatePart parts[STATE_PARTS];
    StateHead head, own = state_head(train);
    size_t size = sizeof head;
    state_parts(train, parts);
    for (int i = 0; i < STATE_PARTS; i++) size += parts[i].size;
    if (mpi_rank() == 0 && bytes_read_file(path, &file.data, &file.length, err) != STATUS_OK) {
        return err_remedy(err, "there is nothing to resume: omit --resume");
    }
    TRY(ranks_share_text(&file, err));
    const bool whole = file.length == size;
    if (whole) memcpy(&head, file.data, sizeof head);
    if (!whole || memcmp(&head, &own, offsetof(StateHead, steps)) != 0) {
        return err_set(err, STATUS_MISMATCH,
                       "%s: is damaged or belongs to a fit with other games or options; resume "
                       "with the games and options of that fit, or omit --resume to start a new "
                       "fit",
                       path);
    }
    const char *from = file.data + sizeof head;
    for (int i = 0; i < STATE_PARTS; from += parts[i++].size) {
        memcpy(parts[i].numbers, from, parts[i].size);
    }
    train->net.steps = head.steps;
    train->epochs_done = (int)head.epochs_done;
    train->best_loss = head.best_loss;
    train_net_refresh(&train->net, train->setup.fit.threads);
    return STATUS_OK;
}

// ---- the fit ------------------------------------------------------------------------------------

// Returns the parameters with the least validation loss so far.
static float *best_of(const TrainNet *net) {
    return net->parameter + TRAIN_BEST * net->count;
}

void train_init(Train *train, const TrainData *data, const TrainSetup *setup) {
    *train = (Train){.setup = *setup, .data = data, .best_loss = INFINITY};
    train_net_init(&train->net, setup, data);
    TrainCurve *curve = &train->curve;
    curve->train = memory_alloc((size_t)setup->epochs, sizeof *curve->train);
    curve->valid = memory_alloc((size_t)setup->epochs, sizeof *curve->valid);
    for (int i = 0; i < setup->epochs; i++) curve->train[i] = curve->valid[i] = NAN;
    if (setup->start) train_net_start(&train->net, setup->start);
    train_net_refresh(&train->net, setup->fit.threads);
    hash_data(data, train->data_hash);
    AUTO_POINTER(Network) network = train_net_round(&train->net);
    train->start_loss = train_loss(network, data, data->k, PART_VALID, setup->fit.threads, NULL);
    memcpy(best_of(&train->net), train->net.parameter, train->net.count * sizeof(float));
}

void train_clear(Train *train) {
    train_net_clear(&train->net);
    free(train->curve.train);
    free(train->curve.valid);
}

Status train_epoch(Train *train, Progress *progress, const char *state_path, double *loss,
                   Err *err) {
    const TrainSetup *setup = &train->setup;
    const TrainRows *rows = &train->data->part[PART_TRAIN];
    TrainNet *net = &train->net;
    const size_t size = (size_t)setup->batch;
    const uint64_t steps = (rows->count + size - 1) / size * (uint64_t)setup->epochs;
    const uint64_t mirror = random_mix(setup->fit.seed) << 1 | (train->epochs_done & 1);
    const uint64_t before = (uint64_t)train->epochs_done * rows->count;
    double sum = 0; // sum of the losses of all positions
    AUTO_FREE uint32_t *order = memory_alloc(rows->count, sizeof *order);
    shuffle(order, rows->count, setup->fit.seed, train->epochs_done);
    for (size_t first = 0; first < rows->count && !train->interrupted; first += size) {
        const size_t count = first + size < rows->count ? size : rows->count - first;
        TRY(train_step(net, rows, order + first, count, mirror, train->data->k,
                       rate_at(setup, net->steps, steps), setup->decay, setup->fit.threads,
                       &train->interrupted, err));
        const uint64_t at = (net->steps - 1) * TRAIN_CURVE / steps;
        train->curve.rows[at] += (double)count;
        train->curve.sum[at] += net->loss * (double)count;
        sum += net->loss * (double)count;
        train->rows_done = (double)(before + first + count);
        progress_update(progress, before + first + count, NULL);
        if (live_page_is_due(train->page)) train_page_update(train, "The network is fitted.");
    }
    AUTO_POINTER(Network) network = train_net_round(net);
    *loss = train_loss(network, train->data, train->data->k, PART_VALID, setup->fit.threads, NULL);
    train->curve.valid[train->epochs_done] = *loss;
    // The rounded network always has a finite loss, even if a parameter is not a number.
    const bool finite = isfinite(sum) && isfinite(*loss);
    train->diverged = !finite || *loss > DIVERGED_FACTOR * train->start_loss;
    if (finite && *loss < train->best_loss) {
        train->best_loss = *loss;
        memcpy(best_of(net), net->parameter, net->count * sizeof(float));
    }
    if (train->interrupted) return STATUS_OK;
    train->curve.train[train->epochs_done] = sum / (double)rows->count;
    train->epochs_done++;
    return mpi_rank() == 0 ? save_state(train, state_path, err) : STATUS_OK;
}

bool train_is_better(const Train *train) {
    return train->best_loss < train->start_loss;
}

Network *train_best(Train *train) {
    const TrainNet *net = &train->net;
    memcpy(net->parameter, best_of(net), net->count * sizeof(float));
    train_net_refresh(&train->net, train->setup.fit.threads);
    return train_net_round(net);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a network (core/eval/network.h) to stored games, by batches and the steps of Adam
// (Kingma and Ba 2015). Targets, weights and parts of the games are those of fit/fit.h; K is that
// of the linear weights, so that both have one scale.
//
// Every sum has a fixed order: the bits do not depend on the number of threads and MPI ranks. Each
// rank has all rows, and does its part of every batch.
#pragma once

#include "core/base/progress.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"
#include "tuner/fit/fit.h"

// ---- positions ----------------------------------------------------------------------------------

// A position as its side to move sees it.
typedef struct TrainRow {
    uint8_t squares[SLOT_COUNT];
    float linear;                  // units, of the linear evaluation
    float target;                  // expected points
    float weight;                  // in the loss; the mean over all rows is 1
    uint32_t game : 31, black : 1; // index into the rows' games; is Black to move?
} TrainRow;

typedef struct TrainRows {
    TrainRow *list;
    size_t count;
} TrainRows;

typedef struct TrainData {
    TrainRows part[PART_COUNT];
    size_t game_count;
    uint64_t games[PART_COUNT];
    double k;       // 1 / units
    double *fitted; // [game_count]: losses of the linear fit; on rank 0 alone
    Text runs;      // names of the runs, one per line; on rank 0 alone
} TrainData;

// The linear fit that is made before: targets and K of the network are its own.
typedef struct TrainLinear {
    FitSetup setup;
    LossSetup loss; // with its slopes
    double start[2 * WEIGHT_COUNT], fitted[2 * WEIGHT_COUNT];
    size_t rows; // number of rows of the fit
} TrainLinear;

// Fits the linear weights, from `start` on with its errors `se`, to a sample of whole games with
// about `positions` positions. It holds these rows while it runs.
Status train_linear_fit(const char *const *paths, int count, const FitSetup *setup,
                        const double *start, const double *se, uint64_t positions, FILE *show,
                        TrainLinear *linear, Err *err);
// Reads all positions of the runs, with targets and K of the linear fit, and the scores of its
// start. It holds 48 bytes a position, and the rows of the shards that are being read.
Status train_data_read(const char *const *paths, int count, const TrainLinear *linear, FILE *show,
                       TrainData *data, Err *err);
Status train_data_share(TrainData *data, Err *err); // gives all ranks that of rank 0
void train_data_clear(TrainData *data);

// ---- numbers of a network while it is fitted ----------------------------------------------------

// All parameters in one list: weights of places that all buckets share, what each bucket adds,
// biases, output weights, output biases. Gradients are of `input` in place of the first two.
enum { TRAIN_MOMENT = 1, TRAIN_BEST = 3, TRAIN_LISTS };
typedef struct Seen Seen; // a row in work
typedef struct TrainNet {
    int units;
    bool linear;
    size_t count;     // parameters
    float *parameter; // [count]; behind it Adam's moments of first and second order, and the best
                      // parameters so far: TRAIN_LISTS lists
    uint64_t steps;   // made
    float *input;     // [NETWORK_INPUTS][units]: shared and bucket's together
    NetworkPlaces places;
    Seen *seen;      // [rows of a batch]; the sums become slopes
    float *gradient; // [ranges][slopes]: inputs, biases, output weights and biases; a spare one
    size_t slopes;
    float *partial; // [chunks][partial_size]: of the output layer
    size_t partial_size;
} TrainNet;

void train_net_init(TrainNet *net, int units, bool linear, size_t batch, uint64_t seed);
void train_net_clear(TrainNet *net);
// Sums `input` from the parameters.
void train_net_refresh(TrainNet *net, int threads);
// The same as whole numbers, but for the linear weights; network_free() frees.
Network *train_net_round(const TrainNet *net);

// One step on these rows, `rate` long; where a bit of `mirror` is set the row is mirrored. *stop:
// rank 0 was interrupted.
Status train_step(TrainNet *net, const TrainRows *rows, const uint32_t *order, size_t count,
                  uint64_t mirror_seed, double k, double rate, int threads, bool *stop, Err *err);

// Cross entropy of a row, by k times the score; and its slope by that unless NULL.
double train_row_loss(const TrainRow *row, double k_score, double *slope);
// The mean loss of what plays (NULL: of the linear evaluation). Those of the rows are added to
// losses [game_count] of their games, unless NULL.
double train_loss(const Network *network, const TrainData *data, FitPart part, int threads,
                  double *losses);

// ---- the fit ------------------------------------------------------------------------------------

typedef struct TrainSetup {
    FitSetup fit; // seed, threads, parts, targets
    int units, epochs, batch;
    bool alone; // without the linear evaluation
    double rate;
} TrainSetup;

typedef struct Train {
    TrainSetup setup;
    const TrainData *data; // borrowed
    TrainNet net;
    int epochs_done;
    double best_loss; // the least of validation
    bool interrupted;
} Train;

void train_init(Train *train, const TrainData *data, const TrainSetup *setup);
void train_clear(Train *train);
AUTO_VALUE(Train, train_clear)
// Goes on from a file of train_run(), which rank 0 reads. STATUS_MISMATCH: of another fit.
Status train_resume(Train *train, const char *path, Err *err);
// Runs an epoch, or until Ctrl-C: *loss is of validation. Rank 0 writes the fit to state_path.
Status train_epoch(Train *train, Progress *progress, const char *state_path, double *loss,
                   Err *err);
// The best network of all epochs, without its linear weights.
Network *train_best(Train *train);

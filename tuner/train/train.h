// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a network (core/eval/network.h) to stored games, by batches and Adam steps (Kingma and
// Ba 2015). Targets, weights and parts of the games are those of fit/fit.h. K is that of the linear
// weights, so both evaluations have one scale.
//
// Every sum has a fixed order, so the result does not depend on the number of threads and MPI
// ranks. Each rank holds all rows and works on its part of every batch.
#pragma once

#include "core/base/progress.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"
#include "selfplay/pages/live_page.h"
#include "tuner/fit/fit.h"

// ---- positions ----------------------------------------------------------------------------------

// A position from the view of its side to move.
typedef struct TrainRow {
    uint8_t squares[SLOT_COUNT];
    float linear;                  // score of the linear evaluation, units
    float target;                  // expected points of the side to move, 0..1
    float weight;                  // weight in the loss; the mean over all rows is 1
    uint32_t game : 31, black : 1; // index of the game; 1 if Black is to move
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
    double *fitted; // [game_count]: losses of the linear fit; on MPI rank 0 only
    Text runs;      // one line per run, "data PATH content_hash HEX"; on MPI rank 0 only
} TrainData;

// The linear fit that precedes the network. It determines targets and K of the network.
typedef struct TrainLinear {
    FitSetup setup;
    LossSetup loss; // with its slopes
    double start[2 * WEIGHT_COUNT], fitted[2 * WEIGHT_COUNT];
    size_t rows;        // number of rows of the fit
    bool results_alone; // no row has a search score, so the targets are the results
} TrainLinear;

// Fits the linear weights to a sample of whole games with about `positions` positions. `start` and
// its standard errors `se` define the prior. The rows are in memory while it runs.
Status train_linear_fit(const char *const *paths, int count, const FitSetup *setup,
                        const double *start, const double *se, uint64_t positions, FILE *show,
                        TrainLinear *linear, Err *err);
// Reads all positions of the runs and computes their targets with the slopes of the linear fit, and
// their scores by its start weights. It uses 48 bytes per position, plus the rows of the shards
// that are being read.
Status train_data_read(const char *const *paths, int count, const TrainLinear *linear, FILE *show,
                       TrainData *data, Err *err);
Status train_data_share(TrainData *data, Err *err); // sends the data of rank 0 to all ranks
void train_data_clear(TrainData *data);
AUTO_VALUE(TrainData, train_data_clear)

// ---- the network during the fit
// ------------------------------------------------------------------

// All parameters are in one list: the input weights that all buckets share, the addition of each
// bucket, hidden biases, output weights, output biases. Gradients have `input` instead of the first
// two.
enum { TRAIN_MOMENT = 1, TRAIN_BEST = 3, TRAIN_LISTS };
typedef struct Seen Seen; // working state of one row
typedef struct TrainNet {
    int units;
    bool linear;
    size_t count;     // number of parameters
    float *parameter; // [TRAIN_LISTS][count]: parameters, Adam's first and second moments, best
                      // parameters so far
    uint64_t steps;   // number of steps made
    float *input;     // [NETWORK_INPUTS][units]: sum of the shared weight and the bucket's addition
    NetworkPlaces places;
    Seen *seen;  // [rows of a batch]
    float *sums; // [rows of a batch][2][units]: hidden sums; backward() replaces them by their
                 // gradients
    float
        *gradient; // [RANGES][slopes]: gradient of inputs, biases, output weights and output biases
    size_t slopes;
    float *partial; // [chunks][partial_size]: gradient of the output layer, then the loss
    size_t partial_size;
    double loss; // mean loss on the rows of the last step, before the step
} TrainNet;

void train_net_init(TrainNet *net, int units, bool linear, size_t batch, uint64_t seed);
// Replaces the first units by those of a network, which has at most as many. The outputs of the
// other units become 0.
void train_net_start(TrainNet *net, const Network *network);
void train_net_clear(TrainNet *net);
// Computes `input` from the parameters.
void train_net_refresh(TrainNet *net, int threads);
// Returns the network rounded to integers, without its linear weights. The caller frees it with
// network_free().
Network *train_net_round(const TrainNet *net);

// Makes one step with learning rate `rate` and weight decay `decay` on the given rows. A hash of
// mirror_seed and the row decides whether the row is mirrored. Sets *stop if rank 0 was
// interrupted.
Status train_step(TrainNet *net, const TrainRows *rows, const uint32_t *order, size_t count,
                  uint64_t mirror_seed, double k, double rate, double decay, int threads,
                  bool *stop, Err *err);

// Returns the cross entropy of a row for k times its score. Sets *slope to the derivative by that
// product unless `slope` is NULL.
double train_row_loss(const TrainRow *row, double k_score, double *slope);
// Returns the mean loss of the rounded network, or of the linear evaluation if `network` is NULL.
// Adds the loss of each row to losses[game], unless `losses` is NULL.
double train_loss(const Network *network, const TrainData *data, FitPart part, int threads,
                  double *losses);

// ---- the fit ------------------------------------------------------------------------------------

typedef struct TrainSetup {
    FitSetup fit; // seed, threads, split and targets
    int units, epochs, batch;
    bool alone;           // the network plays without the linear evaluation
    double rate;          // learning rate of the first step
    double decay;         // a step makes each weight smaller by the share rate * decay
    const Network *start; // network that the fit starts from, borrowed; NULL: random weights
} TrainSetup;

// Losses during the fit. Training losses are means over 1/TRAIN_CURVE of all steps of the fit, of
// the network as it was then.
enum { TRAIN_CURVE = 120 };
typedef struct TrainCurve {
    double rows[TRAIN_CURVE]; // rows of each mean
    double sum[TRAIN_CURVE];  // sum of their losses
    double *valid;            // [setup.epochs]: losses after each epoch; NAN: unknown
    double linear;            // validation loss of the linear weights
} TrainCurve;

typedef struct Train {
    TrainSetup setup;
    const TrainData *data; // borrowed
    TrainNet net;
    int epochs_done;
    double best_loss; // least validation loss so far
    bool interrupted;
    // For the page:
    LivePage *page;   // NULL: no page; borrowed
    const char *name; // file of the network; borrowed
    TrainCurve curve;
    double rows_done; // rows of all steps
    double begun_s;   // time when the epochs of this call began; 0: not yet
    int begun_epochs; // epochs of earlier calls
} Train;

void train_init(Train *train, const TrainData *data, const TrainSetup *setup);
void train_clear(Train *train);
AUTO_VALUE(Train, train_clear)
// Resumes from a file of train_epoch(), which rank 0 reads. Returns STATUS_MISMATCH if it belongs
// to another fit.
Status train_resume(Train *train, const char *path, Err *err);
// Runs one epoch, or until Ctrl-C. Sets *loss to the validation loss. Rank 0 writes the state to
// state_path.
Status train_epoch(Train *train, Progress *progress, const char *state_path, double *loss,
                   Err *err);
// Shows the state on the page, if there is one. `stage` says what is done, in a sentence.
void train_page_update(const Train *train, const char *stage);
// Returns the network with the least validation loss, without its linear weights.
Network *train_best(Train *train);

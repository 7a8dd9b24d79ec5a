// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a network (core/eval/network.h) to stored games, with batches and Adam steps (Kingma
// and Ba 2015; weight decay as in AdamW). tuner/fit/fit.h and loss.h define the targets, the
// weights of the positions, and the split of the games into training, validation and test games.
// The network and the linear weights share one slope K of the sigmoid, so their scores have the
// same unit.
//
// Every sum has a fixed order, so the result does not depend on the number of threads and MPI
// ranks. Each MPI rank has all positions in memory and processes its part of every batch.
#pragma once

#include "core/base/hash.h"
#include "core/command/progress.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"
#include "selfplay/pages/live_page.h"
#include "tuner/fit/fit.h"

// ---- positions ----------------------------------------------------------------------------------

// A position. Its score and its target are from the view of its side to move.
typedef struct TrainRow {
    uint8_t squares[SLOT_COUNT];
    // score of the position by the linear weights of --weights, truncated to an integer; 100 units
    // are one point of the classic piece values
    float linear;
    float target; // expected points of the side to move, 0..1
    // weight of the position in the loss; its mean over all positions is about 1
    float weight;
    // `game` is the index of the position's game. `black` is 1 if Black is to move.
    uint32_t game : 31, black : 1;
} TrainRow;

typedef struct TrainRows {
    TrainRow *list;
    size_t count;
} TrainRows;

typedef struct TrainData {
    TrainRows part[PART_COUNT];
    size_t game_count;
    uint64_t unknown_results; // number of positions whose game has no result
    uint64_t games[PART_COUNT];
    double k;       // slope of the sigmoid, per unit of score
    double *fitted; // weighted loss of the linear fit, summed over each game; on MPI rank 0 only
    Text runs;      // one line "data PATH content_hash HEX" per run; on MPI rank 0 only
} TrainData;

// The linear fit that precedes the network. It determines the targets and K of the network.
typedef struct TrainLinear {
    FitSetup setup;
    LossSetup loss; // setup of the loss, with the slopes of the sigmoids that the fit estimated
    double start[2 * WEIGHT_COUNT], fitted[2 * WEIGHT_COUNT];
    // True if no position has a search score, so that the results are the targets.
    bool results_alone;
} TrainLinear;

// Fits linear weights to a random sample of whole games with about `positions` positions, or to all
// games if they have fewer positions. `start` and its standard errors `se` define the prior. The
// positions of the sample are in memory during the fit. Progress is shown on `show` unless it is
// NULL; warnings about the data go to `warn`.
Status train_linear_fit(const char *const *paths, int count, const FitSetup *setup,
                        const double *start, const double *se, uint64_t positions, FILE *show,
                        FILE *warn, TrainLinear *linear, Err *err);
// Reads all positions of the runs. Computes their targets with the sigmoids of the linear fit
// (linear->loss), and their scores with the weights linear->start. Leaves out positions without a
// target. Returns STATUS_BAD_INPUT if no training or no validation position remains. Needs 48 bytes
// per position, plus memory for the shards that are being read.
Status train_data_read(const char *const *paths, int count, const TrainLinear *linear, FILE *show,
                       TrainData *data, Err *err);
Status train_data_share(TrainData *data, Err *err); // sends the data of MPI rank 0 to all ranks
void train_data_clear(TrainData *data);
AUTO_VALUE(TrainData, train_data_clear)

// ---- the network during the fit -----------------------------------------------------------------

// A segment of the list of parameters: numbers of one kind. It begins with a part for each group,
// [groups][size], and then has a part for each bucket of each group, [groups][buckets][size]. A
// number of the network, [groups][buckets][size], is the sum of both parts, times `one`, limited to
// low..high. With one bucket the first part is missing.
typedef struct TrainSegment {
    size_t size;
    int groups, buckets;
    float one, low, high;
    float limit; // largest absolute value of a parameter
    bool decays;
    float rate_factor;  // learning rate of the segment, divided by that of the fit
    size_t first, used; // index of the first number in the list of parameters, and in TrainNet.used
} TrainSegment;

// The enumerators are indices of the lists in TrainNet.parameter.
enum { TRAIN_MOMENT = 1, TRAIN_BEST = 3, TRAIN_LISTS, TRAIN_SEGMENTS = 9 };
typedef struct Seen Seen;             // network inputs of one position
typedef struct TrainShape TrainShape; // kind of network (train_shape.h)
typedef struct TrainNet {
    const TrainShape *shape;
    int units; // number of floats of an accumulator
    bool linear;
    // True if the numbers that the network uses, and its values, are rounded to integers as in the
    // network's file. Gradients ignore the rounding.
    bool whole;
    double unit; // score for an output of 1, in units of the evaluation
    int ratio;   // TrainSetup.ratio
    TrainSegment segment[TRAIN_SEGMENTS];
    int segments;
    size_t count, inputs; // number of parameters, number of inputs
    // Lists of `count` numbers, one after the other: the parameters (0), the first and second
    // moments of Adam (1, 2), and the parameters with the least validation loss so far (3).
    float *parameter;
    uint64_t steps; // number of Adam steps made
    // The numbers that the network uses, computed from the parameters: input weights
    // [units / LANES][inputs][LANES], hidden biases [units], then numbers of the layers above. A
    // gradient has the same order.
    float *used;
    size_t bias, head, used_count; // index of the first bias, of the first number of the layers
                                   // above, and the number of all
    NetworkPlaces places;
    const Network *start; // network from which the fit starts, borrowed; NULL: random weights
    Seen *seen;           // network inputs of each position of a batch
    // Accumulators of each position of a batch: the inputs of the hidden units before the
    // activation, for both sides, [batch][2][units]. backward() overwrites each accumulator with
    // the derivative of the loss with respect to this accumulator.
    float *sums;
    // [ranges][slopes], one row for each range of the batch (train_shape.h). A row contains
    // the derivatives of the loss with respect to the numbers in `used`, then the loss. At the end
    // of a step, row 0 holds the sums over all ranges, and then the number 1 if the fit must stop,
    // else 0.
    float *gradient;
    size_t slopes; // number of floats allocated for each range of the batch in `gradient`
    // One row for each chunk of the batch: derivatives of the loss with respect to the numbers of
    // the layers above the accumulators, then the loss.
    float *partial;
    // number of floats in `partial` that each chunk uses, and that are allocated for it
    size_t partial_size, partial_stride;
    // mean of (loss * weight of the position) over the positions of the last step, computed before
    // the step
    double loss;
} TrainNet;

typedef struct TrainSetup TrainSetup;
// Begins a fit to `data` without a start network.
void train_net_init(TrainNet *net, const TrainSetup *setup, const TrainData *data);
// Copies the numbers of `network` to the first hidden units of *net, which must have at least as
// many hidden units. The output weights of the other units become 0. *net borrows `network`.
void train_net_start(TrainNet *net, const Network *network);
void train_net_clear(TrainNet *net);
// Computes net->used from the parameters.
void train_net_refresh(TrainNet *net, int threads);
// Computes the parameters from net->used. Numbers of a bucket become the mean of all buckets plus
// what the bucket adds.
void train_net_split(TrainNet *net);
// Returns the network with weights rounded to integers. Its linear weights are not set. The caller
// frees it with network_free().
Network *train_net_round(const TrainNet *net);

// Makes one Adam step with learning rate `rate` and weight decay `decay` on `count` positions. The
// array `order` lists their indices in `rows`. A hash of mirror_seed / 2 and the position's index
// decides whether the position is mirrored; the last bit of mirror_seed reverses this. Sets *stop
// to true if MPI rank 0 was interrupted, otherwise to false.
Status train_step(TrainNet *net, const TrainRows *rows, const uint32_t *order, size_t count,
                  uint64_t mirror_seed, double k, double rate, double decay, int threads,
                  bool *stop, Err *err);

// Returns the cross entropy of a position whose score times k is k_score. Unless `slope` is NULL,
// sets *slope to its derivative with respect to k_score.
double train_row_loss(const TrainRow *row, double k_score, double *slope);
// Returns the weighted mean loss of a rounded network on a part of the games, or of the linear
// evaluation if `network` is NULL, with the slope `k`. If `losses` is not NULL, adds the weighted
// loss of each position to the element of its game, losses[game].
double train_loss(const Network *network, const TrainData *data, double k, FitPart part,
                  int threads, double *losses);
// Returns the K with which a rounded network has the least loss on the training games, or on about
// 1 million positions that are spread over these games. The shared K of `data` is that of the
// linear fit. With it, the network would have a larger loss only because its scale differs.
double train_best_k(const Network *network, const TrainData *data, int threads);

// ---- the fit ------------------------------------------------------------------------------------

struct TrainSetup {
    // setup of the linear fit; the network has the same seed, threads, targets, and split of the
    // games
    FitSetup fit;
    const TrainShape *shape; // kind of network
    int units, epochs, batch;
    bool alone;  // true if the network plays without the linear evaluation
    double rate; // learning rate of the first step
    // Weight decay: a step multiplies each weight except the biases by 1 - decay * learning rate of
    // the step.
    double decay;
    const Network *start; // network from which the fit starts, borrowed; NULL: random weights
    // Only for networks of Fairy-Stockfish: our units for FAIRY_RATIO_OF of its units.
    int ratio;
    const Weights *weights; // linear weights, borrowed
};

// Losses during the fit, for the chart of the page. The sequence of all steps is divided into
// TRAIN_CURVE equal parts, and the chart shows the mean training loss of each part. The loss of a
// batch is computed before the step that uses this batch.
enum { TRAIN_CURVE = 120, DIVERGED_FACTOR = 2 };
typedef struct TrainCurve {
    double rows[TRAIN_CURVE]; // for each part of the sequence of steps: number of positions
    double sum[TRAIN_CURVE];  // for each part: sum of the training losses of these positions
    double *train;            // mean training loss of each epoch; NAN: unknown; [epochs]
    double *valid;            // validation loss after each epoch; NAN: unknown; [epochs]
    double linear;            // validation loss of the linear weights
} TrainCurve;

typedef struct Train {
    TrainSetup setup;
    const TrainData *data; // training data, borrowed from the caller
    // SHA-256 of the training and validation positions, with their targets, weights and linear
    // scores. A state file of other positions or targets is refused.
    uint8_t data_hash[SHA256_BYTES];
    TrainNet net;
    int epochs_done;
    double start_loss; // validation loss of the network before the first epoch
    double best_loss;  // least validation loss of an epoch so far; infinite before the first epoch
    bool interrupted;
    // True if the fit diverged: the last loss is not finite, or the validation loss is above
    // DIVERGED_FACTOR times start_loss. No further epoch is run.
    bool diverged;
    // The members below are for the page of --page.
    LivePage *page;   // writer of the page, borrowed; NULL: no page
    const char *name; // path of the network's file, borrowed
    TrainCurve curve;
    double rows_done; // number of positions in all steps so far
    double begun_s; // clock_now_s() when this call of the command began its first epoch; 0: not yet
    int begun_epochs; // number of epochs that earlier, interrupted calls of the command finished
} Train;

void train_init(Train *train, const TrainData *data, const TrainSetup *setup);
void train_clear(Train *train);
AUTO_VALUE(Train, train_clear)
// Continues from a state file of train_epoch(), which MPI rank 0 reads. Returns STATUS_MISMATCH if
// the file belongs to another fit.
Status train_resume(Train *train, const char *path, Err *err);
// Runs one epoch, or less after Ctrl-C. Sets *loss to the validation loss, and train->diverged.
// After a complete epoch, MPI rank 0 writes the state file to state_path.
Status train_epoch(Train *train, Progress *progress, const char *state_path, double *loss,
                   Err *err);
// Updates the page of --page, if there is one. `stage` is a sentence that says what is done now.
void train_page_update(const Train *train, const char *stage);
// Returns true if the validation loss of an epoch is less than that of the network before the first
// epoch.
bool train_is_better(const Train *train);
// Restores the parameters of the epoch with the least validation loss, and returns the network with
// these parameters, rounded. The linear weights of the network are not set. The caller frees it
// with network_free().
Network *train_best(Train *train);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loss that weights have on training positions, with its gradient and its Hessian. All are
// summed in a fixed order.
//
// The score of a position (a row) is s = p * mg + (1 - p) * eg + offset. Here mg and eg are the
// sums of its coefficients times the middlegame or endgame weights, and p is its phase, from 0
// (endgame) to 1 (full middlegame). The offset, mostly 0, is a part of the score to which no weight
// contributes. The expected result for Red is sigma(k s) = 1 / (1 + exp(-k s)). The target t in
// 0..1 blends the game's result (a draw is 0.5) and the result that the search score predicts. The
// loss of a position is either
//     cross entropy   -t ln sigma - (1 - t) ln(1 - sigma)    or    squared error   (sigma - t)^2.
//
// The positions are stored in chunks, arrays of at most ROWS_CHUNK positions. For the loss and its
// gradient the chunks are divided into LOSS_RANGES fixed ranges, for the Hessian into RowSet.groups
// ranges. The sums of the ranges are added in order. Any number of threads therefore gives the same
// bits.
#pragma once

#include "tuner/rows/rows.h"

enum { LOSS_RANGES = 64, SCORE_KNOTS = 6 };

typedef enum LossKind { LOSS_CROSS_ENTROPY, LOSS_SQUARED } LossKind;
#define LOSS_NAMES "cross-entropy|squared"

typedef struct LossSetup {
    LossKind kind;
    double k; // slope K of the sigmoid that maps scores to expected results, per unit of score
    // Weight of the game's result in the target, 0..1; the search score has the weight 1 - lambda.
    // If lambda is 1, positions without a result have no target.
    double lambda;
    // Slope, in the full middlegame, of the score sigmoid. It converts a search score s to the
    // expected result sigma(slope * (s - b)), where b is the shift for the side to move
    // (mover_units). The target contains this result. loss_score_slope() returns the slope in any
    // phase.
    double k_score;
    // Number of units by which short searches favour the side to move. Before a search score, which
    // is from Red's view, is converted to a result, mover_units are subtracted if Red is to move
    // and added if Black is. Nothing changes if the side to move is unknown.
    double mover_units;
    // coefficients that say how the slope of the score sigmoid changes with the phase of the game,
    // see loss_score_slope()
    double k_bend[SCORE_KNOTS - 1];
    double phase_max; // phase of a full middlegame (RowSet.phase_max); 0: k_bend is not used
    const double *game_weight; // weight of the positions of each game; NULL: all weights are 1
    // Weights of the games in the validation loss; NULL: the loss is not computed.
    const double *valid_weight;
    int every; // use only the chunks whose index is a multiple of `every`; 0 or 1: all chunks
    int threads;
    bool k_fitted;       // true if loss_fit_slopes() estimated k
    bool sigmoid_fitted; // true if loss_fit_slopes() estimated k_score, k_bend and mover_units
} LossSetup;

typedef struct LossSums {
    double loss;   // sum of weight * loss over the positions
    double weight; // sum of the weights of the positions
    // sums over the positions of v * loss and of v, where v is the position's weight in the
    // validation loss (LossSetup.valid_weight)
    double valid_loss, valid_weight;
    // First and second derivative of the loss with respect to ln k. The second is exact for the
    // cross entropy, and the Gauss-Newton approximation for the squared error.
    double by_log_k, by_log_k_twice;
} LossSums;

// Computes the loss of `weights` [2 * rows->pairs], which hold the middlegame and endgame weight of
// pair 0, of pair 1, and so on. Writes the gradient of LossSums.loss to gradient [2 * rows->pairs]
// unless it is NULL.
LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient);

// Computes the Hessian of LossSums.loss: n x n, n = 2 * rows->pairs, row-major, both triangles. It
// is exact for the cross entropy. For the squared error it is the Gauss-Newton approximation, which
// is never indefinite. Defined in hessian.c.
void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights,
                  double *hessian);

// Results of loss_chunk() for a chunk, an array of at most ROWS_CHUNK positions. They are, for each
// position: k times its score, its target (the result that should be predicted), its loss and its
// weight. The weight is that of the position's game. It is 0 if the position has no target: neither
// a result nor a search score that is used (lambda below 1).
typedef struct ChunkLoss {
    double score[ROWS_CHUNK], target[ROWS_CHUNK], loss[ROWS_CHUNK], weight[ROWS_CHUNK];
} ChunkLoss;
void loss_chunk(const RowSet *rows, const LossSetup *setup, const double *weights, size_t chunk,
                ChunkLoss *out);

// Computes the scores, in units, of all positions in rows->chunks[chunk].
void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores);

// Returns the slope that maps search scores to expected results for a position of this phase (0 to
// phase_max). When few pieces remain, the same search score wins less often. The slope is k_score
// times a piecewise linear function of the middlegame share, from 0 (bare endgame) to 1 (full
// middlegame). The function is 1 + sum of k_bend[j] * max(0, knot[j + 1] - middlegame share), with
// SCORE_KNOTS equidistant knots from 0 to 1.
ALWAYS_INLINE double loss_score_slope(const LossSetup *setup, double phase) {
    const double knots = SCORE_KNOTS - 1;
    const bool phased = setup->phase_max > 0;
    const double share = phase * (phased ? 1.0 / setup->phase_max : 0.0) + (phased ? 0.0 : 1.0);
    double bend = 1.0;
    for (int j = 0; j < SCORE_KNOTS - 1; j++) {
        const double below = (j + 1) / knots - share;
        bend += setup->k_bend[j] * (below > 0 ? below : 0.0);
    }
    return setup->k_score * bend;
}

// Computes the loss of `count` positions (at most LOSS_BLOCK), and its first two derivatives with
// respect to k times the score.
enum { LOSS_BLOCK = 512 };
typedef struct LossBlock {
    _Alignas(64) double score[LOSS_BLOCK]; // in: k * s, where s is the score of the position
    double target[LOSS_BLOCK];             // in: target, in expected points
    double loss[LOSS_BLOCK];               // out: loss of the position
    double slope[LOSS_BLOCK];              // out: derivative of the loss with respect to score[]
    // out: second derivative of the loss with respect to score[]; for the squared error, without
    // the part that contains the second derivative of the sigmoid (Gauss-Newton approximation)
    double curvature[LOSS_BLOCK];
    int count;
} LossBlock;
void loss_block(LossKind kind, LossBlock *block);

// Computes the targets of the positions `first` to `first` + count - 1 in *chunk; count is at most
// LOSS_BLOCK. The target blends result and search score, or is one of them if the other is unknown.
// Sets the weight of a position to 1, or to 0 if it has neither a result nor a search score.
void loss_targets(const LossSetup *setup, const RowChunk *chunk, uint32_t first, int count,
                  double *restrict target, double *restrict weight);

// Returns sigma(u), the expected points for u = k * score.
double loss_expected_points(double u);

// Slope K of the usual scale of chess programs, where a lead of 400 units means odds of ten to one.
// This K is used if the data do not determine the slope, and as the first guess.
#define LOSS_USUAL_K 0.0057564627324851146 // ln(10) / 400

// Returns STATUS_USAGE if the slope of the option --k is too small for a fit: the predictions of
// all positions would then be nearly equal. 0, which requests a fit of K, is allowed.
Status loss_check_k(double k, Err *err);

// Fits the sigmoids of *setup that are unknown, in two steps. Defined in loss_k.c.
//
// The first step fits the score sigmoid (k_score, k_bend, mover_units) if k_score is 0 and search
// scores are part of the target. It uses the positions that have a result and a search score that
// is not a mate. If there are search scores, but no such position, k_score becomes k. If k is
// unknown, too, both become LOSS_USUAL_K.
//
// The second step fits k if it is still 0. It finds the k for which the loss of `weights` is least.
Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err);

// Scores of positions, which need not be sums of weights, with the results that they should predict
// and with the weights of the positions in the loss.
typedef struct ScoredRows {
    const float *score, *target; // [count], in units from Red's view and in expected points
    const double *weight;        // [count]; a position with weight 0 is left out
    size_t count;
} ScoredRows;
// Returns the K for which these scores have the least loss. Returns an end of the range that
// loss_fit_slopes() allows if the loss is least there: the lower end if the scores predict nothing.
// Defined in loss_k.c.
double loss_fit_k(LossKind kind, const ScoredRows *rows);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of weights on rows, its gradient and its Hessian, summed in a fixed order.
//
// The score of a row is s = p * mg + (1 - p) * eg, where mg and eg are the sums of its middlegame
// and endgame weights and p is its phase. The expected result for Red is sigma(k s) = 1 / (1 +
// exp(-k s)). The target t in 0..1 is the game's result blended with the search score. The loss of
// a row is either
//     cross entropy   -t ln sigma - (1 - t) ln(1 - sigma)    or    squared error   (sigma - t)^2,
// where a draw counts as half a win. Sums are computed for LOSS_RANGES fixed ranges of chunks and
// added in the order of the ranges, so any number of threads gives the same bits.
#pragma once

#include "tuner/rows/rows.h"

enum { LOSS_RANGES = 64, SCORE_KNOTS = 6 };

typedef enum LossKind { LOSS_CROSS_ENTROPY, LOSS_SQUARED } LossKind;
#define LOSS_NAMES "cross-entropy|squared"

typedef struct LossSetup {
    LossKind kind;
    double k;       // slope of the sigmoid, 1 / units
    double lambda;  // weight of the game's result in the target, 0..1; the rest is the search score
    double k_score; // a search score s counts as sigma(k_score * (s - b)) in the target
    double mover_units; // b: this if Red is to move, else minus this; short searches favour the
                        // side to move
    double k_bend[SCORE_KNOTS - 1]; // changes of k_score with the phase, see loss_score_slope()
    double phase_max;               // phase_max of the rows; 0: k_bend is not used
    const double *game_weight;      // [game_count]: weight of the rows of each game; NULL: all 1
    const double *valid_weight; // [game_count]: weights for the validation loss; NULL: not computed
    int every;                  // use only chunks c with c % every == 0; 0 or 1: all chunks
    int threads;                // at least 1
    bool k_fitted;              // loss_fit_slopes() estimated k
    bool link_fitted;           // loss_fit_slopes() estimated k_score, k_bend and mover_units
} LossSetup;

typedef struct LossSums {
    double loss;                     // sum of weight * loss over the rows
    double weight;                   // sum of the weights
    double valid_loss, valid_weight; // sums of the validation rows
    double by_log_k,
        by_log_k_twice; // first and second derivative of the loss by ln k (Gauss-Newton)
} LossSums;

// Computes the loss of `weights` [2 * rows->pairs]: middlegame and endgame of pair 0, of pair 1,
// and so on. Writes the gradient of LossSums.loss to gradient [2 * rows->pairs] unless it is NULL.
LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient);

// Computes the Hessian of LossSums.loss: n x n, n = 2 * rows->pairs, row-major, both triangles. It
// is exact for the cross entropy. For the squared error it is the Gauss-Newton part, which is never
// indefinite. Defined in hessian.c.
void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights,
                  double *hessian);

// The rows of one chunk: k times their scores, their targets, losses, and weights (0 for a row that
// has neither result nor score).
typedef struct ChunkLoss {
    double score[ROWS_CHUNK], target[ROWS_CHUNK], loss[ROWS_CHUNK], weight[ROWS_CHUNK];
} ChunkLoss;
void loss_chunk(const RowSet *rows, const LossSetup *setup, const double *weights, size_t chunk,
                ChunkLoss *out);

// Computes the scores of the rows of one chunk, in units; scores holds chunk->count numbers.
void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores);

// Returns the slope of the search scores for a row of this phase (units of 1 / phase_max). The same
// lead wins less often when few pieces remain, which the search does not know. The slope is k_score
// times a piecewise linear function with SCORE_KNOTS knots, from 0 (bare endgame) to 1 (full
// middlegame): 1 + sum of k_bend[j] * max(0, knot[j + 1] - middlegame share).
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

// Loss and its first two derivatives by the score for `count` rows (at most LOSS_BLOCK).
enum { LOSS_BLOCK = 512 };
typedef struct LossBlock {
    _Alignas(64) double score[LOSS_BLOCK]; // in: k * s
    double target[LOSS_BLOCK];             // in: expected points
    double loss[LOSS_BLOCK];               // out
    double slope[LOSS_BLOCK];              // out: d loss / d (k s)
    double curvature[LOSS_BLOCK]; // out: second derivative (without sigma'' for the squared error)
    int count;
} LossBlock;
void loss_block(LossKind kind, LossBlock *block);

// Computes the targets of `count` rows of the chunk from `first` on, a blend of result and search
// score, and their weights: 1, or 0 for a row that has neither.
void loss_targets(const LossSetup *setup, const RowChunk *chunk, uint32_t first, int count,
                  double *restrict target, double *restrict weight);

// Returns sigma(u), the expected points for the score u = k s.
double loss_expected_points(double u);

// The usual scale of chess programs, for data that do not determine the slope: 400 units mean odds
// of ten to one.
#define LOSS_USUAL_K 0.0057564627324851146 // ln(10) / 400

// Estimates the unknown slopes. If search scores count in the target, estimates k_score, k_bend and
// mover_units from the scores and results; not needed if no row has a score (imported games). If k
// is 0, finds the k with the least loss of these weights. Defined in loss_k.c.
Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err);

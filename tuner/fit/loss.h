// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of weights on rows, its gradient and its Hessian, summed in a fixed order.
//
// A row's score is s = p * mg + (1 - p) * eg, with mg, eg the sums of its middlegame and endgame
// weights and p its phase; the expected result for Red is sigma(k s) = 1 / (1 + exp(-k s)). Against
// a target t in 0..1 (the result, blended with the search score) the loss of a row is
//     cross entropy   -t ln sigma - (1 - t) ln(1 - sigma)    or    squared error   (sigma - t)^2,
// in which a draw is half a win and half a loss. All sums run over LOSS_RANGES ranges, each a fixed
// range of chunks, and are added in their order: any number of threads gives the same bits.
#pragma once

#include "tuner/rows/rows.h"

enum { LOSS_RANGES = 64, SCORE_KNOTS = 6 };

typedef enum LossKind { LOSS_CROSS_ENTROPY, LOSS_SQUARED } LossKind;
#define LOSS_NAMES "cross-entropy|squared"

typedef struct LossSetup {
    LossKind kind;
    double k;           // 1 / units
    double lambda;      // share of the game's result in the target; the rest is the score's
    double k_score;     // the search score s counts as sigma(k_score * (s - b)) in the target,
    double mover_units; // with b = mover_units where Red is to move and less where Black is:
                        // scores of short searches favour the side to move
    double k_bend[SCORE_KNOTS - 1]; // k_score is the slope of the full middlegame; see
                                    // loss_score_slope()
    double phase_max;               // of the rows; 0: k_bend is not in use
    const double *game_weight;      // weight of the rows of each game, [game_count]; NULL: all 1
    const double *valid_weight;     // the same for the loss of validation; NULL: none
    int every;                      // only chunks c with c % every == 0; up to 1: all
    int threads;                    // at least 1
    bool k_fitted, link_fitted;     // loss_fit_slopes() estimated k; k_score, k_bend, mover_units
} LossSetup;

typedef struct LossSums {
    double loss;                     // sum of weight * loss over the rows
    double weight;                   // sum of the weights
    double valid_loss, valid_weight; // the same of validation
    double by_log_k,
        by_log_k_twice; // derivatives of the loss by ln k (Gauss-Newton, as loss_hessian)
} LossSums;

// weights holds 2 * rows->pairs numbers: middlegame and endgame of pair 0, of pair 1, ... The
// gradient of LossSums.loss, of the same form, is written when gradient is not NULL.
LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient);

// The Hessian of LossSums.loss: n x n, n = 2 * rows->pairs, row-major, both triangles. Exact for
// the cross entropy; for the squared error the Gauss-Newton part (its
// first-derivative term), which is never indefinite.
void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights,
                  double *hessian);

// The rows of one chunk: k times their scores, targets, losses, weights (0 where a row has neither
// result nor score).
typedef struct ChunkLoss {
    double score[ROWS_CHUNK], target[ROWS_CHUNK], loss[ROWS_CHUNK], weight[ROWS_CHUNK];
} ChunkLoss;
void loss_chunk(const RowSet *rows, const LossSetup *setup, const double *weights, size_t chunk,
                ChunkLoss *out);

// The scores of the rows of one chunk, in units; scores holds chunk->count numbers.
void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores);

// The slope of the search scores in a row of this phase (units of 1 / phase_max): the same lead
// wins less often where few pieces are left, and a search does not know it. k_score times a
// function that is linear between SCORE_KNOTS knots, from the bare endgame at 0 to the full
// middlegame at 1: 1 + sum of k_bend[j] * max(0, knot[j + 1] - share of the middlegame).
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

// Loss and its first two derivatives by the score for `count` rows (count <= LOSS_BLOCK).
enum { LOSS_BLOCK = 512 };
typedef struct LossBlock {
    _Alignas(64) double score[LOSS_BLOCK]; // in: k * s
    double target[LOSS_BLOCK];             // in: expected points
    double loss[LOSS_BLOCK];               // out
    double slope[LOSS_BLOCK];              // out: d loss / d (k s)
    double curvature[LOSS_BLOCK];          // out: second derivative (Gauss-Newton: without sigma'')
    int count;
} LossBlock;
void loss_block(LossKind kind, LossBlock *block);

// The targets of the chunk's rows from `first` on, result and score blended, and their weights: 1,
// or 0 where a row has neither.
void loss_targets(const LossSetup *setup, const RowChunk *chunk, uint32_t first, int count,
                  double *restrict target, double *restrict weight);

// The points that a score leads one to expect: sigma(u).
double loss_expected_points(double u);

// The usual scale of chess programs, where no data determine the slope: 400 units are ten to one.
#define LOSS_USUAL_K 0.0057564627324851146 // ln(10) / 400

// Finds the slopes that are not known yet: k_score, its bends and the shift to the side to move,
// where scores count in the target, from the search scores and results; k, where it is 0, so
// that the loss of these weights is least. Rows without any score (imported
// games) need no k_score.
Status loss_fit_slopes(const RowSet *rows, LossSetup *setup, const double *weights, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of weights on rows, its gradient and its Hessian, summed in a fixed order.
//
// A row's score is s = p * mg + (1 - p) * eg, with mg, eg the sums of its middlegame and endgame
// weights and p its phase; the expected result for Red is sigma(k s) = 1 / (1 + exp(-k s)). Against
// a target t in 0..1 (the result, blended with the search score) the loss of a row is
//     cross entropy   -t ln sigma - (1 - t) ln(1 - sigma)      or      squared error   (sigma -
//     t)^2.
// All sums run over LOSS_LANES lanes, each a fixed range of chunks, and are merged in lane order:
// any number of threads gives the same bits.
#pragma once

#include "tuner/rows.h"

enum { LOSS_LANES = 64 };

typedef enum LossKind { LOSS_CROSS_ENTROPY, LOSS_SQUARED } LossKind;

typedef struct LossSetup {
    LossKind kind;
    double k;                  // 1 / units
    double lambda;             // share of the game's result in the target; the rest is the score's
    double k_score;            // the search score s counts as sigma(k_score * s) in the target
    const double *game_weight; // weight of the rows of each game, [game_count]; NULL: all 1
    int batch, batches;        // only chunks c with c % batches == batch; batches up to 1: all
    int threads;               // at least 1
} LossSetup;

typedef struct LossSums {
    double loss;   // sum of weight * loss over the rows
    double weight; // sum of the weights
} LossSums;

// weights holds 2 * rows->pairs numbers: middlegame and endgame of pair 0, of pair 1, ... The
// gradient of LossSums.loss, of the same form, is written when gradient is not NULL.
LossSums loss_evaluate(const RowSet *rows, const LossSetup *setup, const double *weights,
                       double *gradient);

// The Hessian of LossSums.loss: n x n, n = 2 * rows->pairs, row-major, both triangles. Exact for
// the cross entropy; for the squared error the Gauss-Newton part (its first-derivative term), which
// is never indefinite, unless `exact` asks for all of it.
void loss_hessian(const RowSet *rows, const LossSetup *setup, const double *weights, bool exact,
                  double *hessian);

// The scores of the rows of one chunk, in units; scores holds chunk->count numbers.
void loss_chunk_scores(const RowSet *rows, size_t chunk, const double *weights, double *scores);

// Loss and its first two derivatives by the score for `count` rows (count <= LOSS_BLOCK).
enum { LOSS_BLOCK = 512 };
typedef struct LossBlock {
    _Alignas(64) double score[LOSS_BLOCK]; // in: k * s
    double target[LOSS_BLOCK];             // in
    double loss[LOSS_BLOCK];               // out
    double slope[LOSS_BLOCK];              // out: d loss / d (k s)
    double curvature[LOSS_BLOCK];          // out: second derivative (Gauss-Newton: without sigma'')
    int count;
} LossBlock;
void loss_block(LossKind kind, bool exact, LossBlock *block);

// The target of a row: result and score blended. NAN when the row has neither.
double loss_target(const LossSetup *setup, const RowHead *head);

// K by Brent's method (GSL): the k in [k_min, k_max] that makes the loss of these weights least.
// For the scale of the search scores see loss_fit_k_score(), which fits k_score to the results.
Status loss_fit_k(const RowSet *rows, const LossSetup *setup, const double *weights, double *k,
                  Err *err);
// Rows without any score (imported games) have none to fit: *k_score is then setup->k, and unused.
Status loss_fit_k_score(const RowSet *rows, const LossSetup *setup, double *k_score, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// A pass over rows, block by block: from coefficients to scores, targets and weights.
#pragma once

#include "tuner/fit/loss.h"
#include "tuner/rows/row_pass.h"

// The sums and the scratch of one pass.
typedef struct RowPass {
    const RowSet *rows;
    const LossSetup *setup;
    const double *weights; // of pass_weights()
    double *gradient;      // [2 * pairs + 2]; NULL: not wanted
    LossSums sums;
    _Alignas(64) LossBlock block;
    double share[LOSS_BLOCK]; // p
    _Alignas(64) double row_weight[LOSS_BLOCK];
    _Alignas(64) double row_valid[LOSS_BLOCK]; // of validation, where it is wanted
    _Alignas(64) DoublePair sum[LOSS_BLOCK];   // middlegame and endgame sum of each row
} RowPass;

// The pass of a thread, which free() frees; weights as of pass_weights().
RowPass *pass_new(const RowSet *rows, const LossSetup *setup, const double *weights);

// Scores, targets, weights and losses of the chunk's rows from `first` to one before `end`, but of
// LOSS_BLOCK of them at most; pass->block.count says of how many.
void pass_block(RowPass *pass, const RowChunk *chunk, uint32_t first, uint32_t end);

// Is the chunk one of those that the setup asks for?
ALWAYS_INLINE bool pass_takes(const LossSetup *setup, size_t chunk) {
    return setup->every <= 1 || chunk % (size_t)setup->every == 0;
}

// No more threads than there are chunks to share.
int pass_threads(const RowSet *rows, const LossSetup *setup);

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

// Sums, scores, targets and weights of the chunk's rows from `first` on: of LOSS_BLOCK of them or
// as many as there are; pass->block.count says how many.
void pass_forward(RowPass *pass, const RowChunk *chunk, uint32_t first);

// Is the chunk one of those that the setup asks for?
ALWAYS_INLINE bool pass_takes(const LossSetup *setup, size_t chunk) {
    return setup->every <= 1 || chunk % (size_t)setup->every == 0;
}

// No more threads than there are chunks to share.
int pass_threads(const RowSet *rows, const LossSetup *setup);

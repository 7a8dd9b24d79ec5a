// SPDX-License-Identifier: GPL-3.0-or-later
// Processes training positions in blocks: computes scores, targets, weights and losses from the
// coefficients of the positions.
#pragma once

#include "tuner/fit/loss.h"
#include "tuner/rows/row_pass.h"

// Working state of one thread: its sums and its buffers.
typedef struct RowPass {
    const RowSet *rows;
    const LossSetup *setup;
    // result of pass_weights(): the weights, then the pair (1, 1), which multiplies score offsets
    const double *weights;
    double *gradient; // gradient of the loss, [2 * pairs + 2]; NULL: not requested
    LossSums sums;
    _Alignas(64) LossBlock block;
    double share[LOSS_BLOCK]; // phase of each position: 1 in the full middlegame, 0 in the endgame
    _Alignas(64) double row_weight[LOSS_BLOCK];
    // weight of each position in the validation loss; not set if setup->valid_weight is NULL
    _Alignas(64) double row_valid[LOSS_BLOCK];
    // middlegame and endgame score of each position: sums of weight times coefficient
    _Alignas(64) DoublePair sum[LOSS_BLOCK];
} RowPass;

// Returns the working state of a thread; the caller frees it with free(). `weights` comes from
// pass_weights().
RowPass *pass_new(const RowSet *rows, const LossSetup *setup, const double *weights);

// Computes scores, targets, weights and losses of the positions `first` to `end` - 1 of the chunk,
// at most LOSS_BLOCK of them. Sets pass->block.count to their number.
void pass_block(RowPass *pass, const RowChunk *chunk, uint32_t first, uint32_t end);

// Returns true if the positions of the chunk with this index are used. A chunk is an array of at
// most ROWS_CHUNK positions; of setup->every chunks only one is used (0 or 1: all chunks).
ALWAYS_INLINE bool pass_takes(const LossSetup *setup, size_t chunk) {
    return setup->every <= 1 || chunk % (size_t)setup->every == 0;
}

// Returns the number of threads to use: setup->threads, but at most one for each array of up to
// ROWS_CHUNK positions (chunk).
int pass_threads(const RowSet *rows, const LossSetup *setup);

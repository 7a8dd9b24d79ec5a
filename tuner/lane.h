// SPDX-License-Identifier: GPL-3.0-or-later
// How the passes over rows walk: a cursor in a chunk, and a lane that takes one block after the
// other forward, from coefficients to scores, targets and weights. Inside of loss.c and hessian.c.
#pragma once

#include "tuner/loss.h"

// A place in a chunk.
typedef struct Cursor {
    const RowGroup *group;
    uint32_t used; // rows of the group that lie behind
    const uint16_t *index;
    const float *value;
} Cursor;

Cursor cursor_at(const RowChunk *chunk);

// How many of the next `count` rows are of one group, which *group receives; the cursor's place in
// the groups moves on, its indices and values are the caller's to move.
ALWAYS_INLINE int cursor_run(Cursor *at, int count, const RowGroup **group) {
    const int left = at->group->rows - (int)at->used, run = left < count ? left : count;
    *group = at->group;
    at->used += (uint32_t)run;
    if (run == left) {
        at->group++;
        at->used = 0;
    }
    return run;
}

// What one lane needs: its own sums and the scratch of a block.
typedef struct Lane {
    const RowSet *rows;
    const LossSetup *setup;
    const double *weights; // 2 * pairs + 2: the last two are the constant pair of row offsets
    double *gradient;      // the same; NULL: not wanted
    LossSums sums;
    LossBlock block;
    DoublePair sum[LOSS_BLOCK]; // middlegame and endgame sum of each row
    double share[LOSS_BLOCK];   // p
    double row_weight[LOSS_BLOCK];
} Lane;

// Indices count numbers, not pairs: what they point at is a pair.
ALWAYS_INLINE DoublePair pair_at(const double *numbers, unsigned index) {
    return *(const DoublePair *)(const void *)(numbers + index);
}
ALWAYS_INLINE DoublePair *pair_place(double *numbers, unsigned index) {
    return (DoublePair *)(void *)(numbers + index);
}

// Sums of the next `count` rows; moves the cursor behind them. A row's sum depends on its own
// coefficients alone.
void row_sums(Cursor *at, int count, const double *weights, DoublePair *sum);

// Scores, targets and weights of `count` rows of the chunk from `first` on, where the cursor is.
void lane_forward(Lane *lane, const RowChunk *chunk, uint32_t first, int count, Cursor *at);

// The weights [2 * pairs], followed by the pair that multiplies a row's offset; to be freed.
double *lane_weights(const double *weights, int pairs);

// The chunks of lane `number` of `lanes`: *first to one before the returned end.
size_t lane_range(const RowSet *rows, int number, int lanes, size_t *first);

// No more threads than there are chunks to share.
int lane_threads(const RowSet *rows, const LossSetup *setup);

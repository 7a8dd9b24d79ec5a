// SPDX-License-Identifier: GPL-3.0-or-later
// How the passes over rows walk: a cursor in a chunk, and a lane that takes one block after the
// other forward, from coefficients to scores, targets and weights. Inside of loss.c and hessian.c.
#pragma once

#include "tuner/loss.h"

// A place in a chunk.
typedef struct Cursor {
    const RowGroup *group, *end;
    uint32_t used; // rows of the group that lie behind: whole tiles
    const uint16_t *index;
    const float *value;
} Cursor;

Cursor cursor_at(const RowChunk *chunk);

// Rows of one group: whole tiles and then single rows.
typedef struct RowRun {
    const RowGroup *group;
    int rows, tiled; // of the rows, those in tiles
    int length;      // indices of a row
    const uint16_t *index;
    const float *value;
} RowRun;

// The next rows of one group, `room` at most, never a part of a tile; the cursor moves behind them.
// False when no more rows fit or the chunk ends. Walking with room for as many rows as a walk
// before gave gives the same runs.
ALWAYS_INLINE bool cursor_run(Cursor *at, int room, RowRun *run) {
    if (at->group == at->end || room <= 0) return false;
    const RowGroup *group = at->group;
    const int left = group->rows - (int)at->used;
    run->rows = left <= room ? left : room / ROW_TILE * ROW_TILE;
    if (run->rows == 0) return false;
    run->group = group;
    run->tiled = group->other == 0 ? run->rows / ROW_TILE * ROW_TILE : 0;
    run->length = group->plus + group->minus + group->other;
    run->index = at->index;
    run->value = at->value;
    at->index += (size_t)run->rows * (size_t)run->length;
    at->value += (size_t)run->rows * group->other;
    at->used += (uint32_t)run->rows;
    if (run->rows == left) {
        at->group++;
        at->used = 0;
    }
    return true;
}

// Where row i of a run has its first index; the next ones stand *stride further each.
ALWAYS_INLINE const uint16_t *run_row(const RowRun *run, int i, int *stride) {
    if (i >= run->tiled) {
        *stride = 1;
        return run->index + (size_t)i * (size_t)run->length;
    }
    *stride = ROW_TILE;
    return run->index + (size_t)(i / ROW_TILE) * ROW_TILE * (size_t)run->length + i % ROW_TILE;
}

// What one lane needs: its own sums and the scratch of a block.
typedef struct Lane {
    const RowSet *rows;
    const LossSetup *setup;
    const double *weights; // 2 * pairs + 2: the last two are the constant pair of row offsets
    double *gradient;      // ROW_TILE of them (see loss.c); NULL: not wanted
    LossSums sums;
    _Alignas(64) LossBlock block;
    _Alignas(64) DoublePair sum[LOSS_BLOCK]; // middlegame and endgame sum of each row
    double share[LOSS_BLOCK];                // p
    _Alignas(64) double row_weight[LOSS_BLOCK];
} Lane;

// Indices count numbers, not pairs: what they point at is a pair.
ALWAYS_INLINE DoublePair pair_at(const double *numbers, unsigned index) {
    return *(const DoublePair *)(const void *)(numbers + index);
}
ALWAYS_INLINE DoublePair *pair_place(double *numbers, unsigned index) {
    return (DoublePair *)(void *)(numbers + index);
}

// Sums of the next rows, `room` at most; moves the cursor behind them and returns how many they
// are. A row's sum depends on its own coefficients alone.
int row_sums(Cursor *at, int room, const double *weights, DoublePair *sum);

// Scores, targets and weights of a block of the chunk's rows from `first` on, where the cursor is;
// lane->block.count says how many they are.
void lane_forward(Lane *lane, const RowChunk *chunk, uint32_t first, Cursor *at);

// The weights [2 * pairs], followed by the pair that multiplies a row's offset; to be freed.
double *lane_weights(const double *weights, int pairs);

// The chunks of lane `number` of `lanes`: *first to one before the returned end.
size_t lane_range(const RowSet *rows, int number, int lanes, size_t *first);

// No more threads than there are chunks to share.
int lane_threads(const RowSet *rows, const LossSetup *setup);

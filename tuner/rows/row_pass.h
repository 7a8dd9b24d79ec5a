// SPDX-License-Identifier: GPL-3.0-or-later
// How passes walk over rows: the runs of a chunk's stored rows; a pass that takes one chunk after
// the other forward, from coefficients to scores, targets and weights; and a reader of whole rows,
// for passes that need a row's coefficients together.
#pragma once

#include "tuner/fit/loss.h"

// A place in a chunk: before the stored rows of a group.
typedef struct Cursor {
    const RowGroup *group, *end;
    const uint16_t *index, *place;
    const float *value;
} Cursor;

Cursor cursor_at(const RowChunk *chunk);

// The stored rows of one group: whole tiles and then single rows.
typedef struct RowRun {
    const RowGroup *group;
    int rows, tiled;       // of the rows, those in tiles
    int length;            // indices of a row
    const uint16_t *index; // of all of them
    const uint16_t *place; // [rows]
    const float *value;
} RowRun;

// The next run; the cursor moves behind it. False at the chunk's end.
ALWAYS_INLINE bool cursor_run(Cursor *at, RowRun *run) {
    const RowGroup *group = at->group;
    if (group == at->end) return false;
    run->group = group;
    run->rows = group->rows;
    run->tiled = group->other == 0 ? run->rows / ROW_TILE * ROW_TILE : 0;
    run->length = group->plus + group->minus + group->other;
    run->index = at->index;
    run->place = at->place;
    run->value = at->value;
    at->group++;
    at->index += (size_t)run->rows * (size_t)run->length;
    at->place += run->rows;
    at->value += (size_t)run->rows * group->other;
    return true;
}

// What one pass needs: its own sums and the scratch of a block.
typedef struct RowPass {
    const RowSet *rows;
    const LossSetup *setup;
    const double *weights; // 2 * pairs + 2: the last two are the constant pair of row offsets
    double *gradient;      // ROW_TILE of them (see loss.c); NULL: not wanted
    LossSums sums;
    _Alignas(64) LossBlock block;
    double share[LOSS_BLOCK]; // p
    _Alignas(64) double row_weight[LOSS_BLOCK];
    _Alignas(64) double row_aside[LOSS_BLOCK]; // of the second loss, where there is one
    _Alignas(64) DoublePair sum[ROWS_CHUNK]; // middlegame and endgame sum of each row of the chunk
} RowPass;

// Indices count numbers, not pairs: what they point at is a pair.
ALWAYS_INLINE DoublePair pair_at(const double *numbers, unsigned index) {
    return *(const DoublePair *)(const void *)(numbers + index);
}
ALWAYS_INLINE DoublePair *pair_place(double *numbers, unsigned index) {
    return (DoublePair *)(void *)(numbers + index);
}

// Middlegame and endgame sums of the chunk's rows.
void row_sums(const RowChunk *chunk, const double *weights, DoublePair *sum);

// Scores, targets and weights of the chunk's rows from `first` on, whose sums are in pass->sum: of
// LOSS_BLOCK of them or as many as there are; pass->block.count says how many.
void pass_forward(RowPass *pass, const RowChunk *chunk, uint32_t first);

// The weights [2 * pairs], followed by the pair that multiplies a row's offset; to be freed.
double *pass_weights(const double *weights, int pairs);

// The chunks of pass `number` of `ranges`: *first to one before the returned end.
size_t chunk_range(const RowSet *rows, int number, int ranges, size_t *first);

// Is the chunk one of those that the setup asks for?
ALWAYS_INLINE bool pass_takes(const LossSetup *setup, size_t chunk) {
    return setup->every <= 1 || chunk % (size_t)setup->every == 0;
}

// No more threads than there are chunks to share.
int pass_threads(const RowSet *rows, const LossSetup *setup);

// ---- whole rows, one after the other ------------------------------------------------------------

// A row's coefficients: indices of those that are +1, then of those that are -1, then of others,
// whose values are apart.
typedef struct RowEntries {
    int plus, minus, other;
    const uint16_t *index;
    const float *value;
} RowEntries;

typedef struct RowReader RowReader;

// For rows with indices below `pairs`; row_reader_free() it.
RowReader *row_reader_new(int pairs);
void row_reader_free(RowReader *reader);

// The next row will be the chunk's first.
void row_reader_open(RowReader *reader, const RowChunk *chunk);
// The next row of the chunk, which must have one; it is valid until the call after.
RowEntries row_reader_next(RowReader *reader);
// The same as it is stored: all of it, or its difference from the row before. (Of a chunk, all rows
// are read in one of the two ways.)
RowEntries row_reader_stored(RowReader *reader, bool *whole);

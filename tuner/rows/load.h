// SPDX-License-Identifier: GPL-3.0-or-later
// From the store to rows.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "tuner/rows/rows.h"

// Takes rows while they are read, in one process, so that nobody holds all of them. `begin` gets
// all games and the number of rows, before the first row. `take` gets the chunks of a set, and the
// boards of their rows one after the other; the chunks are freed afterwards.
typedef struct RowSink {
    void (*begin)(void *context, const RowGame *games, size_t game_count, uint64_t rows);
    void (*take)(void *context, const RowSet *rows, const RowBoard *boards);
    void *context;
} RowSink;

// The games whose positions become rows: those that `take` takes (NULL: all), by RowGame.split;
// whether the rows keep their positions (in one process); who takes the rows (NULL: the set keeps
// them; with a sink the set has counts alone in the end).
typedef struct RowChoice {
    bool (*take)(const void *context, uint64_t split);
    const void *context;
    bool boards;
    const RowSink *sink;
} RowChoice;

// Reads the sampled positions of the runs or shard files in `paths`, in order, and traces them. A
// game that has the start and the moves of an earlier one, or of its mirror image, is left out: it
// would be counted twice, and stand on both sides of a split. (A game without moves is a position
// that somebody gave, and never a copy; nor is a game without rows.) A game and the variations that
// follow it are one game. Shards are read and traced by several threads and appended
// in order: the rows do not depend on `threads`. rows must be zeroed; on failure it stays empty.
// `show` gets a progress line; NULL: none.
Status rows_load(const char *const *paths, int path_count, const RowChoice *choice, int threads,
                 FILE *show, RowSet *rows, Err *err);

// Reads the rows of the file of sparse rows at `path` (datasets/sparse/README.md). Where its terms
// are our evaluation's and it says how often they occur, the set is as rows_load() would have made
// it; else rows->names is set. STATUS_BAD_INPUT: also where rows of a game are not neighbours. The
// message names what is wrong, and the row.
Status rows_load_sparse(SparseReader *reader, const char *path, FILE *show, RowSet *rows, Err *err);

enum { SPARSE_MAX_TERMS = 4096 }; // a Hessian of so many pairs has half a gigabyte

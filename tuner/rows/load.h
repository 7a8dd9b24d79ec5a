// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the rows of runs and of files of sparse rows.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "tuner/rows/rows.h"

// A consumer that takes rows while they are read, so that they need not be in memory together. It
// works in one process only. begin() is called before the first row with all games and the number
// of rows. take() is called with sets of chunks and the boards of their rows; the chunks are freed
// afterwards.
typedef struct RowSink {
    void (*begin)(void *context, const RowGame *games, size_t game_count, uint64_t rows);
    void (*take)(void *context, const RowSet *rows, const RowBoard *boards);
    void *context;
} RowSink;

// The choice of games whose positions become rows: `take` decides by RowGame.split (NULL: all
// games). `boards` says whether the rows keep their positions (in one process only). `sink`
// consumes the rows; the set then ends with counts only. If it is NULL, the set keeps the rows.
typedef struct RowChoice {
    bool (*take)(const void *context, uint64_t split);
    const void *context;
    bool boards;
    const RowSink *sink;
} RowChoice;

// Reads the sampled positions of the runs or shard files in `paths`, in order, and traces them. A
// game with the start and moves of an earlier game or of its mirror image is left out. It would
// count twice, and could be in two parts of the split. A game without moves is a single given
// position and never a copy; a game without rows is never a copy either. A game and the variations
// that follow it count as one game. Several threads read and trace shards, which are appended in
// order, so the rows do not depend on `threads`. `rows` must be zeroed; on failure it stays empty.
// Progress is shown on `show` unless it is NULL.
Status rows_load(const char *const *paths, int path_count, const RowChoice *choice, int threads,
                 FILE *show, RowSet *rows, Err *err);

// Reads the rows of the file of sparse rows at `path` (datasets/sparse/README.md). If its terms are
// the built-in terms and the file has their occurrences, the set equals the result of rows_load();
// otherwise rows->names is set. Returns STATUS_BAD_INPUT also if rows of a game are not adjacent.
// The message names the row and what is wrong.
Status rows_load_sparse(SparseReader *reader, const char *path, FILE *show, RowSet *rows, Err *err);

enum { SPARSE_MAX_TERMS = 4096 }; // the Hessian of this number of pairs has half a gigabyte

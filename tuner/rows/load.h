// SPDX-License-Identifier: GPL-3.0-or-later
// Reads training positions: from runs of games, and from HDF5 files of sparse rows.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "datasets/store/store.h"
#include "tuner/rows/row_check.h"
#include "tuner/rows/rows.h"

// A consumer that takes positions while they are read, so that they need not all fit into memory.
// It works in one process only. begin() is called before the first position, with all games and the
// number of positions. Each call of take() passes some positions and their boards; the positions
// are freed afterwards.
typedef struct RowSink {
    void (*begin)(void *context, const RowGame *games, size_t game_count, uint64_t rows);
    void (*take)(void *context, const RowSet *rows, const RowBoard *boards);
    void *context;
} RowSink;

// Makes the rows of positions in another way than by the built-in evaluation, for example by the
// answers of an engine. Works in one process only. begin() is called before the first position of a
// shard and sets *state. add() appends the row of a position to *part, or leaves the position out.
// end() is called for each shard for which begin() was called, also after a failure, in the order
// of the shards and by one thread at a time; it frees the state. Other calls for different shards
// may run at the same time.
typedef struct RowTracer {
    int pairs; // number of pairs of weights (RowSet.pairs)
    double phase_max;
    Status (*begin)(void *context, const Store *store, size_t shard, void **state, Err *err);
    Status (*add)(void *state, const PositionRecord *position, const Position *board,
                  const RowGame *game, RowPart *part, Err *err);
    void (*end)(void *context, void *state);
    void *context;
} RowTracer;

// Says which games are read, and what is stored of their positions. `take` returns true if a game
// with this RowGame.split is to be read; NULL: all games are read. If `boards` is set, the boards
// of the positions are stored; this works only with a single MPI rank. If `sink` is not NULL, all
// positions are passed to it and none are stored. The RowSet then contains only the list of games,
// the counts, the content hashes, and the sample for piece values.
typedef struct RowChoice {
    bool (*take)(const void *context, uint64_t split);
    const void *context;
    bool boards;
    // Also reads games that ended by a fault, such as a time forfeit (end_reason_is_fault()).
    // Otherwise they are left out and counted in RowSet.faults.
    bool with_faults;
    const RowSink *sink;
    const RowTracer *tracer; // NULL: the rows are those of the built-in evaluation
} RowChoice;

// Reads the sampled positions of the runs or shard files in `paths`, in order, and traces their
// evaluation. Leaves out copies of earlier games and of their mirror images, and near copies
// (game_key.h), which share most of the moves with an earlier game. The positions of copies would
// count twice, and near copies could be in different parts of the split into training, validation
// and test. Games without moves (each is one given position) and games without sampled positions
// never count as copies. A game and the variations that follow it count as one game, and so do all
// records of a group (/games/group), which come from one game. Several
// threads read and trace shards. The shards are appended in order, so the result does not depend on
// `threads`. On failure *rows is empty. Progress is shown on `show` unless it is NULL.
Status rows_load(const char *const *paths, int path_count, const RowChoice *choice, int threads,
                 FILE *show, RowSet *rows, Err *err);

// Reads the positions of the HDF5 file of sparse rows at `path` (datasets/sparse/README.md).
// rows->names stays NULL, as after rows_load(), if the file has the terms and the phase_max of the
// built-in evaluation, and contains occurrence counts of the terms. Otherwise rows->names receives
// the names of the terms. rows->sample and rows->content stay NULL, and the counts of duplicate
// games stay 0. Returns STATUS_BAD_INPUT also if the positions of a game are not adjacent. A
// message about a faulty row contains its index. If the file has start weights and the value of
// each row, and `check` is not NULL, compares the rows with the values, and leaves out mismatches.
// The caller clears *check; check->terms is 0 if nothing was compared.
Status rows_load_sparse(SparseReader *reader, const char *path, FILE *show, RowCheck *check,
                        RowSet *rows, Err *err);

// Writes all positions of a set as a file of sparse rows. `values` has the value of each position;
// NULL: the file has no values.
Status rows_write_sparse(const RowSet *rows, const SparseTerms *terms, const float *values,
                         const char *path, const char *provenance, Err *err);

enum { SPARSE_MAX_TERMS = 4096 }; // with 4096 pairs of weights, the Hessian takes half a gigabyte

// SPDX-License-Identifier: GPL-3.0-or-later
// From the store to rows.
#pragma once

#include "core/base/progress.h"
#include "datasets/sparse/sparse_file.h"
#include "tuner/rows/rows.h"

// Reads the sampled positions of the runs or shard files in `paths`, in order, and traces them with
// `weights` (any set gives the same rows; the dot product is checked against it). Shards are read
// and traced by several threads and appended in order: the rows do not depend on `threads`.
// With `cache`, a directory, the rows are kept in a file there (row_set_use_file()); NULL: in
// memory. rows must be zeroed; on failure it stays empty. progress may be NULL.
Status rows_load(const char *const *paths, int path_count, const Weights *weights, int threads,
                 const char *cache, Progress *progress, RowSet *rows, Err *err);

// Reads the rows of a file of sparse rows (datasets/README.md). Where its terms are our
// evaluation's and it says how often they occur, the set is as rows_load() would have made it; else
// rows->names is set. The message names what is wrong, and the row.
Status rows_load_sparse(SparseReader *reader, const char *cache, Progress *progress, RowSet *rows,
                        Err *err);

enum { SPARSE_MAX_TERMS = 4096 }; // a Hessian of so many pairs has half a gigabyte

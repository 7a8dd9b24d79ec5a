// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sparse rows, from which tuners fit weights. A row is a position: it has the coefficients
// of the terms of a linear evaluation, which may be that of another program. Scores and results are
// from the view of the first side: Red, or White in other games. sparse.def lists the columns;
// datasets/sparse/README.md documents them for authors of other programs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SPARSE_SCHEMA_VERSION = 1, SPARSE_NAME_SIZE = 64 };

// The numbers of a column, which are integers or reals, as sparse.def says.
typedef struct SparseColumn {
    union {
        int64_t *ints;
        double *reals;
        void *numbers; // `ints` or `reals`, for code that handles both types
    };
    size_t count, capacity;
} SparseColumn;

// Consecutive rows of a file, stored by column. The offsets in `indptr` count from the first entry
// (coefficient) of the block. Initialise with zeros; sparse_block_clear() frees the memory.
typedef struct SparseBlock {
    size_t rows; // number of rows
    SparseColumn
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) name,
#include "datasets/sparse/sparse.def"
        end; // not a column: the list that the macro makes ends in a comma, so one more member must
             // follow
} SparseBlock;
void sparse_block_clear(SparseBlock *block);
AUTO_VALUE(SparseBlock, sparse_block_clear)
void sparse_block_reset(SparseBlock *block); // removes all rows, but keeps the memory
// Appends a number to a column.
void sparse_add_int(SparseColumn *column, int64_t value);
void sparse_add_real(SparseColumn *column, double value);

// Description of the terms of the evaluation. Each array has `terms` elements.
typedef struct SparseTerms {
    size_t terms;
    bool phased; // if false, the rows have no phase, and the evaluation has only middlegame weights
    double phase_max; // phase at which only the middlegame weights count
    char (*names)[SPARSE_NAME_SIZE];
    double (*start)[2]; // middlegame and endgame weights at the start of a fit; NULL: all are 0
    // For each term: [0] how often it occurs in all rows, for both sides together; [1] the sum of
    // these occurrences, each multiplied by the phase of its row. NULL: unknown.
    double (*occurrences)[2];
    // The following members describe terms that an engine traced (tuner/trace). In each array, [0]
    // is for the middlegame and [1] for the endgame weight of a term. NULL: absent.
    double (*fixed)[2]; // 1: the weight is not fitted; 0 if absent
    double (*unit)[2];  // smallest step of the weight; 1 if absent
    // Number of the term whose value the weight is; -1: the weight is not used. Absent: each term
    // has its own number. If the coefficients of a term differ between the phases, a second term
    // with the same name holds its endgame value.
    double (*value_of)[2];
    double value_unit; // smallest step of the column `value`; 0: 1
    char *origin;      // origin of the rows, as lines "KEY VALUE"; NULL: unknown
} SparseTerms;
void sparse_terms_clear(SparseTerms *terms);
AUTO_VALUE(SparseTerms, sparse_terms_clear)

// ---- writing ------------------------------------------------------------------------------------

typedef struct SparseWriter SparseWriter;

// Creates a file of sparse rows. Until sparse_writer_finish() it has a temporary name in the
// directory of `path`. On failure *writer is NULL.
Status sparse_writer_open(const char *path, SparseWriter **writer, Err *err);
// Appends the rows of a block. An optional column must have values in all rows of the file or in
// none. If it has none, the file omits the column. A file without rows keeps all columns.
Status sparse_writer_add(SparseWriter *writer, const SparseBlock *block, Err *err);
// Writes the description of the terms, gives the file its final name, and frees the writer. On
// failure, deletes the file and frees the writer.
Status sparse_writer_finish(SparseWriter *writer, const SparseTerms *terms, const char *provenance,
                            Err *err);
// Deletes the unfinished file and frees the writer. Ignores NULL.
void sparse_writer_drop(SparseWriter *writer);
AUTO_HANDLE(SparseWriter, sparse_writer_drop)

// Writes a file of fitted weights: the names of the terms, their weights as an array [terms][2],
// and the standard errors in the same form. If `errors` is NULL, the standard errors are unknown.
// In the arrays, [0] is for the middlegame and [1] for the endgame.
Status sparse_write_weights(const char *path, const SparseTerms *terms, const double *weights,
                            const double *errors, const char *provenance, Err *err);
// Reads a file of fitted weights. *terms receives the names, *weights an array [terms][2].
// If the file has no endgame weights (attribute phased = 0), the middlegame weights take their
// place. *provenance becomes NULL if the file has none. The caller frees all three, also after a
// failure.
Status sparse_read_weights(const char *path, SparseTerms *terms, double (**weights)[2],
                           char **provenance, Err *err);

// ---- reading ------------------------------------------------------------------------------------

typedef struct SparseReader SparseReader;

// Opens a file of sparse rows. Checks its schema, the lengths of its columns, and its terms. On
// failure *reader is NULL, and *err has the reason.
Status sparse_reader_open(const char *path, SparseReader **reader, Err *err);

// Meaning of the numbers in the column `result`.
typedef enum SparseResult {
    SPARSE_POINTS, // 0 to 1; -1: unknown
    SPARSE_SIGN,   // -1, 0, 1
    SPARSE_HALF,   // 0, 1, 2
} SparseResult;
// Sets how results are read. `given` says that the user has chosen the meaning. Otherwise -1 is an
// error, unless the attribute result_scale of the file says what it means. Rows that are returned
// have points.
void sparse_reader_set_results(SparseReader *reader, SparseResult meaning, bool given);
// Closes the file and frees the reader. Ignores NULL.
void sparse_reader_close(SparseReader *reader);
AUTO_HANDLE(SparseReader, sparse_reader_close)
const SparseTerms *sparse_reader_terms(const SparseReader *reader);
// Moves the description of the terms to *terms, which the caller clears.
void sparse_reader_take_terms(SparseReader *reader, SparseTerms *terms);
size_t sparse_reader_rows(const SparseReader *reader);

// Returns true if the file has a value of each row.
bool sparse_reader_has_values(const SparseReader *reader);

// Reads 1 to 16384 rows, beginning with row number `first`, which must exist. Replaces the content
// of *block; block->rows is the number of rows read. Returns an error that names the row if a
// number is outside of its range.
Status sparse_reader_next(SparseReader *reader, size_t first, SparseBlock *block, Err *err);

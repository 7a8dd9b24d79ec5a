// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sparse rows: positions as coefficients of an evaluation's terms, ours or anybody's, for
// tuners. Columns are in sparse.def; datasets/sparse/README.md documents them for other programs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SPARSE_SCHEMA_VERSION = 1, SPARSE_NAME_SIZE = 64 };

// The numbers of a column; which of the two a column fills is in sparse.def.
typedef struct SparseColumn {
    union {
        int64_t *ints;
        double *reals;
        void *numbers; // either
    };
    size_t count, capacity;
} SparseColumn;

// Some rows of a file, column by column. Zero-initialise; sparse_block_clear() frees. indptr counts
// from 0 within the block.
typedef struct SparseBlock {
    size_t rows;
    SparseColumn
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) name,
#include "datasets/sparse/sparse.def"
        end; // not used
} SparseBlock;
void sparse_block_clear(SparseBlock *block);
AUTO_VALUE(SparseBlock, sparse_block_clear)
void sparse_block_reset(SparseBlock *block); // no rows, memory kept
// Appends a number to a column.
void sparse_add_int(SparseColumn *column, int64_t value);
void sparse_add_real(SparseColumn *column, double value);

// What belongs to the terms: `terms` of each.
typedef struct SparseTerms {
    size_t terms;
    bool phased; // the rows have phases; else a term has one weight, that of the middlegame
    double phase_max;
    char (*names)[SPARSE_NAME_SIZE];
    double (*start)[2];       // middlegame and endgame weight a fit begins with; NULL: 0
    double (*occurrences)[2]; // how often each term occurs, both sides together, and the same with
                              // each occurrence weighted by its row's phase; NULL: not known
} SparseTerms;
void sparse_terms_clear(SparseTerms *terms);
AUTO_VALUE(SparseTerms, sparse_terms_clear)

// ---- writing ------------------------------------------------------------------------------------

typedef struct SparseWriter SparseWriter;

// Begins a file under a temporary name beside `path`.
Status sparse_writer_open(const char *path, SparseWriter **writer, Err *err);
// Appends rows. A column that the reader may lack is either filled in all rows or in none; then it
// is left out of the file.
Status sparse_writer_add(SparseWriter *writer, const SparseBlock *block, Err *err);
// Writes what belongs to the terms and gives the file its name. The writer is gone afterwards.
Status sparse_writer_finish(SparseWriter *writer, const SparseTerms *terms, const char *provenance,
                            Err *err);
void sparse_writer_drop(SparseWriter *writer); // NULL is fine
AUTO_HANDLE(SparseWriter, sparse_writer_drop)

// Writes fitted weights [terms][2] and their standard errors with the terms' names.
Status sparse_write_weights(const char *path, const SparseTerms *terms, const double *weights,
                            const double *errors, const char *provenance, Err *err);
// Reads such a file: *terms has the names, and [terms][2] *weights are the caller's to free.
// *provenance, which the caller frees, is NULL if the file has none.
Status sparse_read_weights(const char *path, SparseTerms *terms, double (**weights)[2],
                           char **provenance, Err *err);

// ---- reading ------------------------------------------------------------------------------------

typedef struct SparseReader SparseReader;

// Opens a file and checks its schema, its columns' lengths and its terms. STATUS_BAD_INPUT with
// what is wrong and what to do.
Status sparse_reader_open(const char *path, SparseReader **reader, Err *err);
void sparse_reader_close(SparseReader *reader); // NULL is fine
AUTO_HANDLE(SparseReader, sparse_reader_close)
const SparseTerms *sparse_reader_terms(const SparseReader *reader);
size_t sparse_reader_rows(const SparseReader *reader);

// Reads rows from `first` on into the block, in which they replace what was there: as many as are
// read well at once. Checks that the numbers are what sparse.def says; the message names the row.
Status sparse_reader_next(SparseReader *reader, size_t first, SparseBlock *block, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sparse rows: positions as coefficients of the terms of an evaluation, ours or another
// one, for tuners. sparse.def has the columns; datasets/sparse/README.md documents them for other
// programs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SPARSE_SCHEMA_VERSION = 1, SPARSE_NAME_SIZE = 64 };

// The numbers of a column. sparse.def says which member a column uses.
typedef struct SparseColumn {
    union {
        int64_t *ints;
        double *reals;
        void *numbers; // for both types
    };
    size_t count, capacity;
} SparseColumn;

// Some rows of a file, column by column. In a block, indptr counts from 0. Initialise with zeros;
// sparse_block_clear() frees it.
typedef struct SparseBlock {
    size_t rows;
    SparseColumn
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) name,
#include "datasets/sparse/sparse.def"
        end; // unused
} SparseBlock;
void sparse_block_clear(SparseBlock *block);
AUTO_VALUE(SparseBlock, sparse_block_clear)
void sparse_block_reset(SparseBlock *block); // removes the rows and keeps the memory
// Appends a number to a column.
void sparse_add_int(SparseColumn *column, int64_t value);
void sparse_add_real(SparseColumn *column, double value);

// The data of the terms. Arrays have `terms` elements.
typedef struct SparseTerms {
    size_t terms;
    bool phased; // false: the rows have no phases, and only middlegame weights are used
    double phase_max;
    char (*names)[SPARSE_NAME_SIZE];
    double (*start)[2]; // middlegame and endgame weight at the start of a fit; NULL: 0
    // Occurrences of each term for both sides together, and their sum weighted by the phase of the
    // row; NULL: unknown.
    double (*occurrences)[2];
} SparseTerms;
void sparse_terms_clear(SparseTerms *terms);
AUTO_VALUE(SparseTerms, sparse_terms_clear)

// ---- writing ------------------------------------------------------------------------------------

typedef struct SparseWriter SparseWriter;

// Creates a file under a temporary name beside `path`.
Status sparse_writer_open(const char *path, SparseWriter **writer, Err *err);
// Appends rows. An optional column must be filled in all rows or in none. If it is filled in none,
// the file does not get it.
Status sparse_writer_add(SparseWriter *writer, const SparseBlock *block, Err *err);
// Writes the data of the terms, renames the file to its final name, and frees the writer.
Status sparse_writer_finish(SparseWriter *writer, const SparseTerms *terms, const char *provenance,
                            Err *err);
// Deletes an unfinished file and frees the writer. NULL is ignored.
void sparse_writer_drop(SparseWriter *writer);
AUTO_HANDLE(SparseWriter, sparse_writer_drop)

// Writes fitted weights [terms][2], their standard errors, and the names of the terms.
Status sparse_write_weights(const char *path, const SparseTerms *terms, const double *weights,
                            const double *errors, const char *provenance, Err *err);
// Reads a file of fitted weights: the names in *terms, and *weights as [terms][2]. *provenance is
// NULL if the file has none. The caller frees all three.
Status sparse_read_weights(const char *path, SparseTerms *terms, double (**weights)[2],
                           char **provenance, Err *err);

// ---- reading ------------------------------------------------------------------------------------

typedef struct SparseReader SparseReader;

// Opens a file and checks its schema, the lengths of its columns, and its terms. Returns
// STATUS_BAD_INPUT with the fault and the remedy.
Status sparse_reader_open(const char *path, SparseReader **reader, Err *err);
// NULL is ignored.
void sparse_reader_close(SparseReader *reader);
AUTO_HANDLE(SparseReader, sparse_reader_close)
const SparseTerms *sparse_reader_terms(const SparseReader *reader);
size_t sparse_reader_rows(const SparseReader *reader);

// Reads a block of rows that begins with row `first`, and replaces the content of *block. Checks
// the numbers against sparse.def; the message names the row.
Status sparse_reader_next(SparseReader *reader, size_t first, SparseBlock *block, Err *err);

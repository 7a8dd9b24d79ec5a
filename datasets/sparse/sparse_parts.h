// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations that only sparse_write.c and sparse_read.c include.
#pragma once

#include "datasets/sparse/sparse_file.h"
#include "datasets/store/h5.h"

typedef enum SparseNumber { SPARSE_INT, SPARSE_REAL } SparseNumber;
typedef enum SparsePer { SPARSE_ROW, SPARSE_EDGE, SPARSE_ENTRY } SparsePer;

// A line of sparse.def.
typedef struct SparseColumnRow {
    const char *name;
    SparseNumber number;
    SparsePer per;
    bool needed;
    double absent;
    const char *description;
    size_t offset; // offset of the column's member in a SparseBlock
} SparseColumnRow;

enum {
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) SPARSE_AT_##name,
#include "datasets/sparse/sparse.def"
    SPARSE_COLUMN_COUNT
};
extern const SparseColumnRow sparse_columns[SPARSE_COLUMN_COUNT];

// Returns column number i of a block.
ALWAYS_INLINE SparseColumn *sparse_column(SparseBlock *block, int i) {
    return (SparseColumn *)(void *)((char *)block + sparse_columns[i].offset);
}
ALWAYS_INLINE hid_t sparse_memory_type(int i) {
    return sparse_columns[i].number == SPARSE_INT ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}
// Allocates memory for `count` numbers in a column.
void sparse_column_reserve(SparseColumn *column, size_t count);

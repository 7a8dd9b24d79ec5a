// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/sparse/sparse_file.h"

#include "core/base/memory.h"
#include "datasets/sparse/sparse_parts.h"

const SparseColumnRow sparse_columns[SPARSE_COLUMN_COUNT] = {
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description)                   \
    {#name,                                                                                        \
     SPARSE_##number,                                                                              \
     SPARSE_##per,                                                                                 \
     needed,                                                                                       \
     absent,                                                                                       \
     description,                                                                                  \
     offsetof(SparseBlock, name)},
#include "datasets/sparse/sparse.def"
#undef SPARSE_COLUMN
};

static void reserve(SparseColumn *column, SparseNumber number, size_t count) {
    if (count <= column->capacity) return;
    column->capacity = memory_grow(column->capacity, count);
    if (number == SPARSE_INT) {
        column->ints = memory_resize(column->ints, column->capacity, sizeof *column->ints);
    } else {
        column->reals = memory_resize(column->reals, column->capacity, sizeof *column->reals);
    }
}

void sparse_column_resize(SparseColumn *column, SparseNumber number, size_t count) {
    reserve(column, number, count);
    column->count = count;
}

void sparse_add_int(SparseColumn *column, int64_t value) {
    reserve(column, SPARSE_INT, column->count + 1);
    column->ints[column->count++] = value;
}

void sparse_add_real(SparseColumn *column, double value) {
    reserve(column, SPARSE_REAL, column->count + 1);
    column->reals[column->count++] = value;
}

void sparse_block_reset(SparseBlock *block) {
    block->rows = 0;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) sparse_column(block, i)->count = 0;
}

void sparse_block_clear(SparseBlock *block) {
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        free(sparse_column(block, i)->ints);
        free(sparse_column(block, i)->reals);
    }
    *block = (SparseBlock){0};
}

void sparse_terms_clear(SparseTerms *terms) {
    free(terms->names);
    free(terms->start);
    free(terms->occurrences);
    *terms = (SparseTerms){0};
}

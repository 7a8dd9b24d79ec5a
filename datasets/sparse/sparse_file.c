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

_Static_assert(sizeof(int64_t) == sizeof(double), "the numbers of a column are of one size");

void sparse_column_reserve(SparseColumn *column, size_t count) {
    column->numbers = memory_room(column->numbers, &column->capacity, count, sizeof(double));
}

void sparse_add_int(SparseColumn *column, int64_t value) {
    sparse_column_reserve(column, column->count + 1);
    column->ints[column->count++] = value;
}

void sparse_add_real(SparseColumn *column, double value) {
    sparse_column_reserve(column, column->count + 1);
    column->reals[column->count++] = value;
}

void sparse_block_reset(SparseBlock *block) {
    block->rows = 0;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) sparse_column(block, i)->count = 0;
}

void sparse_block_clear(SparseBlock *block) {
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) free(sparse_column(block, i)->numbers);
    *block = (SparseBlock){0};
}

void sparse_terms_clear(SparseTerms *terms) {
    free(terms->names);
    free(terms->start);
    free(terms->occurrences);
    *terms = (SparseTerms){0};
}

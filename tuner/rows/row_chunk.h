// SPDX-License-Identifier: GPL-3.0-or-later
// How rows become a chunk, and where its columns are. Inside of rows.c.
#pragma once

#include "tuner/rows/rows.h"

// Makes room behind the rows of a part for so many more.
void row_part_reserve(RowPart *part, size_t heads, size_t indices, size_t values);

// Indices that a head has behind it.
ALWAYS_INLINE size_t row_indices(const RowHead *head) {
    return (size_t)head->plus + head->minus + head->other;
}

// All rows of a part, at least one and at most ROWS_CHUNK, as a chunk in memory of its own. *stored
// is scratch, to be kept for the next chunk.
RowChunk row_chunk_make(const RowPart *part, int pairs, RowPart *stored);

// Bytes of a chunk's one block of memory, and the columns of a chunk whose block is at `at`.
size_t row_chunk_size(const RowChunk *chunk);
void row_chunk_place(char *at, RowChunk *chunk);

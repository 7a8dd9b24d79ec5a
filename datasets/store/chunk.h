// SPDX-License-Identifier: GPL-3.0-or-later
// Columns as the filtered chunks that lie in the file, made and read without HDF5 and therefore by
// any number of threads: shuffle, deflate, fletcher32, in this order, as the filters of the library
// do it.
#pragma once

#include "datasets/store/columns.h"

typedef struct PackedChunk {
    uint8_t *data; // NULL: the chunk was not fetched
    size_t size;
} PackedChunk;

// A column of `count` values in chunks of chunk_rows, or, when it was filtered in another way, as
// plain values. Zero-initialise; packed_column_clear() frees.
typedef struct PackedColumn {
    const Column *column;
    size_t count, chunk_rows;
    PackedChunk *chunks;
    size_t chunk_count;
    uint8_t *plain; // values plain_first and on
    size_t plain_first;
} PackedColumn;

void packed_column_clear(PackedColumn *packed);

// Memory that packing and unpacking work in, kept from one column to the next. Zero-initialise;
// chunk_work_clear() frees.
typedef struct ChunkWork {
    uint8_t *planes, *stream;        // a chunk shuffled, and deflated
    size_t planes_size, stream_size; // bytes allocated
    struct z_stream_s *deflater;     // of zlib
} ChunkWork;
void chunk_work_clear(ChunkWork *work);

// Begins the packing of a row member of `count` rows: with its chunks, none when it is empty, not
// yet packed. All columns of one count have the same number of them.
void column_pack_begin(const Column *column, size_t count, PackedColumn *packed);
// Packs chunk `index`; `rows` are all rows of the column.
void column_pack_chunk(PackedColumn *packed, size_t index, size_t row_size, const void *rows,
                       ChunkWork *work);
// Unpacks values first..first+count-1, whose chunks are there, into the member of `count` rows.
// STATUS_CORRUPT when a checksum, a stream or its length is wrong.
Status column_unpack(const PackedColumn *packed, size_t first, size_t count, size_t row_size,
                     ChunkWork *work, void *rows, Err *err);

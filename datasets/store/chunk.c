// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/chunk.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "datasets/store/checksums.h"
#include "datasets/store/planes.h"

// The numbers of the file are little-endian and rows are copied as they are.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the store wants a little-endian machine");

enum { CHECKSUM_SIZE = 4 };

// ---- shuffle -----------------------------------------------------------------------------------

// Byte b of value i goes to planes[b * chunk_rows + i]. Rows are taken in tiles that stay in the
// nearest cache while each plane is served.
enum { TILE_ROWS = 64 };

static void shuffle(const Column *column, size_t row_size, const void *rows, size_t count,
                    size_t chunk_rows, uint8_t *planes) {
    const uint8_t *member = (const uint8_t *)rows + column->offset;
    for (size_t tile = 0; tile < count; tile += TILE_ROWS) {
        const size_t end = tile + TILE_ROWS < count ? tile + TILE_ROWS : count;
        for (size_t b = 0; b < column->size; b++) {
            uint8_t *plane = planes + b * chunk_rows;
            const uint8_t *byte = member + b;
            for (size_t i = tile; i < end; i++) plane[i] = byte[i * row_size];
        }
    }
}

static void unshuffle(const Column *column, const uint8_t *planes, size_t chunk_rows, size_t first,
                      size_t count, size_t row_size, void *rows) {
    uint8_t *member = (uint8_t *)rows + column->offset;
    for (size_t tile = 0; tile < count; tile += TILE_ROWS) {
        const size_t end = tile + TILE_ROWS < count ? tile + TILE_ROWS : count;
        for (size_t b = 0; b < column->size; b++) {
            const uint8_t *plane = planes + b * chunk_rows + first;
            uint8_t *byte = member + b;
            for (size_t i = tile; i < end; i++) byte[i * row_size] = plane[i];
        }
    }
}

// ---- chunks ------------------------------------------------------------------------------------

// zlib's stream of a buffer; out holds `bound` bytes, which compressBound() gave.
static size_t deflate_stream(const uint8_t *data, size_t size, int level, uint8_t *out,
                             size_t bound) {
    uLongf written = bound;
    const int status = compress2(out, &written, data, size, level);
    assert(status == Z_OK);
    (void)status;
    return written;
}

void chunk_work_clear(ChunkWork *work) {
    free(work->planes);
    free(work->stream);
    free(work->other);
    free(work->tokens);
    *work = (ChunkWork){0};
}

// At least `size` bytes in *buffer; what was in it is lost.
static void *reserve(void *buffer, size_t *allocated, size_t size) {
    if (size <= *allocated) return buffer;
    free(buffer);
    *allocated = size;
    return memory_resize(NULL, size, 1);
}

static void pack_chunk(const PackedColumn *packed, size_t row_size, const void *rows, size_t count,
                       int level, ChunkWork *work, PackedChunk *chunk) {
    const Column *column = packed->column;
    const size_t plane = packed->chunk_rows, size = plane * column->size;
    const uint8_t *best = NULL;
    work->planes = reserve(work->planes, &work->planes_size, size);
    if (count < plane) memset(work->planes, 0, size);
    shuffle(column, row_size, rows, count, plane, work->planes);
    if (column->packing != PACKING_REPEATS) {
        work->stream = reserve(work->stream, &work->stream_size, planes_bound(size, plane));
        work->tokens = reserve(work->tokens, &work->tokens_size,
                               PLANES_WORK_COUNT(size) * sizeof *work->tokens);
        chunk->size = planes_deflate(work->planes, size, plane, work->tokens, work->stream);
        best = work->stream;
    }
    if (column->packing != PACKING_RUNS || level == DEFLATE_SMALL) {
        const size_t bound = compressBound(size);
        work->other = reserve(work->other, &work->other_size, bound);
        const size_t other = deflate_stream(work->planes, size, level, work->other, bound);
        if (!best || other < chunk->size) {
            chunk->size = other;
            best = work->other;
        }
    }
    chunk->data = memory_resize(NULL, chunk->size + CHECKSUM_SIZE, 1);
    memcpy(chunk->data, best, chunk->size);
    const uint32_t check = checksum_fletcher32(best, chunk->size);
    for (int i = 0; i < CHECKSUM_SIZE; i++)
        chunk->data[chunk->size++] = (uint8_t)(check >> (8 * i));
}

// Inflates a zlib stream of exactly `size` bytes. Its own check sum is left alone: that of the
// chunk was right and covers it.
static bool inflate_stream(const uint8_t *data, size_t length, uint8_t *out, size_t size) {
    enum { HEADER_SIZE = 2, TRAILER_SIZE = 4, RAW_WINDOW_BITS = -15 };
    if (length < HEADER_SIZE + TRAILER_SIZE || length > UINT_MAX || size > UINT_MAX) return false;
    const bool header =
        (data[0] & 15) == Z_DEFLATED && (data[0] * 256 + data[1]) % 31 == 0 && !(data[1] & 32);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)(data + HEADER_SIZE),
                       .avail_in = (uInt)(length - HEADER_SIZE),
                       .next_out = out,
                       .avail_out = (uInt)size};
    if (!header || inflateInit2(&stream, RAW_WINDOW_BITS) != Z_OK) return false;
    const int status = inflate(&stream, Z_FINISH);
    const bool good =
        status == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == TRAILER_SIZE;
    inflateEnd(&stream);
    return good;
}

static Status unpack_chunk(const PackedColumn *packed, const PackedChunk *chunk, size_t first,
                           size_t count, size_t row_size, ChunkWork *work, void *rows, Err *err) {
    const Column *column = packed->column;
    if (!chunk->data || chunk->size <= CHECKSUM_SIZE) {
        return err_set(err, STATUS_CORRUPT, "%s: a chunk of %zu bytes", column->name, chunk->size);
    }
    const size_t stream = chunk->size - CHECKSUM_SIZE, size = packed->chunk_rows * column->size;
    uint32_t check = 0;
    for (int i = 0; i < CHECKSUM_SIZE; i++) {
        check |= (uint32_t)chunk->data[stream + (size_t)i] << (8 * i);
    }
    if (check != checksum_fletcher32(chunk->data, stream)) {
        return err_set(err, STATUS_CORRUPT, "%s: the checksum of a chunk is wrong", column->name);
    }
    work->planes = reserve(work->planes, &work->planes_size, size);
    if (!inflate_stream(chunk->data, stream, work->planes, size)) {
        return err_set(err, STATUS_CORRUPT, "%s: a chunk cannot be inflated", column->name);
    }
    unshuffle(column, work->planes, packed->chunk_rows, first, count, row_size, rows);
    return STATUS_OK;
}

// ---- columns -----------------------------------------------------------------------------------

void packed_column_clear(PackedColumn *packed) {
    for (size_t i = 0; i < packed->chunk_count; i++) free(packed->chunks[i].data);
    free(packed->chunks);
    free(packed->plain);
    *packed = (PackedColumn){0};
}

void column_pack_begin(const Column *column, size_t count, PackedColumn *packed) {
    // Large enough for the codes to pay, small enough that a chunk of boards fits into the chunk
    // cache of a reader (1 MB); a data set may not be smaller than its chunk.
    enum { CHUNK_ROWS = 32768 };
    *packed = (PackedColumn){.column = column, .count = count};
    if (count == 0) return;
    packed->chunk_rows = count < CHUNK_ROWS ? count : CHUNK_ROWS;
    packed->chunk_count = (count + packed->chunk_rows - 1) / packed->chunk_rows;
    packed->chunks = memory_alloc(packed->chunk_count, sizeof *packed->chunks);
}

void column_pack_chunk(PackedColumn *packed, size_t index, size_t row_size, const void *rows,
                       int level, ChunkWork *work) {
    const size_t first = index * packed->chunk_rows, left = packed->count - first;
    pack_chunk(packed, row_size, (const char *)rows + first * row_size,
               left < packed->chunk_rows ? left : packed->chunk_rows, level, work,
               &packed->chunks[index]);
}

void column_pack(const Column *column, size_t row_size, const void *rows, size_t count, int level,
                 ChunkWork *work, PackedColumn *packed) {
    column_pack_begin(column, count, packed);
    for (size_t i = 0; i < packed->chunk_count; i++) {
        column_pack_chunk(packed, i, row_size, rows, level, work);
    }
}

static void copy_plain(const PackedColumn *packed, size_t first, size_t count, size_t row_size,
                       void *rows) {
    const Column *column = packed->column;
    const uint8_t *value = packed->plain + (first - packed->plain_first) * column->size;
    for (size_t i = 0; i < count; i++, value += column->size) {
        memcpy((char *)rows + i * row_size + column->offset, value, column->size);
    }
}

Status column_unpack(const PackedColumn *packed, size_t first, size_t count, size_t row_size,
                     ChunkWork *work, void *rows, Err *err) {
    assert(first + count <= packed->count);
    if (packed->plain) {
        copy_plain(packed, first, count, row_size, rows);
        return STATUS_OK;
    }
    Status status = STATUS_OK;
    while (count > 0 && status == STATUS_OK) {
        const size_t chunk = first / packed->chunk_rows, inside = first % packed->chunk_rows;
        const size_t rest = packed->chunk_rows - inside, part = count < rest ? count : rest;
        status =
            unpack_chunk(packed, &packed->chunks[chunk], inside, part, row_size, work, rows, err);
        rows = (char *)rows + part * row_size;
        first += part;
        count -= part;
    }
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/chunk.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"

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
    for (size_t i = 0; column->type == COLUMN_MOVE && i < count; i++) {
        const uint16_t stored =
            move_to_stored(*(const Move *)(const void *)(member + i * row_size));
        planes[i] = (uint8_t)stored;
        planes[chunk_rows + i] = (uint8_t)(stored >> 8);
    }
    if (column->type == COLUMN_MOVE) return;
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
    for (size_t i = first; column->type == COLUMN_MOVE && i < first + count; i++) {
        *(Move *)(void *)(member + (i - first) * row_size) =
            move_from_stored((uint16_t)(planes[i] | planes[chunk_rows + i] << 8));
    }
    if (column->type == COLUMN_MOVE) return;
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

void chunk_work_clear(ChunkWork *work) {
    if (work->deflater) deflateEnd(work->deflater);
    free(work->deflater);
    free(work->planes);
    free(work->stream);
    *work = (ChunkWork){0};
}

// At least `size` bytes in *buffer; what was in it is lost.
static void *reserve(void *buffer, size_t *allocated, size_t size) {
    if (size <= *allocated) return buffer;
    free(buffer);
    *allocated = size;
    return memory_resize(NULL, size, 1);
}

// Fletcher's sum of big-endian words modulo 65535, as HDF5 has it: what is not 0 does not become 0.
static uint64_t fold(uint64_t sum) {
    return sum ? (sum - 1) % 65535 + 1 : 0;
}

static uint32_t fletcher32(const uint8_t *data, size_t size) {
    enum { PIECE = 1 << 20 }; // bytes whose sums 64 bits hold
    uint64_t a = 0, b = 0;
    for (size_t i = 0; i < size;) {
        const size_t end = size - i < PIECE ? size : i + PIECE;
        for (; i < end; i += 2) {
            a += (uint64_t)data[i] << 8 | (i + 1 < size ? data[i + 1] : 0);
            b += a;
        }
        a = fold(a);
        b = fold(b);
    }
    return (uint32_t)(b << 16 | a);
}

// A byte plane changes slowly and has a distribution of its own: runs are the only matches looked
// for, and each plane is a block with its own Huffman code. Returns the bytes of work->stream.
static size_t deflate_runs(ChunkWork *work, size_t size, size_t plane) {
    enum { WINDOW_BITS = 15, MEMORY = 9, BLOCK_MORE = 64 };
    z_stream *stream = work->deflater;
    int status = Z_OK;
    if (!stream) {
        stream = work->deflater = memory_alloc(1, sizeof *stream);
        status =
            deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY, Z_RLE);
    } else {
        status = deflateReset(stream);
    }
    assert(status == Z_OK);
    const size_t bound = deflateBound(stream, size) + size / plane * BLOCK_MORE;
    work->stream = reserve(work->stream, &work->stream_size, bound);
    stream->next_in = work->planes;
    stream->next_out = work->stream;
    stream->avail_out = (uInt)bound;
    for (size_t at = plane; at <= size && status == Z_OK; at += plane) {
        stream->avail_in = (uInt)plane;
        status = deflate(stream, at < size ? Z_BLOCK : Z_FINISH);
    }
    assert(status == Z_STREAM_END);
    return bound - stream->avail_out;
}

static size_t deflate_repeats(ChunkWork *work, size_t size) {
    uLongf written = compressBound(size);
    work->stream = reserve(work->stream, &work->stream_size, written);
    const int status = compress(work->stream, &written, work->planes, size);
    assert(status == Z_OK);
    (void)status;
    return written;
}

static Status unpack_chunk(const PackedColumn *packed, const PackedChunk *chunk, size_t first,
                           size_t count, size_t row_size, ChunkWork *work, void *rows, Err *err) {
    const Column *column = packed->column;
    if (!chunk->data || chunk->size <= CHECKSUM_SIZE) {
        return err_set(err, STATUS_CORRUPT, "%s: a chunk of %zu bytes", column->name, chunk->size);
    }
    const size_t stream = chunk->size - CHECKSUM_SIZE, size = packed->chunk_rows * column->size;
    uint32_t check;
    memcpy(&check, chunk->data + stream, CHECKSUM_SIZE);
    if (check != fletcher32(chunk->data, stream)) {
        return err_set(err, STATUS_CORRUPT, "%s: the checksum of a chunk is wrong", column->name);
    }
    work->planes = reserve(work->planes, &work->planes_size, size);
    uLong taken = stream;
    uLongf given = size;
    if (uncompress2(work->planes, &given, chunk->data, &taken) != Z_OK || given != size ||
        taken != stream) {
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
                       ChunkWork *work) {
    const Column *column = packed->column;
    PackedChunk *chunk = &packed->chunks[index];
    const size_t plane = packed->chunk_rows, size = plane * column->size;
    const size_t first = index * plane, left = packed->count - first;
    work->planes = reserve(work->planes, &work->planes_size, size);
    if (left < plane) memset(work->planes, 0, size);
    shuffle(column, row_size, (const char *)rows + first * row_size, left < plane ? left : plane,
            plane, work->planes);
    chunk->size = column->packing == PACKING_RUNS ? deflate_runs(work, size, plane)
                                                  : deflate_repeats(work, size);
    chunk->data = memory_resize(NULL, chunk->size + CHECKSUM_SIZE, 1);
    memcpy(chunk->data, work->stream, chunk->size);
    const uint32_t check = fletcher32(chunk->data, chunk->size);
    memcpy(chunk->data + chunk->size, &check, CHECKSUM_SIZE);
    chunk->size += CHECKSUM_SIZE;
}

static void copy_plain(const PackedColumn *packed, size_t first, size_t count, size_t row_size,
                       void *rows) {
    const Column *column = packed->column;
    const uint8_t *value = packed->plain + (first - packed->plain_first) * column->size;
    for (size_t i = 0; i < count; i++, value += column->size) {
        char *member = (char *)rows + i * row_size + column->offset;
        memcpy(member, value, column->size);
        if (column->type == COLUMN_MOVE) {
            Move *move = (Move *)(void *)member;
            *move = move_from_stored(*move);
        }
    }
}

Status column_unpack(const PackedColumn *packed, size_t first, size_t count, size_t row_size,
                     ChunkWork *work, void *rows, Err *err) {
    assert(first + count <= packed->count);
    if (packed->plain) {
        copy_plain(packed, first, count, row_size, rows);
        return STATUS_OK;
    }
    while (count > 0) {
        const size_t chunk = first / packed->chunk_rows, inside = first % packed->chunk_rows;
        const size_t rest = packed->chunk_rows - inside, part = count < rest ? count : rest;
        TRY(unpack_chunk(packed, &packed->chunks[chunk], inside, part, row_size, work, rows, err));
        rows = (char *)rows + part * row_size;
        first += part;
        count -= part;
    }
    return STATUS_OK;
}

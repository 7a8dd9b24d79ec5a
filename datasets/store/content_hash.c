// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/content_hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Values of several rows in file order, on their way to the hash.
typedef struct ByteQueue {
    Sha256 *hash;
    size_t used;
    uint8_t bytes[4096];
} ByteQueue;

static void flush(ByteQueue *queue) {
    sha256_add(queue->hash, queue->bytes, queue->used);
    queue->used = 0;
}

// Bytes of a row that follow each other in memory as they do in the file.
typedef struct Segment {
    size_t offset, size;
} Segment;

enum { MAX_SEGMENTS = 32 };

// Rows hold their numbers as the machine does, and the machine is little-endian (chunk.c).
static size_t find_segments(const ColumnGroup *group, Segment segments[MAX_SEGMENTS]) {
    size_t count = 0;
    for (size_t k = 0; k < group->column_count; k++) {
        const Column *column = &group->columns[k];
        Segment *last = count ? &segments[count - 1] : NULL;
        if (last && last->offset + last->size == column->offset) {
            last->size += column->size;
        } else {
            assert(count < MAX_SEGMENTS);
            segments[count++] = (Segment){column->offset, column->size};
        }
    }
    return count;
}

static void add_rows(ByteQueue *queue, GroupId id, const void *rows, size_t count) {
    // What is copied of a segment, its end included, so that the size is one the compiler knows;
    // the next segment overwrites the rest.
    enum { WORD = sizeof(uint64_t) };
    const ColumnGroup *group = column_group(id);
    Segment segments[MAX_SEGMENTS];
    const size_t segment_count = find_segments(group, segments);
    const char *row = rows;
    for (size_t i = 0; i < count; i++, row += group->row_size) {
        if (queue->used + group->row_size + WORD > sizeof queue->bytes) flush(queue);
        uint8_t *at = queue->bytes + queue->used;
        for (size_t k = 0; k < segment_count; k++) {
            const char *from = row + segments[k].offset;
            const size_t size = segments[k].size;
            if (size <= WORD && segments[k].offset + WORD <= group->row_size) {
                memcpy(at, from, WORD);
            } else {
                memcpy(at, from, size);
            }
            at += size;
        }
        queue->used = (size_t)(at - queue->bytes);
    }
}

void content_digest(const GameSlice *slice, uint8_t digest[SHA256_BYTES]) {
    Sha256 hash;
    ByteQueue queue;
    sha256_init(&hash);
    queue.hash = &hash;
    queue.used = 0;
    add_rows(&queue, GROUP_GAMES, slice->game, 1);
    add_rows(&queue, GROUP_PLIES, slice->plies, slice->game->ply_count);
    add_rows(&queue, GROUP_POSITIONS, slice->positions, slice->position_count);
    flush(&queue);
    sha256_finish(&hash, digest);
}

Status content_hash_rows(const ShardRows *rows, char hex[SHA256_HEX_SIZE], Err *err) {
    GameSlice *slices = NULL;
    const Status status = shard_rows_slices(rows, &slices, err);
    if (status != STATUS_OK) return status;
    Sha256 outer;
    uint8_t digest[SHA256_BYTES];
    sha256_init(&outer);
    for (size_t i = 0; i < rows->game_count; i++) {
        content_digest(&slices[i], digest);
        sha256_add(&outer, digest, sizeof digest);
    }
    sha256_finish_hex(&outer, hex);
    free(slices);
    return STATUS_OK;
}

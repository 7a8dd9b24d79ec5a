// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/rows.h"

#include <string.h>

#include "core/base/memory.h"

// ---- differences --------------------------------------------------------------------------------

// Of two ascending lists, the entries that only one of them has: those of `from` behind *only,
// those of `than` behind *lost. Both ends move. (Both are written in any case: there is no branch
// to guess.)
static void list_difference(const uint16_t *from, const uint16_t *from_end, const uint16_t *than,
                            const uint16_t *than_end, uint16_t **only, uint16_t **lost) {
    uint16_t *added = *only, *removed = *lost;
    while (from < from_end && than < than_end) {
        const uint16_t a = *from, b = *than;
        *added = a;
        *removed = b;
        added += a < b;
        removed += b < a;
        from += a <= b;
        than += b <= a;
    }
    while (from < from_end) *added++ = *from++;
    while (than < than_end) *removed++ = *than++;
    *only = added;
    *lost = removed;
}

// Writes the row's difference from the row before to `to`, which has room for the indices of both;
// *head receives its counts. What was counted once less for a side is one more for the other.
static void difference(const RowHead *before, const uint16_t *index_before, RowHead *head,
                       const uint16_t *index, uint16_t *to) {
    uint16_t minus[2 * UINT8_MAX], *plus_end = to, *minus_end = minus;
    const uint16_t *mid = index + head->plus, *mid_before = index_before + before->plus;
    list_difference(index, mid, index_before, mid_before, &plus_end, &minus_end);
    list_difference(mid, mid + head->minus, mid_before, mid_before + before->minus, &minus_end,
                    &plus_end);
    head->plus = (uint8_t)(plus_end - to);
    head->minus = (uint8_t)(minus_end - minus);
    memcpy(plus_end, minus, head->minus * sizeof *to);
}

// Writes to *stored what a chunk is to hold of the part's rows, and which are stored whole: the
// first one, those with other coefficients (whose differences might not be exact) and those after
// them, and those that are no longer than their difference.
static void store_differences(const RowPart *part, RowPart *stored, uint8_t *whole) {
    const uint16_t *index = part->indices, *index_before = NULL;
    stored->count = stored->index_count = 0;
    for (size_t i = 0; i < part->count; i++) {
        const RowHead *before = i ? &part->heads[i - 1] : NULL;
        RowHead head = part->heads[i];
        const size_t length = row_indices(&head);
        row_part_reserve(stored, 1, length + (before ? row_indices(before) : 0) + 1, 0);
        uint16_t *to = stored->indices + stored->index_count;
        whole[i] = !before || before->other > 0 || head.other > 0;
        // A difference may have more indices of one sign than can be counted.
        whole[i] = whole[i] || length + row_indices(before) > UINT8_MAX;
        if (!whole[i]) difference(before, index_before, &head, index, to);
        whole[i] = whole[i] || row_indices(&head) >= length;
        if (whole[i]) head = part->heads[i];
        if (whole[i] && length > 0) memcpy(to, index, length * sizeof *to);
        stored->heads[stored->count++] = head;
        stored->index_count += row_indices(&head);
        index_before = index;
        index += length;
    }
}

// ---- the order of what is stored ----------------------------------------------------------------

typedef struct RowPlace {
    uint32_t key;        // what stored rows are sorted by: rows with equal counts stand together
    uint32_t row;        // its place before
    size_t index, value; // where its indices and values begin
} RowPlace;

static uint32_t counts_key(const RowHead *head) {
    return (uint32_t)head->plus << 24 | (uint32_t)head->minus << 16 | head->other;
}

// Sorts by 16 bits of the key; what is equal in them keeps its order.
static void sort_places(const RowPlace *from, size_t count, int shift, RowPlace *to) {
    uint32_t *first = memory_alloc(UINT16_MAX + 2, sizeof *first);
    for (size_t i = 0; i < count; i++) first[(from[i].key >> shift & UINT16_MAX) + 1]++;
    for (size_t i = 0; i < UINT16_MAX; i++) first[i + 1] += first[i];
    for (size_t i = 0; i < count; i++) to[first[from[i].key >> shift & UINT16_MAX]++] = from[i];
    free(first);
}

// The stored rows in the order in which the chunk will hold them.
static RowPlace *sorted_places(const RowPart *stored) {
    RowPlace *places = memory_alloc(stored->count, sizeof *places);
    RowPlace *halfway = memory_alloc(stored->count, sizeof *halfway);
    size_t index = 0, value = 0;
    for (size_t i = 0; i < stored->count; i++) {
        const RowHead *head = &stored->heads[i];
        places[i] = (RowPlace){counts_key(head), (uint32_t)i, index, value};
        index += row_indices(head);
        value += head->other;
    }
    sort_places(places, stored->count, 0, halfway);
    sort_places(halfway, stored->count, 16, places);
    free(halfway);
    return places;
}

// ---- the columns --------------------------------------------------------------------------------

// COLUMN(type, name, count): the columns of a chunk in its one block of memory, widest elements
// first.
#define CHUNK_COLUMNS(COLUMN)                                                                      \
    COLUMN(uint32_t, game, count)                                                                  \
    COLUMN(float, phase, count)                                                                    \
    COLUMN(float, result, count)                                                                   \
    COLUMN(float, values, value_count)                                                             \
    COLUMN(RowGroup, groups, group_count)                                                          \
    COLUMN(uint16_t, place, count)                                                                 \
    COLUMN(int16_t, score_red, count)                                                              \
    COLUMN(uint16_t, indices, index_count)                                                         \
    COLUMN(int8_t, mover, count)                                                                   \
    COLUMN(uint8_t, whole, count)

// The columns while they are filled.
typedef struct Columns {
#define COLUMN(type, name, count) type *name;
    CHUNK_COLUMNS(COLUMN)
#undef COLUMN
} Columns;

static size_t block_size(const RowChunk *chunk) {
    size_t size = 0;
#define COLUMN(type, name, count) size += chunk->count * sizeof(type);
    CHUNK_COLUMNS(COLUMN)
#undef COLUMN
    return size;
}

// The columns of a chunk whose block is at `at`.
static Columns place_columns(char *at, RowChunk *chunk) {
    Columns to;
#define COLUMN(type, name, count)                                                                  \
    chunk->name = to.name = (type *)(void *)at;                                                    \
    at += chunk->count * sizeof(type);
    CHUNK_COLUMNS(COLUMN)
#undef COLUMN
    return to;
}

// Writes the indices of `rows` stored rows of one group; returns the end of what was written.
static uint16_t *write_indices(const RowPart *stored, const RowPlace *places, size_t rows,
                               uint16_t *to) {
    const RowHead *head = &stored->heads[places->row];
    const size_t length = row_indices(head);
    const size_t tiled = head->other == 0 ? rows / ROW_TILE * ROW_TILE : 0;
    for (size_t i = 0; i < tiled; i++) {
        uint16_t *tile = to + i / ROW_TILE * ROW_TILE * length + i % ROW_TILE;
        for (size_t k = 0; k < length; k++) {
            tile[k * ROW_TILE] = stored->indices[places[i].index + k];
        }
    }
    to += tiled * length;
    for (size_t i = tiled; i < rows; i++, to += length) {
        memcpy(to, stored->indices + places[i].index, length * sizeof *to);
    }
    return to;
}

// Groups, places, indices and values, from what is stored in order.
static void write_stored(const RowPart *stored, const float *values, const RowPlace *places,
                         Columns to) {
    RowGroup *group = to.groups - 1;
    for (size_t i = 0; i < stored->count; i++) {
        const RowHead *head = &stored->heads[places[i].row];
        if (i == 0 || places[i].key != places[i - 1].key) {
            *++group = (RowGroup){.plus = head->plus, .minus = head->minus, .other = head->other};
        }
        group->rows++;
        to.place[i] = (uint16_t)places[i].row;
        for (int k = 0; k < head->other; k++) *to.values++ = values[places[i].value + (size_t)k];
    }
    const RowPlace *end = places + stored->count;
    for (group = to.groups; places < end; places += (group++)->rows) {
        to.indices = write_indices(stored, places, group->rows, to.indices);
    }
}

RowChunk row_chunk_make(const RowPart *part, RowPart *stored) {
    uint8_t *whole = memory_alloc(part->count, sizeof *whole);
    store_differences(part, stored, whole);
    RowPlace *places = sorted_places(stored);
    size_t groups = 0;
    for (size_t i = 0; i < part->count; i++) {
        groups += i == 0 || places[i].key != places[i - 1].key;
    }
    RowChunk chunk = {.count = (uint32_t)part->count,
                      .group_count = (uint32_t)groups,
                      .index_count = (uint32_t)stored->index_count,
                      .value_count = (uint32_t)part->value_count};
    chunk.memory = memory_alloc(block_size(&chunk), 1);
    const Columns to = place_columns(chunk.memory, &chunk);
    write_stored(stored, part->values, places, to);
    for (size_t i = 0; i < part->count; i++) {
        to.game[i] = part->heads[i].game;
        to.phase[i] = part->heads[i].phase;
        to.score_red[i] = part->heads[i].score_red;
        to.result[i] = part->heads[i].result;
        to.mover[i] = part->heads[i].mover;
        to.whole[i] = whole[i];
    }
    free(whole);
    free(places);
    return chunk;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_pass.h"

#include <string.h>

#include "core/base/memory.h"

// Where a row's stored indices are.
typedef struct Stored {
    const RowGroup *group;
    const uint16_t *index; // the first; the next ones stand `stride` further each
    const float *value;
    int stride;
} Stored;

// So many indices are written at a time, wanted or not: their number is hard to foretell.
enum { LISTED_AT_ONCE = 4 };

struct RowReader {
    const RowChunk *chunk;
    uint32_t row; // the next one
    int pairs, words;
    int8_t *counts;         // [pairs] of the row before, unless it had other coefficients
    uint64_t *plus, *minus; // [words] the pairs with counts of either sign
    uint64_t *more;         // [words] the pairs with counts beyond +-1
    uint16_t entries[2 * UINT8_MAX + LISTED_AT_ONCE];
    Stored stored[ROWS_CHUNK];
};

RowReader *row_reader_new(int pairs) {
    RowReader *reader = memory_alloc(1, sizeof *reader);
    reader->pairs = pairs;
    reader->words = (pairs + 63) / 64;
    reader->counts = memory_alloc((size_t)pairs, sizeof *reader->counts);
    reader->plus = memory_alloc((size_t)reader->words, sizeof *reader->plus);
    reader->minus = memory_alloc((size_t)reader->words, sizeof *reader->minus);
    reader->more = memory_alloc((size_t)reader->words, sizeof *reader->more);
    return reader;
}

void row_reader_free(RowReader *reader) {
    if (!reader) return;
    free(reader->counts);
    free(reader->plus);
    free(reader->minus);
    free(reader->more);
    free(reader);
}

void row_reader_open(RowReader *reader, const RowChunk *chunk) {
    reader->chunk = chunk;
    reader->row = 0;
    Cursor at = cursor_at(chunk);
    for (RowRun run; cursor_run(&at, &run);) {
        for (int i = 0; i < run.rows; i++) {
            const bool tiled = i < run.tiled;
            const size_t first = (size_t)(tiled ? i / ROW_TILE * ROW_TILE : i);
            reader->stored[run.place[i]] = (Stored){
                .group = run.group,
                .index = run.index + first * (size_t)run.length + (tiled ? i % ROW_TILE : 0),
                .value = run.value + (size_t)i * run.group->other,
                .stride = tiled ? ROW_TILE : 1};
        }
    }
}

static void set_bit(uint64_t *set, unsigned bit, bool value) {
    set[bit / 64] = (set[bit / 64] & ~((uint64_t)1 << bit % 64)) | (uint64_t)value << bit % 64;
}

static void count_one(RowReader *reader, unsigned pair, int sign) {
    const int count = reader->counts[pair] + sign;
    reader->counts[pair] = (int8_t)count;
    set_bit(reader->plus, pair, count > 0);
    set_bit(reader->minus, pair, count < 0);
    set_bit(reader->more, pair, count < -1 || count > 1);
}

// Writes the indices of the pairs in `set`, each as often as it counts, to `to`, and something
// behind them; returns how many.
static int list_pairs(const RowReader *reader, const uint64_t *set, uint16_t *to) {
    const uint16_t *begin = to;
    for (int word = 0; word < reader->words; word++) {
        const int count = bits_count64(set[word]);
        uint64_t left = set[word];
        for (int k = 0; k < count; k += LISTED_AT_ONCE) {
            for (int j = 0; j < LISTED_AT_ONCE; j++, left &= left - 1) {
                const int bit = bits_lowest64(left | (uint64_t)1 << 63);
                to[k + j] = (uint16_t)(2 * (64 * word + bit));
            }
        }
        to += count;
    }
    for (int word = 0; word < reader->words; word++) {
        for (uint64_t left = set[word] & reader->more[word]; left; left &= left - 1) {
            const int pair = 64 * word + bits_lowest64(left);
            const int copies = abs(reader->counts[pair]) - 1;
            for (int k = 0; k < copies; k++) *to++ = (uint16_t)(2 * pair);
        }
    }
    return (int)(to - begin);
}

RowEntries row_reader_stored(RowReader *reader, bool *whole) {
    const Stored *stored = &reader->stored[reader->row];
    const RowGroup *group = stored->group;
    const int both = group->plus + group->minus;
    *whole = reader->chunk->whole[reader->row++];
    if (stored->stride == 1) {
        return (RowEntries){group->plus, group->minus, group->other, stored->index, stored->value};
    }
    for (int k = 0; k < both; k++) reader->entries[k] = stored->index[k * stored->stride];
    return (RowEntries){group->plus, group->minus, 0, reader->entries, NULL};
}

RowEntries row_reader_next(RowReader *reader) {
    bool whole;
    const RowEntries row = row_reader_stored(reader, &whole);
    if (row.other > 0) return row; // stored whole, as is the next one
    if (whole) {
        memset(reader->counts, 0, (size_t)reader->pairs * sizeof *reader->counts);
        memset(reader->plus, 0, (size_t)reader->words * sizeof *reader->plus);
        memset(reader->minus, 0, (size_t)reader->words * sizeof *reader->minus);
        memset(reader->more, 0, (size_t)reader->words * sizeof *reader->more);
    }
    for (int k = 0; k < row.plus + row.minus; k++) {
        count_one(reader, row.index[k] / 2, k < row.plus ? 1 : -1);
    }
    RowEntries entries = {.index = reader->entries};
    entries.plus = list_pairs(reader, reader->plus, reader->entries);
    entries.minus = list_pairs(reader, reader->minus, reader->entries + entries.plus);
    return entries;
}

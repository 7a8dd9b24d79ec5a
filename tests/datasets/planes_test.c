// SPDX-License-Identifier: GPL-3.0-or-later
// The store's own deflate writer: whatever goes in, zlib gives it back.
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "datasets/store/checksums.h"
#include "datasets/store/chunk.h"
#include "datasets/store/planes.h"
#include "tests/test.h"

// A byte drawn so that its code lengths are spread as `shape` says.
static uint8_t draw(Random *random, int shape) {
    const uint64_t word = random_next(random);
    switch (shape) {
    case 0:
        return (uint8_t)word; // all alike
    case 1:
        return (uint8_t)bits_lowest64(word | 1ull << 63); // halves: codes of every length
    case 2:
        return word % 1000 < 990 ? 7 : (uint8_t)(word >> 20); // long runs
    case 3:
        return (uint8_t)(word % 3); // short runs
    default:
        return 42; // one run
    }
}

typedef struct Row {
    uint8_t before;
    uint8_t squares[SLOT_COUNT];
    uint16_t number;
    uint8_t after;
} Row;

static void check_column(TestContext *t, const Column *column, const Row *rows, size_t count,
                         int shape) {
    PackedColumn packed;
    ChunkWork work = {0};
    Row *back = memory_alloc(count, sizeof *back);
    Err err = {0};
    column_pack(column, sizeof *rows, rows, count, DEFLATE_FAST, &work, &packed);
    const Status status = column_unpack(&packed, 0, count, sizeof *back, &work, back, &err);
    CHECK_MSG(status == STATUS_OK, "shape %d, %zu rows: %s", shape, count, err.text);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const bool same = memcmp((const char *)&rows[i] + column->offset,
                                 (const char *)&back[i] + column->offset, column->size) == 0;
        if (!CHECK_MSG(same, "shape %d: row %zu of %zu differs", shape, i, count)) break;
    }
    // Half of the rows, from the middle of a chunk to the next.
    if (status == STATUS_OK && count > 3) {
        const size_t first = count / 3, part = count / 2;
        CHECK(column_unpack(&packed, first, part, sizeof *back, &work, back, &err) == STATUS_OK);
        CHECK(memcmp((const char *)&rows[first + part - 1] + column->offset,
                     (const char *)&back[part - 1] + column->offset, column->size) == 0);
    }
    packed_column_clear(&packed);
    chunk_work_clear(&work);
    free(back);
}

void test_planes_round_trip(TestContext *t) {
    static const Column boards = {
        "boards", COLUMN_SQUARES, PACKING_RUNS, offsetof(Row, squares), SLOT_COUNT, "", ""};
    static const Column number = {"number", COLUMN_U16, PACKING_RUNS, offsetof(Row, number), 2,
                                  "",       ""};
    static const Column either = {"either", COLUMN_U16, PACKING_EITHER, offsetof(Row, number), 2,
                                  "",       ""};
    static const Column zlibs = {"zlib", COLUMN_U16, PACKING_REPEATS, offsetof(Row, number), 2,
                                 "",     ""};
    static const size_t counts[] = {1, 2, 3, 17, 258, 259, 300, 1000, 4096, 40000, 70000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int shape = 0; shape < 8; shape++) {
            const size_t count = counts[i];
            Row *rows = memory_alloc(count, sizeof *rows);
            Random random;
            random_init(&random, 99, count * 8 + (size_t)shape);
            for (size_t k = 0; k < count; k++) {
                for (int b = 0; b < SLOT_COUNT; b++) {
                    // Shapes 5, 6, 7: planes unlike each other; values that stay for long, that
                    // alternate.
                    const bool stay = shape == 6 && k > 0 && random_below(&random, 30) > 0;
                    const bool jump = random_below(&random, 300) == 0;
                    rows[k].squares[b] = shape == 7 ? (uint8_t)((k + jump) % 2 * 9)
                                         : stay     ? rows[k - 1].squares[b]
                                                    : draw(&random, shape < 5 ? shape : b % 5);
                }
                rows[k].number =
                    (uint16_t)(draw(&random, shape) | draw(&random, (shape + 1) % 5) << 8);
            }
            check_column(t, &boards, rows, count, shape);
            check_column(t, &number, rows, count, shape);
            check_column(t, &either, rows, count, shape);
            check_column(t, &zlibs, rows, count, shape);
            free(rows);
        }
    }
}

// Frequencies like Fibonacci's numbers ask for codes longer than deflate allows.
void test_planes_long_codes(TestContext *t) {
    static const Column number = {"number", COLUMN_U16, PACKING_RUNS, offsetof(Row, number), 2,
                                  "",       ""};
    for (int symbols = 2; symbols <= 22; symbols++) {
        size_t count = 0;
        Row *rows = memory_alloc(32768, sizeof *rows);
        uint32_t before = 1, now = 1;
        for (int symbol = 0; symbol < symbols; symbol++) {
            // Never two equal values in a row, so that no runs are made: every second one is
            // filler.
            for (uint32_t i = 0; i < now && count + 2 < 32768; i++) {
                rows[count++].number = (uint16_t)symbol;
                rows[count++].number = (uint16_t)(100 + symbol);
            }
            const uint32_t next = before + now;
            before = now;
            now = next;
        }
        check_column(t, &number, rows, count, symbols);
        free(rows);
    }
}

void test_planes_damage(TestContext *t) {
    static const Column number = {"number", COLUMN_U16, PACKING_RUNS, offsetof(Row, number), 2,
                                  "",       ""};
    Row rows[500], back[500];
    Random random;
    random_init(&random, 5, 5);
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < 500; i++) rows[i].number = (uint16_t)random_below(&random, 90);
    PackedColumn packed;
    ChunkWork work = {0};
    column_pack(&number, sizeof *rows, rows, 500, DEFLATE_FAST, &work, &packed);
    PackedChunk *chunk = &packed.chunks[0];
    for (size_t i = 0; i < chunk->size; i++) {
        Err err = {0};
        chunk->data[i] ^= 4;
        CHECK_MSG(column_unpack(&packed, 0, 500, sizeof *back, &work, back, &err) == STATUS_CORRUPT,
                  "byte %zu", i);
        chunk->data[i] ^= 4;
    }
    const size_t size = chunk->size;
    for (chunk->size = 0; chunk->size < size; chunk->size++) {
        CHECK(column_unpack(&packed, 0, 500, sizeof *back, &work, back, NULL) == STATUS_CORRUPT);
    }
    packed_column_clear(&packed);
    chunk_work_clear(&work);
}

// A plane through our writer and zlib's reader, which looks at the check sum, too. Returns the
// bytes of the stream.
static size_t check_plane(TestContext *t, const uint8_t *data, size_t size) {
    uint8_t *stream = memory_alloc(planes_bound(size, size), 1);
    uint16_t *work = memory_alloc(PLANES_WORK_COUNT(size), sizeof *work);
    uint8_t *back = memory_alloc(size, 1);
    uLongf got = size;
    const size_t used = planes_deflate(data, size, size, work, stream);
    CHECK(used <= planes_bound(size, size));
    CHECK_MSG(uncompress(back, &got, stream, used) == Z_OK && got == size &&
                  memcmp(back, data, size) == 0,
              "a plane of %zu bytes", size);
    free(back);
    free(work);
    free(stream);
    return used;
}

// Two values at random: matches of any distance, up to the window's.
void test_planes_two_values(TestContext *t) {
    static const size_t sizes[] = {1, 2, 14, 15, 16, 17, 33, 300, 4096, 32768, 32769, 200000};
    enum { MOST = 200000, CHUNK = 32768 };
    uint8_t *data = memory_alloc(MOST, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int parts = 2; parts <= 64; parts *= 2) { // one value in so many is the rarer one
            Random random;
            random_init(&random, (uint64_t)parts, i);
            for (size_t k = 0; k < sizes[i]; k++) {
                data[k] = random_below(&random, (uint64_t)parts) ? 255 : 0;
            }
            const size_t used = check_plane(t, data, sizes[i]);
            // Bits cannot be had for less than 1/8 byte; three codes without matches take 3/16.
            if (sizes[i] == CHUNK && parts == 2) CHECK(used < CHUNK * 17 / 100);
            data[sizes[i] - 1] = 7; // and a third value, at the end
            check_plane(t, data, sizes[i]);
        }
    }
    free(data);
}

static uint32_t plain_fletcher32(const uint8_t *data, size_t size) {
    uint32_t sum1 = 0, sum2 = 0;
    for (size_t i = 0; i < size; i += 2) {
        sum1 += (uint32_t)data[i] << 8 | (i + 1 < size ? data[i + 1] : 0);
        sum1 = (sum1 & 0xffff) + (sum1 >> 16);
        sum2 += sum1;
        sum2 = (sum2 & 0xffff) + (sum2 >> 16);
    }
    return sum2 << 16 | sum1;
}

void test_checksums(TestContext *t) {
    enum { MOST = 300001 };
    uint8_t *data = memory_alloc(MOST, 1);
    Random random;
    random_init(&random, 3, 1);
    for (int shape = 0; shape < 3; shape++) {
        for (size_t i = 0; i < MOST; i++) {
            data[i] = (uint8_t)(shape == 0 ? 255 : shape == 1 ? 0 : random_next(&random));
        }
        for (size_t size = 0; size <= MOST; size += size < 100 ? 1 : size / 3) {
            CHECK_MSG(checksum_adler32(data, size) == adler32_z(1, data, size), "%zu bytes", size);
            CHECK_MSG(checksum_fletcher32(data, size) == plain_fletcher32(data, size), "%zu bytes",
                      size);
        }
    }
    free(data);
}

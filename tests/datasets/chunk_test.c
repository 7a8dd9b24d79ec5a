// SPDX-License-Identifier: GPL-3.0-or-later
// Columns as packed chunks: whatever goes in comes back. tests/datasets/store_damage_test.c damages
// them.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "datasets/store/chunk.h"
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
    column_pack_begin(column, count, &packed);
    for (size_t k = 0; k < packed.chunk_count; k++) {
        column_pack_chunk(&packed, k, sizeof *rows, rows, &work);
    }
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

void test_chunk_round_trip(TestContext *t) {
    static const Column boards = {
        "boards", COLUMN_SQUARES, PACKING_RUNS, offsetof(Row, squares), SLOT_COUNT, "", ""};
    static const Column number = {"number", COLUMN_U16, PACKING_RUNS, offsetof(Row, number), 2,
                                  "",       ""};
    static const Column zlibs = {"zlib", COLUMN_U16, PACKING_REPEATS, offsetof(Row, number), 2,
                                 "",     ""};
    static const size_t counts[] = {1, 2, 3, 17, 258, 259, 300, 1000, 4096, 40000, 70000};
    FOR_EACH (row, counts) {
        for (int shape = 0; shape < 8; shape++) {
            const size_t count = *row;
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
            check_column(t, &zlibs, rows, count, shape);
            free(rows);
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the random order of a book's openings.
#include "selfplay/openings/opening.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

enum { PLACES_MOST = 600 };

// Returns how many standard deviations the chi-square of `count` equally likely cells is above its
// mean.
static double excess(const int *cells, int count, int draws) {
    const double expected = (double)draws / count;
    double chi = 0;
    for (int i = 0; i < count; i++) {
        chi += (cells[i] - expected) * (cells[i] - expected) / expected;
    }
    return (chi - (count - 1)) / sqrt(2.0 * (count - 1));
}

// For books of several sizes: each pass uses each opening once, and over many seeds each opening is
// equally often the first one, and the last one, of a pass.
void test_book_order_even(TestContext *t) {
    static const int sizes[] = {2, 3, 5, 8, 17, 40, 64, 100, PLACES_MOST};
    FOR_EACH (size, sizes) {
        const int seeds = 100 * *size < 3000 ? 3000 : 100 * *size;
        int first[PLACES_MOST] = {0}, last[PLACES_MOST] = {0};
        for (int seed = 1; seed <= seeds; seed++) {
            first[book_shuffle((size_t)*size, (uint64_t)seed, 0, 0)]++;
            last[book_shuffle((size_t)*size, (uint64_t)seed, 1, (size_t)*size - 1)]++;
        }
        CHECK_MSG(excess(first, *size, seeds) < 4, "size %d: first, %g", *size,
                  excess(first, *size, seeds));
        CHECK_MSG(excess(last, *size, seeds) < 4, "size %d: last, %g", *size,
                  excess(last, *size, seeds));
        bool used[PLACES_MOST] = {false};
        int different = 0;
        for (int place = 0; place < *size; place++) {
            const size_t to = book_shuffle((size_t)*size, 7, 3, (size_t)place);
            if (to < PLACES_MOST) different += !used[to];
            if (to < PLACES_MOST) used[to] = true;
        }
        CHECK_INT(different, *size);
    }
}

// All 24 orders of four openings are equally frequent, and so are the 16 pairs of first openings in
// two passes.
void test_book_order_whole(TestContext *t) {
    enum { SIZE = 4, SEEDS = 9600 };
    int orders[SIZE * SIZE * SIZE * SIZE] = {0}, passes[SIZE * SIZE] = {0}, kept[24], found = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t order = 0;
        for (size_t place = 0; place < SIZE; place++) {
            order = SIZE * order + book_shuffle(SIZE, seed, 0, place);
        }
        orders[order]++;
        passes[SIZE * book_shuffle(SIZE, seed, 0, 0) + book_shuffle(SIZE, seed, 1, 0)]++;
    }
    for (int i = 0; i < SIZE * SIZE * SIZE * SIZE; i++) {
        if (orders[i] && found < 24) kept[found++] = orders[i];
    }
    if (!CHECK_INT(found, 24)) return;
    CHECK_MSG(excess(kept, 24, SEEDS) < 4, "orders: %g", excess(kept, 24, SEEDS));
    CHECK_MSG(excess(passes, SIZE * SIZE, SEEDS) < 4, "passes: %g",
              excess(passes, SIZE * SIZE, SEEDS));
}

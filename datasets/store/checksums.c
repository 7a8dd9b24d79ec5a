// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/checksums.h"

#include <string.h>

// Both sums are a = a + w and b = b + a for each word w. Here the words are dealt to lanes, as rows
// of a table: with s the sum of a lane, and t the sum of what s was before each row, n words in
// `lanes` lanes give
//     a' = a + sum s,   b' = b + n a + sum (lanes t + (lanes - lane) s).
enum { ADLER_LANES = 16, ADLER_ROWS = 4096, FLETCHER_LANES = 8, FLETCHER_ROWS = 256 };

// What 32 bits hold of t: 255 * 4096^2 / 2 and 65535 * 256^2 / 2.
_Static_assert(255ull * ADLER_ROWS * ADLER_ROWS / 2 < UINT32_MAX, "t overflows");
_Static_assert(65535ull * FLETCHER_ROWS * FLETCHER_ROWS / 2 < UINT32_MAX, "t overflows");

typedef struct Sums {
    uint64_t a, b;
} Sums;

static void add_lanes(Sums *sums, const uint32_t *s, const uint32_t *t, unsigned lanes,
                      size_t rows) {
    sums->b += rows * lanes * sums->a;
    for (unsigned lane = 0; lane < lanes; lane++) {
        sums->a += s[lane];
        sums->b += (uint64_t)lanes * t[lane] + (uint64_t)(lanes - lane) * s[lane];
    }
}

uint32_t checksum_adler32(const uint8_t *data, size_t size) {
    enum { BASE = 65521 };
    Sums sums = {1, 0};
    while (size >= ADLER_LANES) {
        size_t rows = size / ADLER_LANES;
        if (rows > ADLER_ROWS) rows = ADLER_ROWS;
        uint32_t s[ADLER_LANES] = {0}, t[ADLER_LANES] = {0};
        for (size_t row = 0; row < rows; row++, data += ADLER_LANES) {
            for (int lane = 0; lane < ADLER_LANES; lane++) {
                t[lane] += s[lane];
                s[lane] += data[lane];
            }
        }
        size -= rows * ADLER_LANES;
        add_lanes(&sums, s, t, ADLER_LANES, rows);
        sums.a %= BASE;
        sums.b %= BASE;
    }
    for (; size > 0; size--) {
        sums.a += *data++;
        sums.b += sums.a;
    }
    return (uint32_t)(sums.b % BASE << 16 | sums.a % BASE);
}

// Modulo 65535 as HDF5 has it: what is not 0 does not become 0.
static uint64_t fold(uint64_t sum) {
    return sum ? (sum - 1) % 65535 + 1 : 0;
}

uint32_t checksum_fletcher32(const uint8_t *data, size_t size) {
    Sums sums = {0, 0};
    while (size >= 2 * FLETCHER_LANES) {
        size_t rows = size / (2 * FLETCHER_LANES);
        if (rows > FLETCHER_ROWS) rows = FLETCHER_ROWS;
        uint32_t s[FLETCHER_LANES] = {0}, t[FLETCHER_LANES] = {0};
        for (size_t row = 0; row < rows; row++, data += 2 * FLETCHER_LANES) {
            for (int lane = 0; lane < FLETCHER_LANES; lane++) {
                t[lane] += s[lane];
                s[lane] += (uint32_t)data[2 * lane] << 8 | data[2 * lane + 1];
            }
        }
        size -= rows * 2 * FLETCHER_LANES;
        add_lanes(&sums, s, t, FLETCHER_LANES, rows);
        sums.a = fold(sums.a);
        sums.b = fold(sums.b);
    }
    for (; size > 0; size -= size < 2 ? size : 2, data += 2) {
        sums.a += (uint32_t)data[0] << 8 | (size > 1 ? data[1] : 0);
        sums.b += sums.a;
    }
    return (uint32_t)(fold(sums.b) << 16 | fold(sums.a));
}

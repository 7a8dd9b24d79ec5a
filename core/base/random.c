// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"

#include "core/base/bits.h"

uint64_t random_mix(uint64_t value) {
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

void random_init(Random *random, uint64_t seed, uint64_t index) {
    uint64_t value = random_mix(seed) ^ random_mix(~index);
    for (int i = 0; i < 4; i++) {
        value = random_mix(value);
        random->state[i] = value;
    }
}

static uint64_t rotate(uint64_t value, int by) {
    return (value << by) | (value >> (64 - by));
}

uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    const uint64_t result = rotate(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(Random *random, uint64_t bound) {
    // Lemire's method: the result is the high half of draw * bound. To avoid bias, draws whose low
    // half is less than 2^64 mod bound are rejected.
    for (;;) {
        const uint64_t draw = random_next(random);
        const uint64_t low = draw * bound;
        if (low >= bound || low >= (0 - bound) % bound) return bits_mul_high64(draw, bound);
    }
}

double random_real(Random *random) {
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

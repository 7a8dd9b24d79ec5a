// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of planes.c, and those of planes of two values that follow no rule (the side to move of
// positions taken at random): a literal costs a bit or two there, and a match of the last dozen of
// values far back less than that.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/bits.h"

// The alphabets of RFC 1951, 3.2.5.
enum {
    LITERAL_COUNT = 286, // literals, end of block, length codes
    DISTANCE_CODE_COUNT = 30,
    MIN_MATCH = 3,
    MAX_MATCH = 258,
    MATCH_TOKEN = 256, // a token is a literal, or MATCH_TOKEN + length
};

static inline int length_code(int length) {
    // Four codes for each doubling of length - 3, eight of a single length below.
    if (length == MAX_MATCH) return 285;
    const int value = length - MIN_MATCH;
    if (value < 8) return 257 + value;
    const int extra = bits_highest64((uint64_t)value) - 2;
    return 257 + 4 * extra + (value >> extra);
}

// Of a match `value` + 1 bytes back: two codes for each doubling.
static inline int distance_code(unsigned value) {
    if (value < 4) return (int)value;
    const int extra = bits_highest64(value) - 1;
    return 2 * extra + (int)(value >> extra);
}
static inline int distance_extra_bits(int code) {
    return code < 4 ? 0 : code / 2 - 1;
}

// How far the bytes from `at` on are those `distance` before, `most` at most.
static inline size_t match_length(const uint8_t *at, size_t most, size_t distance) {
    size_t length = 0;
    uint64_t here, before;
    while (length + 8 <= most) {
        memcpy(&here, at + length, 8);
        memcpy(&before, at + length - distance, 8);
        if (here != before) return length + (size_t)(bits_lowest64(here ^ before) / 8);
        length += 8;
    }
    while (length < most && at[length] == *(at + length - distance)) length++;
    return length;
}

// Cuts a plane of two values into literals and matches, behind each of which is its distance less
// one; counts the symbols, end of block included. Returns the elements of `tokens` used, at most
// `size`; 0, with nothing counted, when there are not two values.
size_t plane_bits_tokens(const uint8_t *data, size_t size, uint16_t *tokens,
                         uint32_t frequencies[LITERAL_COUNT],
                         uint32_t distances[DISTANCE_CODE_COUNT]);

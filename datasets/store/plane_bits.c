// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/plane_bits.h"

#include <stdbool.h>

enum {
    KEY_BITS = 15, // values that are looked for together: matches of 15 and 16 have one code
    MAX_DISTANCE = 32768,
    END_OF_BLOCK = 256,
};

static bool has_two_values(const uint8_t *data, size_t size, uint8_t *other) {
    size_t i = 1;
    while (i < size && data[i] == data[0]) i++;
    if (i == size) return false;
    *other = data[i];
    for (; i < size; i++) {
        if (data[i] != data[0] && data[i] != *other) return false;
    }
    return true;
}

// The next KEY_BITS values as bits; the first is the lowest.
static unsigned first_key(const uint8_t *data, uint8_t one) {
    unsigned key = 0;
    for (int i = 0; i < KEY_BITS; i++) key |= (unsigned)(data[i] == one) << i;
    return key;
}

size_t plane_bits_tokens(const uint8_t *data, size_t size, uint16_t *tokens,
                         uint32_t frequencies[LITERAL_COUNT],
                         uint32_t distances[DISTANCE_CODE_COUNT]) {
    uint8_t one = 0;
    if (size <= KEY_BITS || !has_two_values(data, size, &one)) return 0;
    uint32_t last[1 << KEY_BITS] = {0}; // one more than where the key was seen last
    size_t made = 0, matched = 0;       // up to where matches reach
    unsigned key = first_key(data, one);
    for (size_t i = 0; i < size; i++) {
        const bool whole = i + KEY_BITS <= size;
        if (i >= matched) {
            const size_t before = whole ? last[key] : 0, distance = i + 1 - before;
            if (before && distance <= MAX_DISTANCE) {
                const size_t left = size - i;
                const size_t length =
                    match_length(data + i, left < MAX_MATCH ? left : MAX_MATCH, distance);
                tokens[made++] = (uint16_t)(MATCH_TOKEN + length);
                tokens[made++] = (uint16_t)(distance - 1);
                frequencies[length_code((int)length)]++;
                distances[distance_code((unsigned)distance - 1)]++;
                matched = i + length;
            } else {
                tokens[made++] = data[i];
                frequencies[data[i]]++;
            }
        }
        if (!whole) continue;
        last[key] = (uint32_t)(i + 1);
        key >>= 1;
        if (i + KEY_BITS < size) key |= (unsigned)(data[i + KEY_BITS] == one) << (KEY_BITS - 1);
    }
    frequencies[END_OF_BLOCK]++;
    return made;
}

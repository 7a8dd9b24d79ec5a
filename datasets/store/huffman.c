// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/huffman.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Lengths of the optimal code of `used` symbols with ascending frequencies, by the two queues of
// van Leeuwen: leaves in order, inner nodes in the order they are made.
static void tree_depths(const uint32_t *frequencies, int used, uint8_t *depths) {
    uint32_t weights[2 * HUFFMAN_MAX_SYMBOLS];
    int parents[2 * HUFFMAN_MAX_SYMBOLS];
    int leaf = 0, inner = used, next = used;
    memcpy(weights, frequencies, (size_t)used * sizeof *weights);
    for (; next < 2 * used - 1; next++) {
        int child[2];
        for (int i = 0; i < 2; i++) {
            const bool take_leaf =
                inner == next || (leaf < used && weights[leaf] <= weights[inner]);
            child[i] = take_leaf ? leaf++ : inner++;
            parents[child[i]] = next;
        }
        weights[next] = weights[child[0]] + weights[child[1]];
    }
    int depth[2 * HUFFMAN_MAX_SYMBOLS];
    depth[2 * used - 2] = 0;
    for (int i = 2 * used - 3; i >= 0; i--) depth[i] = depth[parents[i]] + 1;
    for (int i = 0; i < used; i++) depths[i] = (uint8_t)(depth[i] < 255 ? depth[i] : 255);
}

// Shortens codes of more than `limit` bits; the symbols ascend in frequency, so the depths descend.
static void limit_depths(uint8_t *depths, int used, int limit) {
    int counts[HUFFMAN_MAX_BITS + 1] = {0};
    uint32_t kraft = 0; // in units of 2^-limit; a complete code has 2^limit
    for (int i = 0; i < used; i++) {
        const int depth = depths[i] < limit ? depths[i] : limit;
        counts[depth]++;
        kraft += 1u << (limit - depth);
    }
    while (kraft > 1u << limit) {
        // Lengthen the longest code that is still short of the limit.
        int depth = limit - 1;
        while (counts[depth] == 0) depth--;
        counts[depth]--;
        counts[depth + 1]++;
        kraft -= 1u << (limit - depth - 1);
    }
    while (kraft < 1u << limit) {
        // That was too much: readers want a complete code. Shorten the longest one; what is missing
        // is a multiple of what that gives.
        int depth = limit;
        while (counts[depth] == 0) depth--;
        counts[depth]--;
        counts[depth - 1]++;
        kraft += 1u << (limit - depth);
    }
    int depth = limit;
    for (int i = 0; i < used; i++) {
        while (counts[depth] == 0) depth--;
        depths[i] = (uint8_t)depth;
        counts[depth]--;
    }
}

void huffman_lengths(const uint32_t *frequencies, int count, int limit, uint8_t *lengths) {
    uint64_t keys[HUFFMAN_MAX_SYMBOLS];
    uint32_t sorted[HUFFMAN_MAX_SYMBOLS];
    uint8_t depths[HUFFMAN_MAX_SYMBOLS];
    int used = 0;
    memset(lengths, 0, (size_t)count);
    for (int i = 0; i < count; i++) {
        if (frequencies[i]) keys[used++] = (uint64_t)frequencies[i] << 16 | (uint64_t)i;
    }
    if (used == 1) lengths[keys[0] & 0xffff] = 1;
    if (used <= 1) return;
    qsort(keys, (size_t)used, sizeof *keys, compare_keys);
    for (int i = 0; i < used; i++) sorted[i] = (uint32_t)(keys[i] >> 16);
    tree_depths(sorted, used, depths);
    limit_depths(depths, used, limit);
    for (int i = 0; i < used; i++) lengths[keys[i] & 0xffff] = depths[i];
}

void huffman_codes(const uint8_t *lengths, int count, uint16_t *codes) {
    unsigned counts[HUFFMAN_MAX_BITS + 1] = {0}, next[HUFFMAN_MAX_BITS + 1] = {0};
    for (int i = 0; i < count; i++) counts[lengths[i]]++;
    counts[0] = 0;
    for (int bits = 1; bits <= HUFFMAN_MAX_BITS; bits++)
        next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
    for (int i = 0; i < count; i++) {
        unsigned code = 0;
        if (lengths[i]) {
            const unsigned plain = next[lengths[i]]++;
            for (int bit = 0; bit < lengths[i]; bit++) {
                code |= (plain >> bit & 1) << (lengths[i] - 1 - bit);
            }
        }
        codes[i] = (uint16_t)code;
    }
}

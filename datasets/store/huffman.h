// SPDX-License-Identifier: GPL-3.0-or-later
// Huffman codes as deflate has them (RFC 1951, 3.2.2): given by their lengths, complete, limited.
#pragma once

#include <stdint.h>

enum { HUFFMAN_MAX_SYMBOLS = 286, HUFFMAN_MAX_BITS = 15 };

// Lengths in bits of the best code of `count` symbols without one of more than `limit` bits; 0 for
// those that do not occur. The only one that occurs has one bit.
void huffman_lengths(const uint32_t *frequencies, int count, int limit, uint8_t *lengths);

// The canonical codes of given lengths, their bits in the order in which they are written.
void huffman_codes(const uint8_t *lengths, int count, uint16_t *codes);

// SPDX-License-Identifier: GPL-3.0-or-later
// A deflate writer for shuffled columns: what it writes is a zlib stream (RFC 1950, 1951) that
// every reader inflates. Boards in game order change slowly, so that each byte plane is a sequence
// of runs whose values have a distribution of their own. Each plane becomes a block with its own
// Huffman code, (neighbours share one where that is shorter), runs become matches of distance one,
// and nothing else is searched for, but in planes of two values (plane_bits.h): smaller than zlib's
// level 6 on boards, and faster than its level 1 (the numbers are in README.md).
#pragma once

#include <stddef.h>
#include <stdint.h>

// Bytes that hold the stream of any input of `size` bytes in planes of `plane_size`.
size_t planes_bound(size_t size, size_t plane_size);

// Compresses size bytes, a multiple of plane_size, into out (planes_bound() bytes); returns the
// bytes used. `work` holds PLANES_WORK_COUNT(size) elements and is only used during the call.
#define PLANES_WORK_COUNT(size) (size)
size_t planes_deflate(const uint8_t *data, size_t size, size_t plane_size, uint16_t *work,
                      uint8_t *out);

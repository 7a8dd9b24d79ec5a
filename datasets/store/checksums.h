// SPDX-License-Identifier: GPL-3.0-or-later
// The two check sums of a chunk, in loops that compilers turn into vectors.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Adler's checksum of a zlib stream (RFC 1950).
uint32_t checksum_adler32(const uint8_t *data, size_t size);

// Fletcher's checksum of 32 bits over big-endian words of 16, as HDF5 computes it
// (H5_checksum_fletcher32): sums modulo 65535, where 65535 stands for 0 unless all words are 0.
uint32_t checksum_fletcher32(const uint8_t *data, size_t size);

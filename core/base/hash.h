// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4), for content hashes and provenance.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX_SIZE = 65 };

typedef struct Sha256 {
    uint32_t state[8];
    uint64_t length; // bytes added so far
    uint8_t block[64];
} Sha256;

void sha256_init(Sha256 *hash);
void sha256_add(Sha256 *hash, const void *data, size_t size);
// Ends the hash; the struct must be initialised again before further use.
void sha256_finish(Sha256 *hash, uint8_t digest[SHA256_BYTES]);
void sha256_to_hex(const uint8_t digest[SHA256_BYTES], char hex[SHA256_HEX_SIZE]);
// Hex digest of one block of memory.
void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX_SIZE]);

// Numbers enter a hash in little-endian order whatever the machine.
void sha256_add_u16(Sha256 *hash, uint16_t value);
void sha256_add_u32(Sha256 *hash, uint32_t value);
void sha256_add_u64(Sha256 *hash, uint64_t value);

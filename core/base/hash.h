// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4), for content hashes and provenance: nettle's, under names of our own.
#pragma once

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SHA256_BYTES = SHA256_DIGEST_SIZE, SHA256_HEX_SIZE = 2 * SHA256_DIGEST_SIZE + 1 };

// sha256_init() begins a hash.
typedef struct sha256_ctx Sha256;

void sha256_add(Sha256 *hash, const void *data, size_t size);
// Ends the hash and begins it anew.
void sha256_finish(Sha256 *hash, uint8_t digest[SHA256_BYTES]);
void sha256_finish_hex(Sha256 *hash, char hex[SHA256_HEX_SIZE]);
void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX_SIZE]);

// A number enters a hash in little-endian order whatever the machine.
void sha256_add_u32(Sha256 *hash, uint32_t value);

void hash_library_version(FILE *out);

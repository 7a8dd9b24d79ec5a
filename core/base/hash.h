// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4) from the nettle library, for content hashes and provenance.
#pragma once

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/status.h"

enum { SHA256_BYTES = SHA256_DIGEST_SIZE, SHA256_HEX_SIZE = 2 * SHA256_DIGEST_SIZE + 1 };

// The state of a SHA-256 computation. sha256_init() initialises it.
typedef struct sha256_ctx Sha256;

void sha256_add(Sha256 *hash, const void *data, size_t size);
// Write the digest of all bytes added so far, as bytes or as hexadecimal text. Afterwards *hash is
// ready for a new computation.
void sha256_finish(Sha256 *hash, uint8_t digest[SHA256_BYTES]);
void sha256_finish_hex(Sha256 *hash, char hex[SHA256_HEX_SIZE]);
// Writes the hash of one block of bytes as hexadecimal text.
void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX_SIZE]);

// Writes the hash of a file as hexadecimal text. Returns STATUS_IO if the file cannot be read.
Status file_sha256(const char *path, char hex[SHA256_HEX_SIZE], Err *err);

// Adds a number to a hash in little-endian order on any machine.
void sha256_add_u32(Sha256 *hash, uint32_t value);

void hash_library_version(FILE *out);

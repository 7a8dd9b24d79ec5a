// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <errno.h>
#include <nettle/version.h>
#include <stdio.h>
#include <string.h>

void sha256_add(Sha256 *hash, const void *data, size_t size) {
    sha256_update(hash, size, data);
}

void sha256_finish(Sha256 *hash, uint8_t digest[SHA256_BYTES]) {
    sha256_digest(hash, SHA256_BYTES, digest);
}

void sha256_finish_hex(Sha256 *hash, char hex[SHA256_HEX_SIZE]) {
    uint8_t digest[SHA256_BYTES];
    sha256_finish(hash, digest);
    for (int i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, data, size);
    sha256_finish_hex(&hash, hex);
}

Status file_sha256(const char *path, char hex[SHA256_HEX_SIZE], Err *err) {
    FILE *file = fopen(path, "rb");
    if (!file) return err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    Sha256 hash;
    sha256_init(&hash);
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) sha256_add(&hash, block, got);
    const bool failed = ferror(file) != 0;
    const int why = errno;
    fclose(file);
    if (failed) return err_set(err, STATUS_IO, "cannot read %s: %s", path, strerror(why));
    sha256_finish_hex(&hash, hex);
    return STATUS_OK;
}

void sha256_add_u32(Sha256 *hash, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    sha256_add(hash, bytes, sizeof bytes);
}

void hash_library_version(FILE *out) {
    fprintf(out, "nettle %d.%d\n", nettle_version_major(), nettle_version_minor());
}

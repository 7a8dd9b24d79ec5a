// SPDX-License-Identifier: GPL-3.0-or-later
// Tests SHA-256 with the known answers of FIPS 180-2 and of the empty text, hashed at once and in
// many pieces.
#include <string.h>

#include "core/base/hash.h"
#include "tests/test.h"

void test_sha256_known_answers(TestContext *t) {
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[SHA256_HEX_SIZE];
    FOR_EACH (row, cases) {
        sha256_hex_of(row->text, strlen(row->text), hex);
        CHECK_TEXT(hex, row->hex);
    }
    // Hash a million letters 'a' in pieces of every length from 0 to 199.
    char block[200];
    uint8_t digest[SHA256_BYTES];
    Sha256 hash;
    memset(block, 'a', sizeof block);
    sha256_init(&hash);
    for (size_t left = 1000000, piece = 0; left > 0; piece = (piece + 1) % sizeof block) {
        const size_t size = piece < left ? piece : left;
        sha256_add(&hash, block, size);
        left -= size;
    }
    sha256_finish_hex(&hash, hex);
    CHECK_TEXT(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    // For each length below 200 bytes, hashing a text at once and byte by byte must give the same
    // digest. Lengths around multiples of the block size, 64 bytes, are included. The expected hash
    // of all these digests was computed with Python.
    Sha256 outer;
    sha256_init(&outer);
    for (size_t length = 0; length < sizeof block; length++) {
        uint8_t whole[SHA256_BYTES];
        sha256_init(&hash);
        sha256_add(&hash, block, length);
        sha256_finish(&hash, whole);
        sha256_init(&hash);
        for (size_t i = 0; i < length; i++) sha256_add(&hash, block + i, 1);
        sha256_finish(&hash, digest);
        CHECK_MSG(memcmp(whole, digest, sizeof digest) == 0, "length %zu", length);
        sha256_add(&outer, digest, sizeof digest);
    }
    sha256_finish_hex(&outer, hex);
    CHECK_TEXT(hex, "752c007f38611cfbf5fa42cb1cea3d8e086491c844d0cc4defd632cb81423506");
}

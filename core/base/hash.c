// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <stdio.h>
#include <string.h>
#ifdef __SHA__
#include <immintrin.h>
#endif

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#ifdef __SHA__

// The processor's own instructions. They keep the state as the two words {a, b, e, f} and {c, d, g,
// h} and do four rounds a step.
static void sha256_blocks(Sha256 *hash, const uint8_t *data, size_t count) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i dcba = _mm_loadu_si128((const __m128i *)&hash->state[0]);
    const __m128i hgfe = _mm_loadu_si128((const __m128i *)&hash->state[4]);
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; count > 0; count--, data += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), swap);
        }
        for (int step = 0; step < 16; step++) {
            if (step >= 4) {
                const __m128i w12 = w[(step + 1) % 4], w4 = w[(step + 3) % 4],
                              w8 = w[(step + 2) % 4];
                const __m128i s0 = _mm_sha256msg1_epu32(w[step % 4], w12);
                w[step % 4] =
                    _mm_sha256msg2_epu32(_mm_add_epi32(s0, _mm_alignr_epi8(w4, w8, 4)), w4);
            }
            const __m128i k = _mm_loadu_si128((const __m128i *)&round_constants[4 * step]);
            const __m128i wk = _mm_add_epi32(w[step % 4], k);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)&hash->state[0], _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)&hash->state[4], _mm_alignr_epi8(dchg, feba, 8));
}

#else

static uint32_t rotate_right(uint32_t value, int by) {
    return (value >> by) | (value << (32 - by));
}

// One round; v[0] to v[7] are a to h, seen from round i they have moved by i.
static void sha256_round(uint32_t v[8], int i, uint32_t word) {
    uint32_t *const a = &v[(8 - i) & 7], *const b = &v[(9 - i) & 7], *const c = &v[(10 - i) & 7];
    uint32_t *const d = &v[(11 - i) & 7], *const e = &v[(12 - i) & 7], *const f = &v[(13 - i) & 7];
    uint32_t *const g = &v[(14 - i) & 7], *const h = &v[(15 - i) & 7];
    const uint32_t s1 = rotate_right(*e, 6) ^ rotate_right(*e, 11) ^ rotate_right(*e, 25);
    const uint32_t t1 = *h + s1 + ((*e & *f) ^ (~*e & *g)) + word;
    const uint32_t s0 = rotate_right(*a, 2) ^ rotate_right(*a, 13) ^ rotate_right(*a, 22);
    *d += t1;
    *h = t1 + s0 + ((*a & *b) ^ (*a & *c) ^ (*b & *c));
}

static void sha256_blocks(Sha256 *hash, const uint8_t *data, size_t count) {
    for (; count > 0; count--, data += 64) {
        uint32_t w[64], v[8];
        for (int i = 0; i < 16; i++) {
            w[i] = (uint32_t)data[4 * i] << 24 | (uint32_t)data[4 * i + 1] << 16 |
                   (uint32_t)data[4 * i + 2] << 8 | (uint32_t)data[4 * i + 3];
        }
        for (int i = 16; i < 64; i++) {
            const uint32_t near = w[i - 2], far = w[i - 15];
            const uint32_t s0 = rotate_right(far, 7) ^ rotate_right(far, 18) ^ (far >> 3);
            const uint32_t s1 = rotate_right(near, 17) ^ rotate_right(near, 19) ^ (near >> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        memcpy(v, hash->state, sizeof v);
        for (int i = 0; i < 64; i += 8) {
            for (int k = 0; k < 8; k++) sha256_round(v, k, round_constants[i + k] + w[i + k]);
        }
        for (int i = 0; i < 8; i++) hash->state[i] += v[i];
    }
}

#endif

void sha256_init(Sha256 *hash) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, initial, sizeof initial);
    hash->length = 0;
}

void sha256_add(Sha256 *hash, const void *data, size_t size) {
    const uint8_t *at = data;
    const size_t used = hash->length % 64;
    hash->length += size;
    if (used + size < 64) {
        if (size) memcpy(hash->block + used, at, size);
        return;
    }
    if (used > 0) {
        memcpy(hash->block + used, at, 64 - used);
        sha256_blocks(hash, hash->block, 1);
        at += 64 - used;
        size -= 64 - used;
    }
    sha256_blocks(hash, at, size / 64);
    memcpy(hash->block, at + size / 64 * 64, size % 64);
}

void sha256_finish(Sha256 *hash, uint8_t digest[SHA256_BYTES]) {
    const uint64_t bits = hash->length * 8;
    static const uint8_t padding[64] = {0x80};
    sha256_add(hash, padding, 1 + (119 - hash->length % 64) % 64);
    uint8_t tail[8];
    for (int i = 0; i < 8; i++) tail[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(hash, tail, 8);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_to_hex(const uint8_t digest[SHA256_BYTES], char hex[SHA256_HEX_SIZE]) {
    for (int i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void sha256_hex_of(const void *data, size_t size, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    uint8_t digest[SHA256_BYTES];
    sha256_init(&hash);
    sha256_add(&hash, data, size);
    sha256_finish(&hash, digest);
    sha256_to_hex(digest, hex);
}

static void add_little_endian(Sha256 *hash, uint64_t value, size_t size) {
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    sha256_add(hash, bytes, size);
}

void sha256_add_u16(Sha256 *hash, uint16_t value) {
    add_little_endian(hash, value, 2);
}
void sha256_add_u32(Sha256 *hash, uint32_t value) {
    add_little_endian(hash, value, 4);
}
void sha256_add_u64(Sha256 *hash, uint64_t value) {
    add_little_endian(hash, value, 8);
}

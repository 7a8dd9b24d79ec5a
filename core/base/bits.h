// SPDX-License-Identifier: GPL-3.0-or-later
// Compiler builtins, vector types and bitboards. Other extensions are in status.h (cleanup of
// variables) and page.h (embedded files); all other files are plain C11.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A set of points of the board. The point on `file` and `rank` is bit rank * 9 + file: a0 is bit 0
// and i9 is bit 89.
__extension__ typedef unsigned __int128 Bitboard;

// Vectors of two and four doubles, for the tuner's kernels.
__extension__ typedef double DoublePair __attribute__((vector_size(16)));
__extension__ typedef double DoubleQuad __attribute__((vector_size(32)));

// A vector of doubles as wide as the widest vector register of the compiled target, but at least
// four doubles.
#ifdef __AVX512F__
enum { DOUBLES_PER_VECTOR = 8 };
#else
enum { DOUBLES_PER_VECTOR = 4 };
#endif
__extension__ typedef double DoubleWide __attribute__((vector_size(8 * DOUBLES_PER_VECTOR)));

// Vectors of other element types. The compiler splits those that are longer than a register.
__extension__ typedef int32_t IntQuad __attribute__((vector_size(16)));
__extension__ typedef float FloatWide __attribute__((vector_size(64)));
__extension__ typedef int16_t ShortWide __attribute__((vector_size(64)));

// 128 bits that are only copied and combined by bitwise operations. The compiler can keep them in
// one vector register.
__extension__ typedef uint64_t Bits128 __attribute__((vector_size(16)));

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define PRINTF_LIKE(format_index, first_arg)                                                       \
    __attribute__((format(printf, format_index, first_arg)))
// Embeds a file of the repository into the program, between the symbols `begin` and `end`. Both
// symbols need hidden visibility: without it, code for aarch64 read the two addresses from the
// global offset table and got the same address for both.
#define EMBED_BYTES(begin, end, path)                                                              \
    extern const uint8_t begin[] __attribute__((visibility("hidden"))),                            \
        end[] __attribute__((visibility("hidden")));                                               \
    __asm__(".pushsection .rodata\n.balign 64\n" #begin ":\n.incbin \"" path "\"\n" #end           \
            ":\n.byte 0\n.popsection")
#define NORETURN          __attribute__((noreturn))
#define LIKELY(cond)      __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond)    __builtin_expect(!!(cond), 0)
#define PREFETCH(pointer) __builtin_prefetch(pointer)

// Replaces each element of *a by the maximum of itself and the element of *b. Compilers turn the
// masks into one instruction. The arguments are pointers, because the ABI of vector arguments
// depends on AVX.
ALWAYS_INLINE void quad_raise(DoubleQuad *a, const DoubleQuad *b) {
    const __typeof__(*a > *b) first = *a > *b;
    *a = (DoubleQuad)(((__typeof__(first))*a & first) | ((__typeof__(first))*b & ~first));
}

ALWAYS_INLINE int bits_count64(uint64_t bits) {
    return __builtin_popcountll(bits);
}

// Returns the index of the lowest set bit; bits must not be 0.
ALWAYS_INLINE int bits_lowest64(uint64_t bits) {
    return __builtin_ctzll(bits);
}

ALWAYS_INLINE Bitboard bb_square(int square) {
    return (Bitboard)1 << square;
}

ALWAYS_INLINE int bb_count(Bitboard bb) {
    return bits_count64((uint64_t)bb) + bits_count64((uint64_t)(bb >> 64));
}

// Returns the lowest square of a set; bb must not be empty.
ALWAYS_INLINE int bb_lowest(Bitboard bb) {
    const uint64_t low = (uint64_t)bb, word = low ? low : (uint64_t)(bb >> 64);
    return bits_lowest64(word) + (low ? 0 : 64);
}

// Removes the lowest square from *bb and returns it; *bb must not be empty.
ALWAYS_INLINE int bb_pop(Bitboard *bb) {
    const int square = bb_lowest(*bb);
    *bb &= *bb - 1;
    return square;
}

// Returns the high 64 bits of the 128-bit product a * b. If `a` is a random 64-bit number, the
// result is a random number in 0..b-1 (Lemire 2019).
ALWAYS_INLINE uint64_t bits_mul_high64(uint64_t a, uint64_t b) {
    return (uint64_t)(((Bitboard)a * b) >> 64);
}

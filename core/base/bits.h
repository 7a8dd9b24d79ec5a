// SPDX-License-Identifier: GPL-3.0-or-later
// Compiler builtins, attributes, vector types, bitboards and embedded text files. Other headers
// that use compiler extensions are status.h and datasets/store/h5.h (cleanup of variables).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A set of points of the board. The point on `file` and `rank` is bit rank * 9 + file: a0 is bit 0
// and i9 is bit 89.
__extension__ typedef unsigned __int128 Bitboard;

// Vectors of two and four doubles, for the inner loops of the tuner.
__extension__ typedef double DoublePair __attribute__((vector_size(16)));
__extension__ typedef double DoubleQuad __attribute__((vector_size(32)));

// Vectors for the evaluation and for the training of its network. The compiler splits a vector that
// is longer than a register. Sums of unsigned numbers wrap round, so an intermediate sum may leave
// the range of 16 bits if the last one does not.
__extension__ typedef int32_t IntQuad __attribute__((vector_size(16)));
__extension__ typedef float FloatWide __attribute__((vector_size(64)));
__extension__ typedef uint16_t UnsignedWide __attribute__((vector_size(64)));

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define PRINTF_LIKE(format_index, first_arg)                                                       \
    __attribute__((format(printf, format_index, first_arg)))
// Embeds a file of the repository into the program, between the symbols `begin` and `end`, with a
// zero byte after it. Without hidden visibility, code for aarch64 would read the same address for
// both symbols from the global offset table.
#define EMBED_BYTES(begin, end, path)                                                              \
    extern const uint8_t begin[] __attribute__((visibility("hidden"))),                            \
        end[] __attribute__((visibility("hidden")));                                               \
    __asm__(".pushsection .rodata\n.balign 64\n" #begin ":\n.incbin \"" path "\"\n" #end           \
            ":\n.byte 0\n.popsection")
#define NORETURN          __attribute__((noreturn))
#define LIKELY(cond)      __builtin_expect(!!(cond), 1)
#define UNLIKELY(cond)    __builtin_expect(!!(cond), 0)
#define PREFETCH(pointer) __builtin_prefetch(pointer)

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

// Embeds a file of the repository as the text `name`. The Makefile must list the file as a
// prerequisite of the object file.
#define EMBED_TEXT(name, path)                                                                     \
    extern const char name[] __attribute__((visibility("hidden")));                                \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection")

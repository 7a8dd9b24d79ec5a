// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the attacks of all advisors, elephants or soldiers of a side at once, by shifts of
// bitboards.
#pragma once

#include "core/board/attacks.h"

ALWAYS_INLINE Bitboard attack_soldiers(const Position *position, Side side) {
    const Bitboard soldiers = position_pieces(position, side, SOLDIER);
    const Bitboard home = bb_square(5 * FILE_COUNT) - 1, file_a = ALL_POINTS / 0x1ff;
    const Bitboard crossed = soldiers & (side == RED ? ~home : home);
    const Bitboard ahead = side == RED ? soldiers << FILE_COUNT : soldiers >> FILE_COUNT;
    return ((ahead | (crossed & ~(file_a << 8)) << 1) & ALL_POINTS) | (crossed & ~file_a) >> 1;
}

// Returns the attacks of all advisors of a side. Each palace lies in one 64-bit word of a bitboard,
// so only this word is shifted.
ALWAYS_INLINE Bitboard attack_advisors(const Position *position, Side side) {
    const int half = side == RED ? 0 : 64;
    const uint64_t from = (uint64_t)(position_pieces(position, side, ADVISOR) >> half);
    const uint64_t points = from << 10 | from >> 10 | from << 8 | from >> 8;
    return (Bitboard)points << half & attack_tables.stands[side][ADVISOR];
}

// Returns the attacks of all elephants of a side. A shift can wrap around the edge of the board,
// but only to squares where no elephant can stand. The last step removes these squares.
ALWAYS_INLINE Bitboard attack_elephants(const Position *position, Side side) {
    const int half = side == RED ? 0 : 5 * FILE_COUNT;
    const uint64_t from = (uint64_t)(position_pieces(position, side, ELEPHANT) >> half);
    const uint64_t free = ~(uint64_t)(position_occupied(position) >> half);
    const uint64_t points = (from << 10 & free) << 10 | (from >> 10 & free) >> 10 |
                            (from << 8 & free) << 8 | (from >> 8 & free) >> 8;
    return (Bitboard)points << half & attack_tables.stands[side][ELEPHANT];
}

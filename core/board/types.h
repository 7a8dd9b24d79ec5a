// SPDX-License-Identifier: GPL-3.0-or-later
// Sides, pieces, squares and moves.
#pragma once

#include "core/base/bits.h"

enum { FILE_COUNT = 9, RANK_COUNT = 10, SQUARE_COUNT = 90, SQUARE_NONE = 90 };

// The set of all points of the board.
#define ALL_POINTS (bb_square(SQUARE_COUNT) - 1)

// Red moves first. Red's half of the board has ranks 0-4, Black's half ranks 5-9.
typedef enum Side { RED = 0, BLACK = 1, SIDE_COUNT = 2 } Side;

typedef enum PieceType {
    NO_PIECE_TYPE = 0,
    GENERAL = 1,
    ADVISOR = 2,
    ELEPHANT = 3,
    HORSE = 4,
    CHARIOT = 5,
    CANNON = 6,
    SOLDIER = 7,
    PIECE_TYPE_COUNT = 8,
} PieceType;

// A piece on a point: type + 8 * side. Red's pieces are 1..7, Black's 9..15; 0 is an empty point.
typedef uint8_t Piece;
enum { PIECE_NONE = 0, PIECE_COUNT = 16 };

// A move, encoded as from + 128 * to, where `from` and `to` are squares.
typedef uint16_t Move;
enum { MOVE_NONE = 0 };

// An upper bound of the number of pseudo-legal moves in a position, rounded up: chariots and
// cannons 4*17, horses 16, soldiers 15, general, advisors and elephants 20.
enum { MAX_MOVES = 128 };

ALWAYS_INLINE Side side_other(Side side) {
    return (Side)(1 - (int)side);
}

ALWAYS_INLINE Piece piece_make(Side side, PieceType type) {
    return (Piece)((int)type + 8 * (int)side);
}
ALWAYS_INLINE PieceType piece_type(Piece piece) {
    return (PieceType)(piece & 7);
}
ALWAYS_INLINE Side piece_side(Piece piece) {
    return (Side)(piece >> 3);
}

ALWAYS_INLINE int square_make(int file, int rank) {
    return rank * FILE_COUNT + file;
}
ALWAYS_INLINE int square_file(int square) {
    return square % FILE_COUNT;
}
ALWAYS_INLINE int square_rank(int square) {
    return square / FILE_COUNT;
}
// Returns the mirror image of a square: the file is reversed, so a0 becomes i0.
ALWAYS_INLINE int square_mirror(int square) {
    return square - square_file(square) + (FILE_COUNT - 1 - square_file(square));
}
// Returns the square on the same file with the rank reversed: a0 becomes a9.
ALWAYS_INLINE int square_flip(int square) {
    return square_make(square_file(square), RANK_COUNT - 1 - square_rank(square));
}

ALWAYS_INLINE Move move_make(int from, int to) {
    return (Move)(from | (to << 7));
}
ALWAYS_INLINE int move_from(Move move) {
    return move & 127;
}
ALWAYS_INLINE int move_to(Move move) {
    return move >> 7;
}

// A list of moves with room for all moves of any position.
typedef struct MoveList {
    int count;
    Move moves[MAX_MOVES];
} MoveList;
ALWAYS_INLINE bool move_list_has(const MoveList *list, Move move) {
    int i = 0;
    while (i < list->count && list->moves[i] != move) i++;
    return i < list->count;
}

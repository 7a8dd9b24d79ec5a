// SPDX-License-Identifier: GPL-3.0-or-later
// Movement tables: what a piece on a point reaches, given what is in its way.
//
// A rank or file is a "line": a word with one bit per point. Chariot and cannon are looked up by
// their index on the line and the line's occupancy; horses and elephants by the four bits of the
// points that can block them.
#pragma once

#include "core/board/position.h"

enum { LINE_STATES = 1 << RANK_COUNT };

typedef struct AttackTables {
    uint16_t line_chariot[RANK_COUNT]
                         [LINE_STATES];         // empty points up to and including the first piece
    uint16_t line_hit[RANK_COUNT][LINE_STATES]; // the second piece each way: what a cannon hits
    Bitboard file_bits[LINE_STATES];            // bit r of the line -> point (a, r)
    Bitboard horse[SQUARE_COUNT][16];           // by attack_legs()
    Bitboard horse_from[SQUARE_COUNT][16]; // points whose horse hits this one, by attack_eyes()
    Bitboard elephant[SQUARE_COUNT][16];   // by attack_eyes(); own half only
    Bitboard advisor[SQUARE_COUNT];        // inside the palace
    Bitboard general[SQUARE_COUNT];        // inside the palace
    Bitboard soldier[SIDE_COUNT][SQUARE_COUNT]; // where a soldier of the side goes
    Bitboard soldier_from[SIDE_COUNT]
                         [SQUARE_COUNT]; // where the soldiers of the side that hit this stand
    Bitboard cross[SQUARE_COUNT];        // the other points of its rank and file
    // [hit][attacker]: the points between the two on a line; the leg of a horse that is a leap
    // away.
    Bitboard between[SQUARE_COUNT][SQUARE_COUNT];
    Bitboard stands[SIDE_COUNT][PIECE_TYPE_COUNT]; // points where a legal FEN may have the piece
    uint64_t zobrist[PIECE_COUNT][SQUARE_COUNT];
    uint64_t zobrist_black_to_move;
} AttackTables;

// Read only after core_init().
extern AttackTables attack_tables;

// Builds the tables; calling it again does nothing. Every program calls it before anything else.
void core_init(void);

// Points where pieces of a kind may stand in a legal FEN.
bool square_in_palace(int square, Side side);
bool square_fits_piece(int square, Side side, PieceType type);
// Has a soldier of this side on this point crossed the river?
ALWAYS_INLINE bool square_crossed(int square, Side side) {
    return side == RED ? square >= 5 * FILE_COUNT : square < 5 * FILE_COUNT;
}

// The ten bits of one file of a set. Bits 9r are gathered by a multiplication without carries:
// bit 9r times 2^(56-8s) lands on 56 + r + 8(r - s), all different, and only r = s on 56..62.
ALWAYS_INLINE unsigned bb_file_line(Bitboard bb, int file) {
    const uint64_t low = (uint64_t)(bb >> file) & UINT64_C(0x0040201008040201);
    const uint64_t high = (uint64_t)(bb >> (file + 63)) & UINT64_C(0x40201);
    const unsigned top = (unsigned)((high & 1) | (high >> 8 & 2) | (high >> 16 & 4));
    return (unsigned)((low * UINT64_C(0x0101010101010100)) >> 56) | top << 7;
}
ALWAYS_INLINE unsigned bb_rank_line(Bitboard bb, int rank) {
    return (unsigned)(bb >> (rank * FILE_COUNT)) & 0x1ffu;
}

// Index of the orthogonal neighbours that are occupied: left 1, down 2, right 4, up 8.
ALWAYS_INLINE unsigned attack_legs(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned across = ((unsigned)position->rank_occupied[rank] << 1) >> file & 5u;
    const unsigned along = ((unsigned)position->file_occupied[file] << 1) >> rank & 5u;
    return across | along << 1;
}

// Index of the diagonal neighbours that are occupied: down-left 1, up-left 2, down-right 4,
// up-right 8.
ALWAYS_INLINE unsigned attack_eyes(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned below =
        rank > 0 ? ((unsigned)position->rank_occupied[rank - 1] << 1) >> file & 5u : 0;
    const unsigned above =
        rank < RANK_COUNT - 1 ? ((unsigned)position->rank_occupied[rank + 1] << 1) >> file & 5u : 0;
    return below | above << 1;
}

ALWAYS_INLINE Bitboard attack_chariot(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const AttackTables *t = &attack_tables;
    const unsigned across = t->line_chariot[file][position->rank_occupied[rank]] & 0x1ffu;
    const unsigned along = t->line_chariot[rank][position->file_occupied[file]];
    return (Bitboard)across << (rank * FILE_COUNT) | t->file_bits[along] << file;
}

// The points that a cannon hits over one screen, whoever stands there.
ALWAYS_INLINE Bitboard attack_cannon_hits(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const AttackTables *t = &attack_tables;
    const unsigned across = t->line_hit[file][position->rank_occupied[rank]];
    const unsigned along = t->line_hit[rank][position->file_occupied[file]];
    return (Bitboard)across << (rank * FILE_COUNT) | t->file_bits[along] << file;
}

// Where a cannon moves: the empty points of a chariot's reach, and what it hits.
ALWAYS_INLINE Bitboard attack_cannon(const Position *position, int square) {
    return (attack_chariot(position, square) & ~position_occupied(position)) |
           attack_cannon_hits(position, square);
}

ALWAYS_INLINE Bitboard attack_horse(const Position *position, int square) {
    return attack_tables.horse[square][attack_legs(position, square)];
}
ALWAYS_INLINE Bitboard attack_elephant(const Position *position, int square) {
    return attack_tables.elephant[square][attack_eyes(position, square)];
}

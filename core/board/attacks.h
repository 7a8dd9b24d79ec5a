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
    // The points that a piece on an index of a line reaches, by the occupied points: a chariot
    // those up to the first piece, a cannon those before it and the second piece.
    uint16_t line_chariot[RANK_COUNT][LINE_STATES];
    uint16_t line_cannon[RANK_COUNT][LINE_STATES];
    Bitboard file_bits[LINE_STATES];       // bit r of the line -> point (a, r)
    Bitboard horse[SQUARE_COUNT][16];      // by attack_legs()
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

// May such a piece stand there in a legal FEN? The points of the general are the palace.
ALWAYS_INLINE bool square_fits_piece(int square, Side side, PieceType type) {
    return (attack_tables.stands[side][type] & bb_square(square)) != 0;
}
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
    const unsigned across = (position_rank(position, rank) << 1) >> file & 5u;
    const unsigned along = (position_file(position, file) << 1) >> rank & 5u;
    return across | along << 1;
}

// Index of the diagonal neighbours that are occupied: down-left 1, up-left 2, down-right 4,
// up-right 8.
ALWAYS_INLINE unsigned attack_eyes(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned below = rank > 0 ? (position_rank(position, rank - 1) << 1) >> file & 5u : 0;
    const unsigned above =
        rank < RANK_COUNT - 1 ? (position_rank(position, rank + 1) << 1) >> file & 5u : 0;
    return below | above << 1;
}

// The points that a slider reaches along a rank and a file whose occupied points are given.
ALWAYS_INLINE Bitboard attack_lines(const uint16_t reach[RANK_COUNT][LINE_STATES], int square,
                                    unsigned across, unsigned along) {
    const int file = square_file(square), rank = square_rank(square);
    return (Bitboard)(reach[file][across] & 0x1ffu) << (rank * FILE_COUNT) |
           attack_tables.file_bits[reach[rank][along]] << (file & 63);
}
ALWAYS_INLINE Bitboard attack_chariot(const Position *position, int square) {
    const AttackTables *t = &attack_tables;
    return attack_lines(t->line_chariot, square, position_rank(position, square_rank(square)),
                        position_file(position, square_file(square)));
}
// The targets of a cannon: empty points, and the piece behind one screen, of either side.
ALWAYS_INLINE Bitboard attack_cannon(const Position *position, int square) {
    const AttackTables *t = &attack_tables;
    return attack_lines(t->line_cannon, square, position_rank(position, square_rank(square)),
                        position_file(position, square_file(square)));
}
ALWAYS_INLINE Bitboard attack_cannon_hits(const Position *position, int square) {
    return attack_cannon(position, square) & position_occupied(position);
}

ALWAYS_INLINE Bitboard attack_horse(const Position *position, int square) {
    return attack_tables.horse[square][attack_legs(position, square)];
}
ALWAYS_INLINE Bitboard attack_elephant(const Position *position, int square) {
    return attack_tables.elephant[square][attack_eyes(position, square)];
}

// Puts a piece on an empty point, or takes it away from there: everything but the general's square.
ALWAYS_INLINE void position_toggle(Position *position, Piece piece, int square) {
    const Bitboard bit = bb_square(square);
    const int file = square_file(square), rank = square_rank(square);
    const Line point = piece_side(piece) == RED ? 0x10001 : 1;
    position->board[square] ^= piece;
    position->by_type[NO_PIECE_TYPE] ^= bit;
    position->by_type[piece_type(piece)] ^= bit;
    position->by_side[piece_side(piece)] ^= bit;
    position->rank[rank] ^= point << file;
    position->file[file] ^= point << rank;
}

// What a point sees on a board: its rank and file, and its diagonal neighbours (attack_eyes()).
typedef struct Sight {
    unsigned across, along, eyes;
} Sight;
ALWAYS_INLINE Sight sight_from(const Position *position, int square) {
    return (Sight){position_rank(position, square_rank(square)),
                   position_file(position, square_file(square)), attack_eyes(position, square)};
}
// After the piece on another point went away.
ALWAYS_INLINE void sight_take_away(Sight *sight, int square, int gone) {
    const int right = square_file(gone) - square_file(square);
    const int up = square_rank(gone) - square_rank(square);
    if (up == 0) sight->across &= ~(1u << square_file(gone));
    if (right == 0) sight->along &= ~(1u << square_rank(gone));
    if (right * right == 1 && up * up == 1) {
        sight->eyes &= ~(1u << ((right > 0 ? 2 : 0) + (up > 0 ? 1 : 0)));
    }
}
// All pieces that attack the point, of both sides but for soldiers, which are those of `by`.
ALWAYS_INLINE Bitboard sight_attackers(const Position *position, int square, Side by,
                                       const Sight *sight) {
    const AttackTables *t = &attack_tables;
    const Bitboard *types = position->by_type;
    return (attack_lines(t->line_chariot, square, sight->across, sight->along) & types[CHARIOT]) |
           (attack_lines(t->line_cannon, square, sight->across, sight->along) & types[CANNON]) |
           (t->horse_from[square][sight->eyes] & types[HORSE]) |
           (t->elephant[square][sight->eyes] & types[ELEPHANT]) |
           (t->advisor[square] & types[ADVISOR]) | (t->general[square] & types[GENERAL]) |
           (t->soldier_from[by][square] & types[SOLDIER]);
}

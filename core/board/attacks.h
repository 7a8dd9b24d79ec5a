// SPDX-License-Identifier: GPL-3.0-or-later
// Attack tables: the points that each piece attacks from each point, given the pieces that block
// it.
#pragma once

#include "core/board/position.h"

enum { LINE_STATES = 1 << RANK_COUNT };

typedef struct AttackTables {
    // The points that a slider (chariot or cannon) can move to or capture on a rank or file, one
    // bit per point. The indices are the slider's position on this line and the line's occupied
    // points. In each direction a chariot reaches all points up to the first piece, including that
    // piece. A cannon reaches the empty points before the first piece, and the second piece.
    uint16_t line_chariot[RANK_COUNT][LINE_STATES];
    uint16_t line_cannon[RANK_COUNT][LINE_STATES];
    Bitboard file_bits[LINE_STATES]; // file_bits[line]: the points of file a whose rank numbers are
                                     // the set bits of `line`
    // Points to which a horse moves. The second index, attack_legs(), says which orthogonal
    // neighbours of its point are occupied.
    Bitboard horse[SQUARE_COUNT][16];
    // Points from which a horse attacks this point. The second index, attack_eyes(), says which
    // diagonal neighbours of this point are occupied.
    Bitboard horse_from[SQUARE_COUNT][16];
    // Points to which an elephant moves, on its own half only. The second index is attack_eyes().
    Bitboard elephant[SQUARE_COUNT][16];
    Bitboard advisor[SQUARE_COUNT]; // points to which an advisor moves, in the palace only
    Bitboard general[SQUARE_COUNT]; // points to which a general moves, in the palace only
    Bitboard soldier[SIDE_COUNT][SQUARE_COUNT];      // points to which a soldier of this side moves
    Bitboard soldier_from[SIDE_COUNT][SQUARE_COUNT]; // points from which a soldier of this side
                                                     // attacks the point
    Bitboard cross[SQUARE_COUNT];                    // all other points on the rank and the file of
                                                     // the point
    // between[target][attacker]: the points strictly between two points of one rank or file. For
    // points a horse's move apart: the point where a piece blocks the move of a horse from
    // `attacker` to `target`. Empty for all other pairs.
    Bitboard between[SQUARE_COUNT][SQUARE_COUNT];
    Bitboard stands[SIDE_COUNT][PIECE_TYPE_COUNT]; // points where this piece may stand in a
                                                   // position that position_from_fen() accepts
    uint64_t zobrist[PIECE_COUNT][SQUARE_COUNT];
    uint64_t zobrist_black_to_move;
} AttackTables;

// Global tables. They are constant after core_init().
extern AttackTables attack_tables;

// Builds attack_tables. A second call does nothing. main() calls this function before any thread
// uses the tables.
void core_init(void);

// Returns true if a piece of this side and type may stand on the point in a position that
// position_from_fen() accepts.
ALWAYS_INLINE bool square_fits_piece(int square, Side side, PieceType type) {
    return (attack_tables.stands[side][type] & bb_square(square)) != 0;
}
// Returns true if a soldier of this side on this point has crossed the river.
ALWAYS_INLINE bool square_crossed(int square, Side side) {
    return side == RED ? square >= 5 * FILE_COUNT : square < 5 * FILE_COUNT;
}

// Returns the points of the set `bb` on one file as bits 0 to 9, one for each rank. `low` has the
// points on the ranks r = 0..6 as bits 9r. A multiplication moves them to the bits 56 + r: the
// factor has the bits 56 - 8s set (s = 0..6), so each pair of r and s gives bit 56+r+8(r-s) of the
// product. These bits are all different, so there are no carries. Only the pairs with equal numbers
// give bits in 56..62.
ALWAYS_INLINE unsigned bb_file_line(Bitboard bb, int file) {
    const uint64_t low = (uint64_t)(bb >> file) & UINT64_C(0x0040201008040201);
    const uint64_t high = (uint64_t)(bb >> (file + 63)) & UINT64_C(0x40201);
    const unsigned top = (unsigned)((high & 1) | (high >> 8 & 2) | (high >> 16 & 4));
    return (unsigned)((low * UINT64_C(0x0101010101010100)) >> 56) | top << 7;
}
// Returns the points of the set `bb` on one rank as bits 0 to 8, one for each file.
ALWAYS_INLINE unsigned bb_rank_line(Bitboard bb, int rank) {
    return (unsigned)(bb >> (rank * FILE_COUNT)) & 0x1ffu;
}

// Returns which orthogonal neighbours of a square are occupied, as a sum: left 1, down 2, right 4,
// up 8.
ALWAYS_INLINE unsigned attack_legs(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned across = (position_rank(position, rank) << 1) >> file & 5u;
    const unsigned along = (position_file(position, file) << 1) >> rank & 5u;
    return across | along << 1;
}

// Returns which diagonal neighbours of a square are occupied, as a sum: down-left 1, up-left 2,
// down-right 4, up-right 8.
ALWAYS_INLINE unsigned attack_eyes(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const unsigned below = rank > 0 ? (position_rank(position, rank - 1) << 1) >> file & 5u : 0;
    const unsigned above =
        rank < RANK_COUNT - 1 ? (position_rank(position, rank + 1) << 1) >> file & 5u : 0;
    return below | above << 1;
}

// Returns the points to which a chariot or cannon on `square` moves, with captures of pieces of
// either side. `across` and `along` are the occupied points of its rank and file. `reach` is the
// table of moves along a line: line_chariot for a chariot, line_cannon for a cannon.
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
// Returns the targets of a cannon: empty points it moves to, and pieces of either side behind one
// screen.
ALWAYS_INLINE Bitboard attack_cannon(const Position *position, int square) {
    const AttackTables *t = &attack_tables;
    return attack_lines(t->line_cannon, square, position_rank(position, square_rank(square)),
                        position_file(position, square_file(square)));
}
// Returns the pieces of either side behind one screen: the targets that a cannon can capture.
ALWAYS_INLINE Bitboard attack_cannon_hits(const Position *position, int square) {
    return attack_cannon(position, square) & position_occupied(position);
}

ALWAYS_INLINE Bitboard attack_horse(const Position *position, int square) {
    return attack_tables.horse[square][attack_legs(position, square)];
}
ALWAYS_INLINE Bitboard attack_elephant(const Position *position, int square) {
    return attack_tables.elephant[square][attack_eyes(position, square)];
}

// Puts a piece on an empty point, or removes the piece if it stands there. Does not update `key`
// and `general`.
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

// The occupied points around a square that decide which pieces attack it.
typedef struct Sight {
    unsigned across, along; // the square's rank and file: a bit is set if the point is occupied
    unsigned eyes;          // occupied diagonal neighbours of the square, see attack_eyes()
} Sight;
ALWAYS_INLINE Sight sight_from(const Position *position, int square) {
    return (Sight){position_rank(position, square_rank(square)),
                   position_file(position, square_file(square)), attack_eyes(position, square)};
}
// Updates *sight, the Sight of `square`, after the piece on `removed` was removed.
ALWAYS_INLINE void sight_remove(Sight *sight, int square, int removed) {
    const int right = square_file(removed) - square_file(square);
    const int up = square_rank(removed) - square_rank(square);
    if (up == 0) sight->across &= ~(1u << square_file(removed));
    if (right == 0) sight->along &= ~(1u << square_rank(removed));
    if (right * right == 1 && up * up == 1) {
        sight->eyes &= ~(1u << ((right > 0 ? 2 : 0) + (up > 0 ? 1 : 0)));
    }
}
// Returns the pieces of both sides that attack the point. Soldiers are an exception: the result
// contains the soldiers of both sides on the points from which a soldier of side `by` attacks.
// Callers keep only the pieces of side `by`.
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

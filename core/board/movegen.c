// SPDX-License-Identifier: GPL-3.0-or-later
// Move generation: by piece kind, from the most valuable attackers of quiet positions to soldiers.
#include "core/board/attacks.h"

static Move *add_targets(Move *moves, int from, Bitboard targets) {
    for (uint64_t low = (uint64_t)targets; low; low &= low - 1) {
        *moves++ = move_make(from, bits_lowest64(low));
    }
    for (uint64_t high = (uint64_t)(targets >> 64); high; high &= high - 1) {
        *moves++ = move_make(from, 64 + bits_lowest64(high));
    }
    return moves;
}

Bitboard position_reach(const Position *position, int square) {
    const AttackTables *t = &attack_tables;
    const Piece piece = position->board[square];
    switch (piece_type(piece)) {
    case GENERAL:
        return t->general[square];
    case ADVISOR:
        return t->advisor[square];
    case ELEPHANT:
        return attack_elephant(position, square);
    case HORSE:
        return attack_horse(position, square);
    case CHARIOT:
        return attack_chariot(position, square);
    case CANNON:
        return attack_cannon(position, square);
    case SOLDIER:
        return t->soldier[piece_side(piece)][square];
    default:
        return 0;
    }
}

// Which moves of a cannon are wanted: it reaches empty points and enemies differently.
typedef enum CannonPart { CANNON_QUIETS = 1, CANNON_HITS = 2, CANNON_ALL = 3 } CannonPart;

ALWAYS_INLINE Bitboard cannon_part(const Position *position, int square, CannonPart part) {
    if (part == CANNON_HITS) return attack_cannon_hits(position, square);
    if (part == CANNON_QUIETS) return attack_chariot(position, square);
    return attack_cannon(position, square);
}

// Moves of the side to move to the points of `allowed`, of which the cannons reach those of `part`.
// With an exposure, those that are legal: a bound piece goes to fewer points, the general where it
// is safe.
ALWAYS_INLINE void add_moves(const Position *position, Bitboard allowed, CannonPart part,
                             const Exposure *exposure, MoveList *list) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const Bitboard ours = position->by_side[us];
    Move *moves = list->moves;
#define ADD_KIND(type, reach)                                                                      \
    for (Bitboard set = ours & position->by_type[type]; set;) {                                    \
        const int from = bb_pop(&set);                                                             \
        Bitboard targets = (reach)&allowed;                                                        \
        if (exposure) targets &= exposure_targets(exposure, from);                                 \
        moves = add_targets(moves, from, targets);                                                 \
    }
    ADD_KIND(CHARIOT, attack_chariot(position, from))
    ADD_KIND(CANNON, cannon_part(position, from, part))
    ADD_KIND(HORSE, attack_horse(position, from))
    ADD_KIND(SOLDIER, t->soldier[us][from])
    ADD_KIND(ELEPHANT, attack_elephant(position, from))
    ADD_KIND(ADVISOR, t->advisor[from])
#undef ADD_KIND
    const int general = position->general[us];
    Bitboard steps = t->general[general] & allowed;
    if (exposure) steps = position_general_safe(position, steps);
    moves = add_targets(moves, general, steps);
    list->count = (int)(moves - list->moves);
}

void position_pseudo_moves(const Position *position, MoveList *list) {
    add_moves(position, ~position->by_side[position->stm], CANNON_ALL, NULL, list);
}

void position_captures(const Position *position, MoveList *list) {
    add_moves(position, position->by_side[side_other((Side)position->stm)], CANNON_HITS, NULL,
              list);
}

void position_quiets(const Position *position, MoveList *list) {
    add_moves(position, ~position_occupied(position), CANNON_QUIETS, NULL, list);
}

void position_legal_moves(const Position *position, MoveList *list) {
    Exposure exposure;
    position_exposure(position, &exposure);
    add_moves(position, ~position->by_side[position->stm], CANNON_ALL, &exposure, list);
}

// The soldiers' moves to the points of `allowed`, all soldiers at once.
ALWAYS_INLINE int count_soldiers(Bitboard soldiers, Side us, Bitboard allowed) {
    const Bitboard file_a = attack_tables.file_bits[LINE_STATES - 1];
    const Bitboard file_i = file_a << (FILE_COUNT - 1);
    const Bitboard red_half = bb_square(SQUARE_COUNT / 2) - 1;
    const Bitboard forward = us == RED ? soldiers << FILE_COUNT : soldiers >> FILE_COUNT;
    const Bitboard crossed = us == RED ? soldiers & ~red_half : soldiers & red_half;
    return bb_count(forward & allowed) + bb_count((crossed & ~file_i) << 1 & allowed) +
           bb_count((crossed & ~file_a) >> 1 & allowed);
}

int position_count_moves(const Position *position) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const Bitboard ours = position->by_side[us];
    Exposure exposure;
    position_exposure(position, &exposure);
    const Bitboard allowed = exposure.free & ~ours;
    int count = 0;
#define COUNT_KIND(type, reach)                                                                    \
    for (Bitboard set = ours & position->by_type[type]; set;) {                                    \
        const int from = bb_pop(&set);                                                             \
        count += bb_count((reach)&allowed);                                                        \
    }
    COUNT_KIND(CHARIOT, attack_chariot(position, from))
    COUNT_KIND(CANNON, attack_cannon(position, from))
    COUNT_KIND(HORSE, attack_horse(position, from))
    COUNT_KIND(ELEPHANT, attack_elephant(position, from))
    COUNT_KIND(ADVISOR, t->advisor[from])
#undef COUNT_KIND
    count += count_soldiers(ours & position->by_type[SOLDIER], us, allowed);
    // The bound pieces were counted with the points of the free ones.
    for (Bitboard bound = exposure.bound; bound;) {
        const int from = bb_pop(&bound);
        const Bitboard reach = position_reach(position, from) & ~ours;
        count +=
            bb_count(reach & exposure_targets(&exposure, from)) - bb_count(reach & exposure.free);
    }
    const Bitboard steps = t->general[position->general[us]] & ~ours;
    return count + bb_count(position_general_safe(position, steps));
}

// Piece by piece, for the first one nearly always has a legal move.
bool position_no_legal_move(const Position *position) {
    const Bitboard ours = position->by_side[position->stm];
    const int general = position->general[position->stm];
    Exposure exposure;
    position_exposure(position, &exposure);
    for (Bitboard pieces = ours & ~bb_square(general); pieces;) {
        const int from = bb_pop(&pieces);
        if (position_reach(position, from) & ~ours & exposure_targets(&exposure, from)) {
            return false;
        }
    }
    return !position_general_safe(position, attack_tables.general[general] & ~ours);
}

bool position_is_pseudo_legal(const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT) return false;
    const Piece piece = position->board[from];
    if (piece == PIECE_NONE || piece_side(piece) != (Side)position->stm) return false;
    const Bitboard allowed = ~position->by_side[position->stm];
    return (position_reach(position, from) & allowed & bb_square(to)) != 0;
}

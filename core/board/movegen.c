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
ALWAYS_INLINE void add_moves(const Position *position, Bitboard allowed, CannonPart part,
                             MoveList *list) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const Bitboard ours = position->by_side[us];
    Move *moves = list->moves;
    for (Bitboard set = ours & position->by_type[CHARIOT]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, attack_chariot(position, from) & allowed);
    }
    for (Bitboard set = ours & position->by_type[CANNON]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, cannon_part(position, from, part) & allowed);
    }
    for (Bitboard set = ours & position->by_type[HORSE]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, attack_horse(position, from) & allowed);
    }
    for (Bitboard set = ours & position->by_type[SOLDIER]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, t->soldier[us][from] & allowed);
    }
    for (Bitboard set = ours & position->by_type[ELEPHANT]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, attack_elephant(position, from) & allowed);
    }
    for (Bitboard set = ours & position->by_type[ADVISOR]; set;) {
        const int from = bb_pop(&set);
        moves = add_targets(moves, from, t->advisor[from] & allowed);
    }
    const int general = position->general[us];
    moves = add_targets(moves, general, t->general[general] & allowed);
    list->count = (int)(moves - list->moves);
}

void position_pseudo_moves(const Position *position, MoveList *list) {
    add_moves(position, ~position->by_side[position->stm], CANNON_ALL, list);
}

void position_captures(const Position *position, MoveList *list) {
    add_moves(position, position->by_side[side_other((Side)position->stm)], CANNON_HITS, list);
}

void position_quiets(const Position *position, MoveList *list) {
    add_moves(position, ~position_occupied(position), CANNON_QUIETS, list);
}

void position_legal_moves(const Position *position, MoveList *list) {
    Exposure exposure;
    position_exposure(position, &exposure);
    position_pseudo_moves(position, list);
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        const Move move = list->moves[i];
        list->moves[kept] = move;
        kept += position_is_legal_exposed(position, &exposure, move);
    }
    list->count = kept;
}

// Piece by piece, for the first one nearly always has a legal move.
bool position_no_legal_move(const Position *position) {
    const Bitboard ours = position->by_side[position->stm];
    for (Bitboard pieces = ours; pieces;) {
        const int from = bb_pop(&pieces);
        Bitboard targets = position_reach(position, from) & ~ours;
        while (targets) {
            if (position_is_legal(position, move_make(from, bb_pop(&targets)))) return false;
        }
    }
    return true;
}

bool position_is_pseudo_legal(const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT) return false;
    const Piece piece = position->board[from];
    if (piece == PIECE_NONE || piece_side(piece) != (Side)position->stm) return false;
    const Bitboard allowed = ~position->by_side[position->stm];
    return (position_reach(position, from) & allowed & bb_square(to)) != 0;
}

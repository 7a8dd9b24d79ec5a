// SPDX-License-Identifier: GPL-3.0-or-later
// Move generation: by piece kind, from the most valuable attackers of quiet positions to soldiers.
#include "core/attacks.h"

static void add_targets(MoveList *list, int from, Bitboard targets) {
    while (targets) list->moves[list->count++] = move_make(from, bb_pop(&targets));
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

// Moves of the side to move to the points of `allowed`. Cannons want to know apart which empty
// points and which enemies are meant, since they reach them differently.
static void add_moves(const Position *position, Bitboard allowed, MoveList *list) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const Bitboard ours = position->by_side[us];
    Bitboard from_set = ours & position->by_type[CHARIOT];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, attack_chariot(position, from) & allowed);
    }
    from_set = ours & position->by_type[CANNON];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, attack_cannon(position, from) & allowed);
    }
    from_set = ours & position->by_type[HORSE];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, attack_horse(position, from) & allowed);
    }
    from_set = ours & position->by_type[SOLDIER];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, t->soldier[us][from] & allowed);
    }
    from_set = ours & position->by_type[ELEPHANT];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, attack_elephant(position, from) & allowed);
    }
    from_set = ours & position->by_type[ADVISOR];
    while (from_set) {
        const int from = bb_pop(&from_set);
        add_targets(list, from, t->advisor[from] & allowed);
    }
    const int general = position->general[us];
    add_targets(list, general, t->general[general] & allowed);
}

void position_pseudo_moves(const Position *position, MoveList *list) {
    list->count = 0;
    add_moves(position, ~position->by_side[position->stm], list);
}

void position_captures(const Position *position, MoveList *list) {
    list->count = 0;
    add_moves(position, position->by_side[side_other((Side)position->stm)], list);
}

void position_quiets(const Position *position, MoveList *list) {
    list->count = 0;
    add_moves(position, ~position_occupied(position), list);
}

void position_legal_moves(const Position *position, MoveList *list) {
    position_pseudo_moves(position, list);
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (position_is_legal(position, list->moves[i])) list->moves[kept++] = list->moves[i];
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Legality without making moves.
//
// A move of a piece other than the general is legal when, after it, no enemy piece attacks the
// general. For one enemy piece X this depends on little: whether X was captured, and how many
// pieces then stand between X and the general; of a horse, whether one stands on its leg. A move
// takes at most one piece away from between, its own, and adds at most one, where it goes to an
// empty point (of the "gap"); a capture between leaves the number as it is. So, for each X, the
// legal targets are one set for our pieces between and another for all others, and a move is legal
// exactly when it satisfies every X. With n pieces between:
//
//   chariot, general, horse, soldier (which has nothing between): attack with n = 0.
//     n = 0   all:      into the gap, or capture X
//     n = 1   the one:  stay in the gap, or capture X
//             others:   anything, for they cannot leave n = 0
//     n > 1   anything
//   cannon: attacks with n = 1.
//     n = 0   all:      anything but the gap: a hollow cannon makes each piece there a screen
//     n = 1   the one:  leave the line between, or capture X
//             others:   into the gap, or capture X
//     n = 2   the two:  stay in the gap, or capture X; not capture the other screen
//             others:   anything
//     n > 2   anything
//
// Where a piece between is the enemy's, no move of ours takes it away.
#include <assert.h>

#include "core/board/attacks.h"

#define BOARD (bb_square(SQUARE_COUNT) - 1)

// Enemies that attack a general on a point, or would if other pieces came or went.
ALWAYS_INLINE Bitboard watched(const Position *position, int square, Side enemy) {
    const AttackTables *t = &attack_tables;
    const Bitboard *types = position->by_type;
    // Of the enemy general only the file matters; it is never on the same rank.
    const Bitboard on_lines = t->cross[square] & (types[CHARIOT] | types[CANNON] | types[GENERAL]);
    return position->by_side[enemy] & (on_lines | (t->horse_from[square][0] & types[HORSE]) |
                                       (t->soldier_from[enemy][square] & types[SOLDIER]));
}

// With how many pieces between a piece attacks.
ALWAYS_INLINE int screens(Piece piece) {
    return piece_type(piece) == CANNON;
}

// Would a general on a point be attacked if the occupied points were `occupied`?
ALWAYS_INLINE bool attacked(const Position *position, int square, Side enemy, Bitboard occupied) {
    for (Bitboard rest = watched(position, square, enemy); rest;) {
        const int x = bb_pop(&rest);
        const int between = bb_count(attack_tables.between[square][x] & occupied);
        if (between == screens(position->board[x])) return true;
    }
    return false;
}

bool position_general_attacked(const Position *position, Side side) {
    return attacked(position, position->general[side], side_other(side),
                    position_occupied(position));
}

Bitboard position_general_safe(const Position *position, Bitboard targets) {
    const Side us = (Side)position->stm;
    const Bitboard occupied = position_occupied(position) & ~bb_square(position->general[us]);
    Bitboard safe = 0;
    while (targets) {
        const int to = bb_pop(&targets);
        if (!attacked(position, to, side_other(us), occupied)) safe |= bb_square(to);
    }
    return safe;
}

static void constrain(Exposure *exposure, Bitboard movers, Bitboard targets, Bitboard others) {
    assert(exposure->count < CONSTRAINT_MAX);
    exposure->free &= others;
    exposure->bound |= movers;
    exposure->list[exposure->count++] = (Constraint){movers, targets, others};
}

void position_exposure(const Position *position, Exposure *exposure) {
    const Side us = (Side)position->stm;
    const int square = position->general[us];
    const Bitboard occupied = position_occupied(position), all = BOARD;
    exposure->free = all;
    exposure->bound = 0;
    exposure->in_check = false;
    exposure->count = 0;
    for (Bitboard rest = watched(position, square, side_other(us)); rest;) {
        const int x = bb_pop(&rest);
        const Bitboard between = attack_tables.between[square][x], pieces = between & occupied;
        const Bitboard ours = pieces & position->by_side[us],
                       stay = (between & ~pieces) | bb_square(x);
        const int excess = bb_count(pieces) - screens(position->board[x]);
        if (excess > 1) continue;
        if (excess == 1) {
            if (ours) constrain(exposure, ours, stay, all);
        } else if (excess == 0) {
            exposure->in_check = true;
            constrain(exposure, ours, ~between, stay);
        } else {
            constrain(exposure, 0, all, ~between);
        }
    }
}

Bitboard exposure_targets(const Exposure *exposure, int from) {
    const Bitboard bit = bb_square(from);
    if (!(exposure->bound & bit)) return exposure->free;
    Bitboard targets = BOARD;
    for (int i = 0; i < exposure->count; i++) {
        const Constraint *c = &exposure->list[i];
        targets &= c->movers & bit ? c->targets : c->others;
    }
    return targets;
}

bool position_is_legal(const Position *position, Move move) {
    Exposure exposure;
    position_exposure(position, &exposure);
    return position_is_legal_exposed(position, &exposure, move);
}

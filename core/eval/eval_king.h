// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation terms for the attack on the enemy general.
#pragma once

#include "core/eval/eval_adder.h"

// Returns the squares from which a cannon could attack `square`: empty squares on its rank or file
// with exactly one piece in between.
ALWAYS_INLINE Bitboard behind_one_screen(const Position *position, int square) {
    const int file = square_file(square), rank = square_rank(square);
    const AttackTables *t = &attack_tables;
    const unsigned across = position_rank(position, rank), along = position_file(position, file);
    const unsigned past_across = across & ~(unsigned)t->line_chariot[file][across];
    const unsigned past_along = along & ~(unsigned)t->line_chariot[rank][along];
    return attack_lines(t->line_chariot, square, past_across & 0x1ffu, past_along) &
           ~attack_chariot(position, square) & ~position_occupied(position);
}

// Adds the terms of safe checks: a chariot, cannon or horse of `side` could move to a square where
// it gives check and which the other side does not attack. Each type of piece counts at most once.
// Captures by a cannon do not count.
ALWAYS_INLINE void check_terms(Adder *adder, const Position *position, const Attacks *attacks,
                               Side side) {
    const Side them = side_other(side);
    const int general = position->general[them];
    const Bitboard safe = ~attacks->all[them] & ~position->by_side[side];
    const Bitboard horses = attacks->by[side][HORSE] & safe & attack_tables.horse_from[general][0];
    const int base = WEIGHT_INDEX(safe_check) + 3 * (position->stm != side);
    if (attack_chariot(position, general) & attacks->by[side][CHARIOT] & safe)
        add(adder, side, base);
    const Bitboard cannons = attacks->cannon_moves[side] & safe & attack_tables.cross[general];
    if (cannons && (cannons & behind_one_screen(position, general))) add(adder, side, base + 1);
    if (horses && (horses & attack_tables.horse_from[general][attack_eyes(position, general)]))
        add(adder, side, base + 2);
}

// Adds the terms of cannons on the rank or file of the enemy general. The entry depends on the
// number of pieces between cannon and general, or on the number of empty points if no piece stands
// between them on a file. Cannons with more than three pieces in between have no term.
ALWAYS_INLINE void cannon_line_terms(Adder *adder, const Position *position, Side side) {
    const int general = position->general[side_other(side)], rank = square_rank(general);
    Bitboard cannons = position_pieces(position, side, CANNON) & attack_tables.cross[general];
    while (cannons) {
        const int square = bb_pop(&cannons);
        const Bitboard between = attack_tables.between[general][square];
        const int pieces = bb_count(between & position_occupied(position));
        if (pieces > 3) continue;
        if (square_rank(square) == rank) {
            add(adder, side, WEIGHT_INDEX(cannon_on_rank) + pieces);
        } else if (pieces == 0) {
            add(adder, side, WEIGHT_INDEX(hollow_cannon) + bb_count(between));
        } else {
            add(adder, side, WEIGHT_INDEX(cannon_on_file) + pieces - 1);
        }
    }
}

ALWAYS_INLINE void king_terms(Adder *adder, const Position *position, const Attacks *attacks,
                              Side side) {
    const Side them = side_other(side);
    const int general = position->general[them];
    const Bitboard palace = attack_tables.general[general];
    const int guards = bb_count(position->by_side[them] &
                                (position->by_type[ADVISOR] | position->by_type[ELEPHANT]));
    const Bitboard free = palace & ~position->by_side[them] & ~attacks->all[side];
    add(adder, side, WEIGHT_INDEX(general_escapes) + bb_count(free));
    static const PieceType attackers[] = {CHARIOT, CANNON, HORSE, SOLDIER};
    for (int i = 0; i < 4; i++) {
        const Bitboard hits = attacks->by[side][attackers[i]] & (palace | bb_square(general));
        if (hits) add_times(adder, side, WEIGHT_INDEX(zone_hits) + 5 * i + guards, bb_count(hits));
    }
    check_terms(adder, position, attacks, side);
    cannon_line_terms(adder, position, side);
}

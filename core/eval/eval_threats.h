// SPDX-License-Identifier: GPL-3.0-or-later
// The stage of threats: pieces that hang, that something cheaper attacks, that are pinned.
#pragma once

#include "core/eval/eval_adder.h"

// Entries of a term that is apart for the side to move: its own pieces first.
ALWAYS_INLINE int turn_of(const Position *position, Side side) {
    return position->stm == side ? 0 : 1;
}

ALWAYS_INLINE void hanging_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                 Side side) {
    const Side them = side_other(side);
    const int turn = 6 * turn_of(position, side);
    Bitboard weak = position->by_side[side] & attacks->all[them] & ~attacks->all[side] &
                    ~position->by_type[GENERAL];
    while (weak) {
        const PieceType type = piece_type(position->board[bb_pop(&weak)]);
        add(adder, side, WEIGHT_INDEX(hanging) + turn + (int)type - ADVISOR);
    }
}

// Protected pieces that something worth less attacks.
ALWAYS_INLINE void cheaper_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                 Side side) {
    const Side them = side_other(side);
    const int base = WEIGHT_INDEX(attacked_by_less) + 3 * turn_of(position, side);
    const Bitboard kept = position->by_side[side] & attacks->all[side];
    const Bitboard soldiers = attacks->by[them][SOLDIER];
    const Bitboard light = attacks->by[them][HORSE] | attacks->by[them][CANNON] |
                           attacks->by[them][ADVISOR] | attacks->by[them][ELEPHANT] | soldiers;
    const int chariots = bb_count(kept & position->by_type[CHARIOT] & light);
    const int cannons = bb_count(kept & position->by_type[CANNON] & soldiers);
    const int horses = bb_count(kept & position->by_type[HORSE] & soldiers);
    if (chariots) add_times(adder, side, base, chariots);
    if (cannons) add_times(adder, side, base + 1, cannons);
    if (horses) add_times(adder, side, base + 2, horses);
}

// Own pieces that shield the general from a chariot.
ALWAYS_INLINE void pin_terms(Adder *adder, const Position *position, Side side) {
    const Side them = side_other(side);
    const int general = position->general[side];
    Bitboard pinners =
        attack_cannon_hits(position, general) & position_pieces(position, them, CHARIOT);
    while (pinners) {
        const int pinner = bb_pop(&pinners);
        const Bitboard shield = attack_chariot(position, general) &
                                attack_chariot(position, pinner) & position->by_side[side];
        if (!shield) continue;
        add(adder, side,
            WEIGHT_INDEX(pinned) + (int)piece_type(position->board[bb_lowest(shield)]) - ADVISOR);
    }
}

ALWAYS_INLINE void threat_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                Side side) {
    hanging_terms(adder, position, attacks, side);
    cheaper_terms(adder, position, attacks, side);
    pin_terms(adder, position, side);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Terms of threats: hanging pieces, protected pieces, protected pieces under attack, pinned pieces,
// and the side to move.
#pragma once

#include "core/eval/eval_adder.h"

// Adds the term `hanging` for each attacked piece that is not protected: by its type, and by
// whether `side` is to move.
ALWAYS_INLINE void hanging_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                 Side side) {
    const Side them = side_other(side);
    const int turn = 6 * (position->stm != side);
    Bitboard weak = position->by_side[side] & attacks->all[them] & ~attacks->all[side] &
                    ~position->by_type[GENERAL];
    while (weak) {
        const PieceType type = piece_type(position->board[bb_pop(&weak)]);
        add(adder, side, WEIGHT_INDEX(hanging) + turn + (int)type - ADVISOR);
    }
}

// Adds the terms `protected` (by the type of the piece) and `pressed` (by the types of a protected
// piece and of its attacker).
ALWAYS_INLINE void protected_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                   Side side) {
    static const PieceType attackers[] = {CHARIOT, CANNON, HORSE, SOLDIER};
    const Side them = side_other(side);
    const Bitboard kept = position->by_side[side] & attacks->all[side];
    for (int type = ADVISOR; type <= SOLDIER; type++) {
        add_times(adder, side, WEIGHT_INDEX(protected) + type - ADVISOR,
                  bb_count(kept & position->by_type[type]));
    }
    Bitboard pressed = kept & attacks->all[them] & ~position->by_type[GENERAL];
    while (pressed) {
        const int square = bb_pop(&pressed);
        const int base = WEIGHT_INDEX(pressed) + (int)piece_type(position->board[square]) - ADVISOR;
        for (int i = 0; i < 4; i++) {
            if (attacks->by[them][attackers[i]] & bb_square(square)) add(adder, side, base + 6 * i);
        }
    }
}

// Adds the terms for pinned pieces: pieces that stand alone between their general and an enemy
// chariot.
ALWAYS_INLINE void pin_terms(Adder *adder, const Position *position, const Attacks *attacks,
                             Side side) {
    const Side them = side_other(side);
    const Bitboard *hits = attacks->by[them];
    const Bitboard light = hits[HORSE] | hits[CANNON] | hits[SOLDIER];
    const int general = position->general[side];
    Bitboard pinners =
        attack_cannon_hits(position, general) & position_pieces(position, them, CHARIOT);
    while (pinners) {
        const int pinner = bb_pop(&pinners);
        const Bitboard shield = attack_chariot(position, general) &
                                attack_chariot(position, pinner) & position->by_side[side];
        if (!shield) continue;
        const int type = (int)piece_type(position->board[bb_lowest(shield)]) - ADVISOR;
        add(adder, side, WEIGHT_INDEX(pinned) + type);
        if (shield & light) add(adder, side, WEIGHT_INDEX(pinned_attacked) + type);
    }
}

ALWAYS_INLINE void threat_terms(Adder *adder, const Position *position, const Attacks *attacks,
                                Side side) {
    hanging_terms(adder, position, attacks, side);
    protected_terms(adder, position, attacks, side);
    pin_terms(adder, position, attacks, side);
    if (position->stm == side) add(adder, side, WEIGHT_INDEX(turn));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Legality without making moves.
//
// A move of a piece other than the general is legal when, after it, no enemy piece attacks the
// general. For one enemy piece X this depends on little: whether X was captured, and how many
// pieces then stand between X and the general (or on the horse's leg). A move takes at most one
// piece away from between, its own, and adds at most one, where it goes to an empty point; a
// capture between leaves the number as it is. So, for each X, the legal targets are one set for the
// pieces between (or on the leg) and another for all others, and a move is legal exactly when it
// satisfies every X. With n pieces between:
//
//   chariot, general: attack with n = 0.
//     n = 0   all:     into the gap, or capture X
//     n = 1   the one: stay in the gap, or capture X; others: anything (they cannot leave n = 0)
//     n > 1   anything
//   cannon: attacks with n = 1.
//     n = 0   all:     anything but the gap (a hollow cannon makes each piece there a screen)
//     n = 1   the one: leave the gap, or capture X; others: into an empty point of the gap, or
//     capture X n = 2   the two: into an empty point of the gap, or capture X, but not capture the
//     other screen;
//             others: anything
//     n > 2   anything
//   horse, its leg free:             all: onto the leg, or capture X
//   horse, its leg held by our own:  that piece: capture X; others: anything
//   soldier:                         all: capture X
//
// Where the piece between or on the leg is the enemy's, no move of ours takes it away.
#include "bench/perft/counter_internal.h"
#include "core/board/attacks.h"

bool counter_leaper_attacks(const Counter *counter, unsigned square, Side enemy) {
    const Place *horse = &counter->place[counter_slot(enemy, SLOT_HORSE)];
    const uint8_t *leg = counter->tables->horse_leg[square];
    if (counter->slot[leg[horse[0].square]] == SLOT_EMPTY ||
        counter->slot[leg[horse[1].square]] == SLOT_EMPTY) {
        return true;
    }
    Bitboard soldiers = attack_tables.soldier_from[enemy][square] & counter->own[enemy];
    while (soldiers) {
        if (counter->slot[bb_pop(&soldiers)] >= counter_slot(enemy, SLOT_SOLDIER)) return true;
    }
    return false;
}

static void constrain_all(Constraints *constraints, Bitboard targets) {
    constraints->common &= targets;
    constraints->plain &= targets;
}

static void constrain(Constraints *constraints, Bitboard movers, Bitboard targets,
                      Bitboard others) {
    if (!movers) {
        constrain_all(constraints, others);
        return;
    }
    constraints->common &= others;
    constraints->special |= movers;
    constraints->list[constraints->count++] = (Constraint){movers, targets, others};
}

// Points of one line through `here`, a file if `along`, as points of the board.
static Bitboard on_board(const CounterTables *t, unsigned bits, Place here, bool along) {
    return along ? t->along_file[bits] << here.file : (Bitboard)bits << (here.rank * FILE_COUNT);
}

// A piece on the general's line: points of the line as ten bits.
typedef struct LineAttacker {
    unsigned capture;            // where it stands
    unsigned between, gap, ours; // points between it and the general; the empty ones; our pieces
    int pieces;                  // n of the table above
    bool cannon;
} LineAttacker;

static void constrain_by_slider(const CounterTables *t, Place here, bool along,
                                const LineAttacker *x, Constraints *constraints) {
    const Bitboard stay = on_board(t, x->gap | x->capture, here, along);
    const Bitboard ours = on_board(t, x->ours, here, along);
    if (x->pieces == (x->cannon ? 2 : 1)) {
        constrain(constraints, ours, stay, BOARD);
    } else if (!x->cannon) {
        constrain_all(constraints, stay);
    } else {
        const Bitboard leave = BOARD & ~on_board(t, x->between, here, along);
        if (x->pieces == 0)
            constrain_all(constraints, leave);
        else
            constrain(constraints, ours, leave, stay);
    }
}

// All watched chariots, cannons and general of one line of our general, who is on `here`.
ALWAYS_INLINE void constrain_by_line(const Counter *counter, Side us, Place here, bool along,
                                     unsigned attackers, Constraints *constraints) {
    const Line *line = along ? &counter->file[here.file] : &counter->rank[here.rank];
    const unsigned index = along ? here.rank : here.file;
    const uint32_t danger = line->danger[side_other(us)];
    for (; attackers; attackers &= attackers - 1) {
        const unsigned x = (unsigned)bits_lowest64(attackers);
        const unsigned low = x < index ? x : index, high = x < index ? index : x;
        const unsigned between = ((1u << high) - 1) & ~((2u << low) - 1);
        const unsigned pieces = between & line->occupied;
        const LineAttacker attacker = {
            .capture = 1u << x,
            .between = between,
            .gap = between & ~pieces,
            .ours = pieces & ~(unsigned)line->free[us],
            .pieces = bits_count64(pieces),
            .cannon = danger >> SEEN_SECOND >> x & 1,
        };
        // Between are pieces enough, and none that we could take away.
        if (!attacker.ours && attacker.pieces == (attacker.cannon ? 2 : 1)) continue;
        constrain_by_slider(counter->tables, here, along, &attacker, constraints);
    }
}

static void constrain_by_leapers(const Counter *counter, Side us, Place here,
                                 Constraints *constraints) {
    const CounterTables *t = counter->tables;
    const Side enemy = side_other(us);
    for (unsigned slot = SLOT_HORSE; slot < SLOT_HORSE + 2; slot++) {
        const unsigned x = counter->place[counter_slot(enemy, slot)].square;
        const unsigned leg = t->horse_leg[here.square][x];
        if (leg == SQUARE_NONE) continue;
        if (counter->slot[leg] == SLOT_EMPTY) {
            constrain_all(constraints, t->bit[leg] | t->bit[x]);
        } else if (counter->slot[leg] / SLOTS_A_SIDE == (unsigned)us) {
            constrain(constraints, t->bit[leg], t->bit[x], BOARD);
        }
    }
    Bitboard soldiers = attack_tables.soldier_from[enemy][here.square] & counter->own[enemy];
    while (soldiers) {
        const int x = bb_pop(&soldiers);
        if (counter->slot[x] >= counter_slot(enemy, SLOT_SOLDIER)) {
            constrain_all(constraints, bb_square(x));
        }
    }
}

void counter_constraints(const Counter *counter, Side us, Watch watch, Constraints *constraints) {
    const Place here = counter->place[counter_slot(us, SLOT_GENERAL)];
    constraints_clear(constraints);
    if (watch.along) constrain_by_line(counter, us, here, true, watch.along, constraints);
    if (watch.across) constrain_by_line(counter, us, here, false, watch.across, constraints);
    if (watch.near) constrain_by_leapers(counter, us, here, constraints);
}

Bitboard constraints_allow(const Constraints *constraints, unsigned square) {
    const Bitboard bit = bb_square((int)square);
    if (!(constraints->special & bit)) return constraints->common;
    Bitboard allowed = constraints->plain;
    for (int i = 0; i < constraints->count; i++) {
        const Constraint *c = &constraints->list[i];
        allowed &= c->movers & bit ? c->targets : c->others;
    }
    return allowed;
}

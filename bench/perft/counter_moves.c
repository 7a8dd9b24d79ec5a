// SPDX-License-Identifier: GPL-3.0-or-later
// Where pieces go, as sets of points.
#include <string.h>

#include "bench/perft/counter_internal.h"
#include "core/board/attacks.h"

static unsigned line_targets(uint64_t seen, int hit, unsigned free) {
    return ((unsigned)(seen >> SEEN_QUIET) & 0xffff) | ((unsigned)(seen >> hit) & free);
}

static Bitboard slider_targets(const Counter *counter, Side us, Place at, int hit) {
    const Line *across = &counter->rank[at.rank], *along = &counter->file[at.file];
    const unsigned row =
        line_targets(counter_seen(counter, across, at.file), hit, across->free[us]);
    const unsigned column =
        line_targets(counter_seen(counter, along, at.rank), hit, along->free[us]);
    return (Bitboard)row << (at.rank * FILE_COUNT) | counter->tables->along_file[column] << at.file;
}

static Bitboard horse_targets(const Counter *counter, Side us, Place at) {
    return counter->tables->horse[at.square][counter_legs(counter, at)] & ~counter->own[us];
}

static Bitboard elephant_targets(const Counter *counter, Side us, Place at) {
    const uint64_t occupied = counter_half(counter->own[RED] | counter->own[BLACK], us);
    const uint64_t home = counter_elephant(counter->tables, at, occupied);
    return (Bitboard)home << (HALF_SQUARES * (unsigned)us) & ~counter->own[us];
}

static Bitboard advisor_targets(const Counter *counter, Side us, Place at) {
    const uint64_t home = counter->tables->advisor[at.square];
    return (Bitboard)home << (HALF_SQUARES * (unsigned)us) & ~counter->own[us];
}

static Bitboard soldier_targets(const Counter *counter, Side us, Place at) {
    return attack_tables.soldier[us][at.square] & ~counter->own[us];
}

Bitboard counter_targets(const Counter *counter, Side us, unsigned slot) {
    const Place at = counter->place[counter_slot(us, slot)];
    if (slot < SLOT_CANNON) return slider_targets(counter, us, at, SEEN_FIRST);
    if (slot < SLOT_HORSE) return slider_targets(counter, us, at, SEEN_SECOND);
    if (slot < SLOT_ELEPHANT) return horse_targets(counter, us, at);
    if (slot < SLOT_ADVISOR) return elephant_targets(counter, us, at);
    if (slot < SLOT_SOLDIER) return advisor_targets(counter, us, at);
    return soldier_targets(counter, us, at);
}

Bitboard counter_general_targets(const Counter *counter, Side us) {
    const Place here = counter->place[counter_slot(us, SLOT_GENERAL)];
    Bitboard targets = attack_tables.general[here.square] & ~counter->own[us];
    Bitboard safe = 0;
    while (targets) {
        const int to = bb_pop(&targets);
        if (!counter_point_attacked(counter, counter->tables->place[to], us)) safe |= bb_square(to);
    }
    return safe;
}

// Where the pieces but the general go by their movement.
static void pseudo_targets(const Counter *counter, Side us, Bitboard targets[SLOTS_A_SIDE]) {
    const Place *place = &counter->place[counter_slot(us, 0)];
    const unsigned alive = counter_alive(counter, us);
    memset(targets, 0, SLOTS_A_SIDE * sizeof *targets);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned chariot = SLOT_CHARIOT + i, cannon = SLOT_CANNON + i;
        if (alive & 1u << chariot) {
            targets[chariot] = slider_targets(counter, us, place[chariot], SEEN_FIRST);
        }
        if (alive & 1u << cannon) {
            targets[cannon] = slider_targets(counter, us, place[cannon], SEEN_SECOND);
        }
        const unsigned horse = SLOT_HORSE + i, elephant = SLOT_ELEPHANT + i;
        if (alive & 1u << horse) targets[horse] = horse_targets(counter, us, place[horse]);
        if (alive & 1u << elephant) {
            targets[elephant] = elephant_targets(counter, us, place[elephant]);
        }
        const unsigned advisor = SLOT_ADVISOR + i;
        if (alive & 1u << advisor) targets[advisor] = advisor_targets(counter, us, place[advisor]);
    }
    for (unsigned slot = SLOT_SOLDIER; slot < SLOTS_A_SIDE; slot++) {
        if (alive & 1u << slot) targets[slot] = soldier_targets(counter, us, place[slot]);
    }
}

void counter_legal_targets(const Counter *counter, Side us, Bitboard targets[SLOTS_A_SIDE]) {
    pseudo_targets(counter, us, targets);
    targets[SLOT_GENERAL] = counter_general_targets(counter, us);
    const Watch watch = counter_watch(counter, us);
    if (!watch_any(watch)) return;
    Constraints constraints;
    counter_constraints(counter, us, watch, &constraints);
    for (unsigned slot = SLOT_CHARIOT; slot < SLOTS_A_SIDE; slot++) {
        if (!targets[slot]) continue;
        const Place from = counter->place[counter_slot(us, slot)];
        targets[slot] &= constraints_allow(&constraints, from.square);
    }
}

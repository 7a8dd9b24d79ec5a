// SPDX-License-Identifier: GPL-3.0-or-later
// Counting the legal moves of a position in bulk.
#include "bench/perft/counter_internal.h"

#define FILE_A UINT64_C(0x1008040201)
#define FILE_I (FILE_A << (FILE_COUNT - 1))

ALWAYS_INLINE int slider_count(const Counter *counter, Side us, unsigned slot, int hit) {
    const Place at = counter->place[counter_slot(us, slot)];
    const Line *across = &counter->rank[at.rank], *along = &counter->file[at.file];
    return line_count(counter_seen(counter, across, at.file), hit, across->free[us]) +
           line_count(counter_seen(counter, along, at.rank), hit, along->free[us]);
}

ALWAYS_INLINE int horse_count(const Counter *counter, Side us, unsigned slot, Bitboard allowed) {
    const Place at = counter->place[counter_slot(us, slot)];
    return bb_count(counter->tables->horse[at.square][counter_legs(counter, at)] & allowed);
}

// Elephants and advisors never leave their half of the board.
ALWAYS_INLINE int guard_count(const Counter *counter, Side us, Bitboard allowed) {
    const CounterTables *t = counter->tables;
    const Place *place = &counter->place[counter_slot(us, 0)];
    const uint64_t occupied = counter_half(counter->own[RED] | counter->own[BLACK], us);
    const uint64_t home = counter_half(allowed, us);
    return bits_count64(counter_elephant(t, place[SLOT_ELEPHANT], occupied) & home) +
           bits_count64(counter_elephant(t, place[SLOT_ELEPHANT + 1], occupied) & home) +
           bits_count64(t->advisor[place[SLOT_ADVISOR].square] & home) +
           bits_count64(t->advisor[place[SLOT_ADVISOR + 1].square] & home);
}

ALWAYS_INLINE int soldier_count(const Counter *counter, Side us, Bitboard allowed) {
    const Bitboard *bit = counter->tables->bit;
    const Place *place = &counter->place[counter_slot(us, SLOT_SOLDIER)];
    const Bitboard all = bit[place[0].square] | bit[place[1].square] | bit[place[2].square] |
                         bit[place[3].square] | bit[place[4].square];
    const Bitboard forward = us == RED ? all << FILE_COUNT : all >> FILE_COUNT;
    const Side far = side_other(us);
    const uint64_t crossed = counter_half(all, far), beyond = counter_half(allowed, far);
    return bb_count(forward & allowed) + bits_count64((crossed & ~FILE_I) << 1 & beyond) +
           bits_count64((crossed & ~FILE_A) >> 1 & beyond);
}

// Moves of the pieces that are neither sliders nor the general to the allowed points. The branches
// here and below are on what pieces there are, which hardly changes within a tree.
ALWAYS_INLINE int leaper_count(const Counter *counter, Side us, Bitboard allowed) {
    const unsigned alive = counter_alive(counter, us);
    int count = 0;
    if (alive & 3u << SLOT_HORSE) {
        count += horse_count(counter, us, SLOT_HORSE, allowed);
        count += horse_count(counter, us, SLOT_HORSE + 1, allowed);
    }
    if (alive & 15u << SLOT_ELEPHANT) count += guard_count(counter, us, allowed);
    if (alive & 31u << SLOT_SOLDIER) count += soldier_count(counter, us, allowed);
    return count;
}

ALWAYS_INLINE int pseudo_count(const Counter *counter, Side us) {
    const unsigned alive = counter_alive(counter, us);
    int count = leaper_count(counter, us, BOARD & ~counter->own[us]);
    if (alive & 3u << SLOT_CHARIOT) {
        count += slider_count(counter, us, SLOT_CHARIOT, SEEN_FIRST);
        count += slider_count(counter, us, SLOT_CHARIOT + 1, SEEN_FIRST);
    }
    if (alive & 3u << SLOT_CANNON) {
        count += slider_count(counter, us, SLOT_CANNON, SEEN_SECOND);
        count += slider_count(counter, us, SLOT_CANNON + 1, SEEN_SECOND);
    }
    return count;
}

ALWAYS_INLINE int general_count(const Counter *counter, Side us) {
    const CounterTables *t = counter->tables;
    const Place here = counter->place[counter_slot(us, SLOT_GENERAL)];
    uint64_t targets = t->general[here.square] & ~counter_half(counter->own[us], us);
    int count = 0;
    while (targets) {
        const Place to = t->place[bits_lowest64(targets) + HALF_SQUARES * (int)us];
        count += !counter_point_attacked(counter, to, us);
        targets &= targets - 1;
    }
    return count;
}

// The legal moves but the general's where something threatens it. `pseudo` is pseudo_count(), or
// negative if that is not known yet.
static int guarded_count(const Counter *counter, Side us, Watch watch, int pseudo) {
    Constraints constraints;
    counter_constraints(counter, us, watch, &constraints);
    const Bitboard common = constraints.common;
    if (pseudo < 0 && common == BOARD) pseudo = counter_pseudo_count(counter, us);
    int count = pseudo;
    if (common != BOARD) {
        count = leaper_count(counter, us, common & ~counter->own[us]);
        unsigned sliders = counter_alive(counter, us) & 15u << SLOT_CHARIOT;
        for (; sliders; sliders &= sliders - 1) {
            const unsigned slot = (unsigned)bits_lowest64(sliders);
            count += bb_count(counter_targets(counter, us, slot) & common);
        }
    }
    // The pieces that have their own allowed points were counted with those common to all.
    Bitboard special = constraints.special;
    while (special) {
        const unsigned from = (unsigned)bb_pop(&special);
        const Bitboard targets = counter_targets(counter, us, counter->slot[from] % SLOTS_A_SIDE);
        count +=
            bb_count(targets & constraints_allow(&constraints, from)) - bb_count(targets & common);
    }
    return count;
}

ALWAYS_INLINE int others_count(const Counter *counter, Side us, int pseudo) {
    const Watch watch = counter_watch(counter, us);
    return watch_any(watch) ? guarded_count(counter, us, watch, pseudo) : pseudo;
}

ALWAYS_INLINE unsigned count(const Counter *counter, Side us) {
    const Watch watch = counter_watch(counter, us);
    const int others =
        watch_any(watch) ? guarded_count(counter, us, watch, -1) : pseudo_count(counter, us);
    return (unsigned)(others + general_count(counter, us));
}

// The same source twice, so that shifts and offsets that depend on the side are constants.

unsigned counter_count(const Counter *counter, Side us) {
    return us == RED ? count(counter, RED) : count(counter, BLACK);
}

int counter_others_count(const Counter *counter, Side us, int pseudo) {
    return us == RED ? others_count(counter, RED, pseudo) : others_count(counter, BLACK, pseudo);
}

int counter_general_count(const Counter *counter, Side us) {
    return us == RED ? general_count(counter, RED) : general_count(counter, BLACK);
}

int counter_pseudo_count(const Counter *counter, Side us) {
    return us == RED ? pseudo_count(counter, RED) : pseudo_count(counter, BLACK);
}

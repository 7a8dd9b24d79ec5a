// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the counter share: where pieces go, and which of it legality allows.
#pragma once

#include "bench/perft/counter.h"

#define HALF_BOARD ((UINT64_C(1) << HALF_SQUARES) - 1)
#define BOARD      (((Bitboard)1 << SQUARE_COUNT) - 1)

ALWAYS_INLINE unsigned counter_slot(Side side, unsigned slot) {
    return slot + SLOTS_A_SIDE * (unsigned)side;
}

// Points of a set in the half of the board that is the side's own, numbered like Place.half.
ALWAYS_INLINE uint64_t counter_half(Bitboard points, Side side) {
    return (uint64_t)(points >> (HALF_SQUARES * (unsigned)side)) & HALF_BOARD;
}

// The side's pieces that are on the board: bits of slots without the side's offset.
ALWAYS_INLINE unsigned counter_alive(const Counter *counter, Side side) {
    return (uint16_t)(counter->alive >> counter_slot(side, 0));
}

// ---- coming and going --------------------------------------------------------------------------

ALWAYS_INLINE void line_toggle(Line *line, const Line *bits) {
    line->all ^= bits->all;
}
ALWAYS_INLINE void counter_toggle(Counter *counter, unsigned slot, Place place) {
    const Line *pattern = counter->tables->pattern[slot];
    line_toggle(&counter->rank[place.rank], &pattern[place.file]);
    line_toggle(&counter->file[place.file], &pattern[place.rank]);
}

// Takes the piece in `mover` (a slot of `us`) off the board: the first half of all its moves.
// counter_drop() puts it back.
ALWAYS_INLINE void counter_lift(Counter *counter, Side us, unsigned mover, Place from) {
    counter_toggle(counter, mover, from);
    counter->own[us] ^= counter->tables->bit[from.square];
    counter->slot[from.square] = SLOT_EMPTY;
}
ALWAYS_INLINE void counter_drop(Counter *counter, Side us, unsigned mover, Place from) {
    counter_toggle(counter, mover, from);
    counter->own[us] ^= counter->tables->bit[from.square];
    counter->slot[from.square] = (uint8_t)mover;
    counter->place[mover] = from;
}

// Puts a lifted piece on `to`, and what stood there off the board: returns its slot.
ALWAYS_INLINE unsigned counter_put(Counter *counter, Side us, unsigned mover, Place to) {
    const CounterTables *t = counter->tables;
    const unsigned captured = counter->slot[to.square];
    counter_toggle(counter, mover, to);
    counter->own[us] ^= t->bit[to.square];
    counter->slot[to.square] = (uint8_t)mover;
    counter->place[mover] = to;
    if (captured != SLOT_EMPTY) {
        counter_toggle(counter, captured, to);
        counter->own[side_other(us)] ^= t->bit[to.square];
        counter->place[captured] = t->place[SQUARE_NONE];
        counter->alive ^= 1u << captured;
    }
    return captured;
}
// Takes back counter_put(); the piece is lifted again.
ALWAYS_INLINE void counter_take(Counter *counter, Side us, unsigned mover, Place to,
                                unsigned captured) {
    const CounterTables *t = counter->tables;
    counter_toggle(counter, mover, to);
    counter->own[us] ^= t->bit[to.square];
    counter->slot[to.square] = (uint8_t)captured;
    if (captured != SLOT_EMPTY) {
        counter_toggle(counter, captured, to);
        counter->own[side_other(us)] ^= t->bit[to.square];
        counter->place[captured] = to;
        counter->alive ^= 1u << captured;
    }
}

// ---- where pieces go (counter_moves.c) ---------------------------------------------------------

ALWAYS_INLINE uint64_t counter_seen(const Counter *counter, const Line *line, unsigned index) {
    return counter->tables->seen[index][line->occupied];
}

// Occupied points beside a place that can be a horse's leg: left 1, down 2, right 4, up 8.
ALWAYS_INLINE unsigned counter_legs(const Counter *counter, Place place) {
    const unsigned across = (unsigned)counter->rank[place.rank].occupied << 1 >> place.file & 5u;
    const unsigned along = (unsigned)counter->file[place.file].occupied << 1 >> place.rank & 5u;
    return across | along << 1;
}

// Targets of an elephant in its half of the board, whose occupied points are given.
ALWAYS_INLINE uint64_t counter_elephant(const CounterTables *t, Place at, uint64_t occupied) {
    // The eyes are the diagonal neighbours: shifted so, they are bits 0, 2, 18 and 20.
    const uint64_t around = occupied << (FILE_COUNT + 1) >> at.half;
    return t->elephant[at.half][(around & 5) | (around >> 17 & 10)];
}

// Points a piece of `us` on the board, not the general, can go to by its movement.
Bitboard counter_targets(const Counter *counter, Side us, unsigned slot);

// Points where the general of `us` can go without being attacked there.
Bitboard counter_general_targets(const Counter *counter, Side us);

// Where the pieces of `us` can go legally, by slot (without the offset of the side).
void counter_legal_targets(const Counter *counter, Side us, Bitboard targets[SLOTS_A_SIDE]);

// ---- legality (counter_legality.c) -------------------------------------------------------------

// One attacker of the general, possible or actual, says where pieces may go: those on the points of
// `movers` to `targets`, all others to `others`.
typedef struct Constraint {
    Bitboard movers, targets, others;
} Constraint;

// Chariots, cannons and general: five at most on the lines; two horses.
enum { CONSTRAINT_MAX = 7 };

typedef struct Constraints {
    Bitboard common; // where every piece may go that stands on none of `special`
    Bitboard special;
    Bitboard plain; // common to all pieces, those on `special` included
    int count;
    Constraint list[CONSTRAINT_MAX]; // those that have movers
} Constraints;

// Nothing is forbidden.
ALWAYS_INLINE void constraints_clear(Constraints *constraints) {
    constraints->common = constraints->plain = BOARD;
    constraints->special = 0;
    constraints->count = 0;
}

// Enemy pieces that attack the general, or that one move of ours could let attack it.
typedef struct Watch {
    uint16_t along, across; // on his file and rank, by index
    bool near;              // there is some piece where horses and soldiers are dangerous
} Watch;

// Chariots and generals matter as first or second piece of a line, cannons up to the third.
ALWAYS_INLINE uint64_t line_watched(uint64_t seen, uint32_t danger) {
    const uint64_t two = seen | seen >> SEEN_SECOND;
    return (two & danger & 0xffff) | ((two | seen >> SEEN_THIRD) & danger >> 16);
}

ALWAYS_INLINE Watch counter_watch(const Counter *counter, Side us) {
    const Side enemy = side_other(us);
    const Place here = counter->place[counter_slot(us, SLOT_GENERAL)];
    const Line *along = &counter->file[here.file], *across = &counter->rank[here.rank];
    return (Watch){
        (uint16_t)line_watched(counter_seen(counter, along, here.rank), along->danger[enemy]),
        (uint16_t)line_watched(counter_seen(counter, across, here.file), across->danger[enemy]),
        (counter->own[enemy] & counter->tables->near[here.square]) != 0,
    };
}

// Where this is false every move but the general's is legal. It may be true in vain.
ALWAYS_INLINE bool watch_any(Watch watch) {
    return (watch.along | watch.across) != 0 || watch.near;
}

// The exact conditions under which a move of a piece other than the general leaves it unattacked.
void counter_constraints(const Counter *counter, Side us, Watch watch, Constraints *constraints);

// Where the piece on `square` may go.
Bitboard constraints_allow(const Constraints *constraints, unsigned square);

// Do horses or soldiers of `enemy` attack a point?
bool counter_leaper_attacks(const Counter *counter, unsigned square, Side enemy);

// Pseudo-legal moves of all pieces but the general (counter_count.c).
int counter_pseudo_count(const Counter *counter, Side us);

// The two parts of counter_count(): the legal moves of the general, and those of all others where
// counter_pseudo_count() is already known.
int counter_general_count(const Counter *counter, Side us);
int counter_others_count(const Counter *counter, Side us, int pseudo);

// The legal replies to all legal moves of `us`, which are `targets`, by differences
// (counter_differential.c). The counter is the same afterwards.
uint64_t counter_count_replies(Counter *counter, Side us, const Bitboard targets[SLOTS_A_SIDE]);

// How many points a chariot (hit = SEEN_FIRST) or cannon (SEEN_SECOND) reaches of a line it sees
// so.
ALWAYS_INLINE int line_count(uint64_t seen, int hit, unsigned free) {
    return bits_count64(seen & (UINT64_C(0xffff) << SEEN_QUIET | (uint64_t)free << hit));
}

// Is the general of `us` attacked if it stands on `at`, its present point left?
ALWAYS_INLINE bool counter_point_attacked(const Counter *counter, Place at, Side us) {
    const CounterTables *t = counter->tables;
    const Side enemy = side_other(us);
    const Place here = counter->place[counter_slot(us, SLOT_GENERAL)];
    const Line *along = &counter->file[at.file], *across = &counter->rank[at.rank];
    // The general no longer stands on the line that it moves along.
    const unsigned file_now = along->occupied ^ (at.file == here.file ? 1u << here.rank : 0u);
    const unsigned rank_now = across->occupied ^ (at.rank == here.rank ? 1u << here.file : 0u);
    const uint32_t hit = ((uint32_t)t->seen[at.rank][file_now] & along->danger[enemy]) |
                         ((uint32_t)t->seen[at.file][rank_now] & across->danger[enemy]);
    return hit != 0 || ((counter->own[enemy] & t->near[at.square]) != 0 &&
                        counter_leaper_attacks(counter, at.square, enemy));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Perft of depth 2 by differences.
//
// The opponent's moves are counted once, as if it were his move. A quiet move of ours changes that
// number only through what he sees of it:
//
// - Reach. How many moves his pieces have (the general apart), legal or not, depends on ours only
//   by which points they occupy: on the lines of his chariots and cannons, as far as those see; of
//   his horses' legs; of his elephants' eyes. The "change" of a point is the difference to that
//   number when a piece of ours appears there or, where one stands, when it goes away. Legs and
//   eyes act one by one, and so do two points that no chariot or cannon sees along one line. So a
//   move changes the number by the change of its start plus the change of its target; only where
//   the start is seen along the line of the move itself ("entangled") is that whole line counted
//   again. (A move passes no piece: where its start is not seen its target is not seen either.)
//
// - Zone. Which of his moves are legal, and where his general may go, depends only on our pieces
//   around that general. The zone is a set of points such that a move from and to points outside
//   it changes none of this. It differs by the kind of piece that moves: a soldier that comes to
//   an open file of the general does nothing, a chariot gives check.
//
// A quiet move outside the zone contributes his legal moves now plus its change. This holds also
// where some of his pieces are not free (pins, screens), because the reach of those is added to
// the zone: free pieces have their sum as ever, and the bound ones the moves they had. A quiet
// move in the zone is made, but all that is counted anew is his general and his bound pieces. A
// capture takes a piece from him, so it is made and counted in full.
#include <string.h>

#include "bench/perft/counter_internal.h"
#include "core/board/attacks.h"

typedef enum MoverKind {
    MOVER_SHIELD, // advisors and elephants: they can only stand between
    MOVER_HORSE,
    MOVER_SOLDIER,
    MOVER_LINE, // chariots, cannons and the general
    MOVER_COUNT,
} MoverKind;

// Kinds of change: along ranks, along files, of horses and elephants; and their sum.
typedef enum ChangeKind {
    CHANGE_RANK,
    CHANGE_FILE,
    CHANGE_LEAP,
    CHANGE_ALL,
    CHANGE_COUNT
} ChangeKind;

enum { CHANGE_POINTS = 96 }; // SQUARE_COUNT, rounded up

// What there is to know about the opponent ("them") to count his replies by differences.
typedef struct Replies {
    // If it were his move now: counter_pseudo_count(), legal moves but the general's, all legal
    // ones.
    int pseudo, others, legal;
    // The zone, by the kind of our piece: the points that matter to what his pieces may do, and
    // those that only matter to the steps of the general.
    Bitboard zone[MOVER_COUNT], step_zone[MOVER_COUNT];
    Bitboard rank_reach; // points seen along ranks
    Bitboard file_reach; // along files
    Bitboard reach;      // all points that have a change
    int8_t change[CHANGE_COUNT][CHANGE_POINTS];
} Replies;

static MoverKind mover_kind(unsigned slot) {
    static const uint8_t kinds[SLOTS_A_SIDE] = {
        MOVER_LINE,    MOVER_LINE,    MOVER_LINE,    MOVER_LINE,    MOVER_LINE,   MOVER_HORSE,
        MOVER_HORSE,   MOVER_SHIELD,  MOVER_SHIELD,  MOVER_SHIELD,  MOVER_SHIELD, MOVER_SOLDIER,
        MOVER_SOLDIER, MOVER_SOLDIER, MOVER_SOLDIER, MOVER_SOLDIER,
    };
    return (MoverKind)kinds[slot];
}

static Bitboard rank_points(const Place at) {
    return (((Bitboard)1 << FILE_COUNT) - 1) << (at.rank * FILE_COUNT);
}
static Bitboard file_points(const CounterTables *t, Place at) {
    return t->along_file[LINE_STATES_ALL - 1] << at.file;
}

// ---- the zone ----------------------------------------------------------------------------------

// The points of a line, through a point where his general is or may go, that matter to movers that
// do not attack along it. Such a piece, coming or going, moves the attackers behind it one place
// farther or nearer. A point is attacked by a chariot or our general in first place and by a cannon
// in second. Where none of them is nearer than one place behind that, a piece that comes does not
// matter, nor does one that goes: line_watched() asks for this. The general himself wants one place
// more between, because his pieces are bound one place before he is attacked; his line becomes
// watched only when one of its first three pieces goes. (On a line where he stands between the
// point and the attacker the latter counts one place too far; there his own view of the line covers
// it.)
static unsigned shield_zone(const Counter *counter, const Line *line, unsigned index, bool general,
                            Side us) {
    const uint32_t danger = line->danger[us];
    if (!danger) return 0;
    const uint64_t seen = counter_seen(counter, line, index);
    if (line_watched(seen, danger)) return LINE_STATES_ALL - 1;
    return general ? (unsigned)(seen | seen >> SEEN_SECOND | seen >> SEEN_THIRD) & 0xffff : 0;
}

static void add_lines(Bitboard zone[MOVER_COUNT], const Counter *counter, Side us, Place at,
                      bool general) {
    const CounterTables *t = counter->tables;
    const unsigned across = shield_zone(counter, &counter->rank[at.rank], at.file, general, us);
    const unsigned along = shield_zone(counter, &counter->file[at.file], at.rank, general, us);
    if (across) {
        zone[MOVER_SHIELD] |= (Bitboard)across << (at.rank * FILE_COUNT) & rank_points(at);
    }
    if (along) zone[MOVER_SHIELD] |= t->along_file[along] << at.file;
    zone[MOVER_LINE] |= rank_points(at) | file_points(t, at);
}

static void add_leapers(Bitboard zone[MOVER_COUNT], const Counter *counter, Side us, Place at) {
    const Bitboard horses = attack_tables.horse_from[at.square][0];
    zone[MOVER_HORSE] |= horses;
    zone[MOVER_SOLDIER] |= attack_tables.soldier_from[us][at.square];
    // Where a piece of ours stands a horse's leap away, the legs matter too. They are diagonal to
    // it.
    if (!(horses & counter->own[us])) return;
    const Bitboard bit = counter->tables->bit[at.square];
    const Bitboard beside = bit << 1 | bit >> 1; // a palace does not touch the edges left and right
    zone[MOVER_SHIELD] |= (beside << FILE_COUNT | beside >> FILE_COUNT) & BOARD;
}

static void find_zones(Replies *replies, const Counter *counter, Side us) {
    const CounterTables *t = counter->tables;
    const Side them = side_other(us);
    const Place general = counter->place[counter_slot(them, SLOT_GENERAL)];
    add_lines(replies->zone, counter, us, general, true);
    add_leapers(replies->zone, counter, us, general);
    uint64_t steps = t->general[general.square] & ~counter_half(counter->own[them], them);
    for (; steps; steps &= steps - 1) {
        const Place at = t->place[bits_lowest64(steps) + HALF_SQUARES * (int)them];
        add_lines(replies->step_zone, counter, us, at, false);
        add_leapers(replies->step_zone, counter, us, at);
    }
    for (int kind = MOVER_HORSE; kind < MOVER_COUNT; kind++) {
        replies->zone[kind] |= replies->zone[MOVER_SHIELD];
        replies->step_zone[kind] |= replies->step_zone[MOVER_SHIELD];
    }
}

// ---- the changes -------------------------------------------------------------------------------

// The points of a line that a chariot or cannon sees: those whose occupancy changes where it can
// go.
static unsigned line_reach(const CounterTables *t, unsigned occupied, unsigned index, int hit) {
    const uint64_t seen = t->seen[index][occupied];
    const unsigned chariot = (unsigned)(seen | seen >> SEEN_QUIET) & 0xffff;
    if (hit == SEEN_FIRST) return chariot;
    return chariot | ((unsigned)(seen >> SEEN_SECOND) & 0xffff) | t->gap[index][occupied];
}

// Adds the changes of a line, whose points are `stride` apart in *change; returns where they are.
static unsigned add_line(int8_t *change, int stride, const CounterTables *t, const Line *line,
                         unsigned index, int hit, Side them) {
    const unsigned occupied = line->occupied, free = line->free[them];
    const unsigned reach = line_reach(t, occupied, index, hit) & free;
    const int before = line_count(t->seen[index][occupied], hit, free);
    for (unsigned rest = reach; rest; rest &= rest - 1) {
        const int after = line_count(t->seen[index][occupied ^ (rest & -rest)], hit, free);
        int8_t *at = &change[bits_lowest64(rest) * stride];
        *at = (int8_t)(*at + after - before);
    }
    return reach;
}

// The functions add_*() add the changes of one piece of his and return its reach.
static Bitboard add_slider(Replies *replies, const Counter *counter, Side them, Place at, int hit) {
    const CounterTables *t = counter->tables;
    const unsigned first = at.rank * FILE_COUNT;
    const unsigned across = add_line(&replies->change[CHANGE_RANK][first], 1, t,
                                     &counter->rank[at.rank], at.file, hit, them);
    const unsigned along = add_line(&replies->change[CHANGE_FILE][at.file], FILE_COUNT, t,
                                    &counter->file[at.file], at.rank, hit, them);
    const Bitboard row = (Bitboard)across << first, column = t->along_file[along] << at.file;
    replies->rank_reach |= row;
    replies->file_reach |= column;
    return row | column;
}

// A leg or an eye: the targets behind it go with a piece that comes and come with one that goes.
static Bitboard add_leap(Replies *replies, const Counter *counter, int over, int targets) {
    int8_t *at = &replies->change[CHANGE_LEAP][over];
    *at = (int8_t)(*at + (counter->slot[over] == SLOT_EMPTY ? -targets : targets));
    return bb_square(over);
}

static Bitboard add_horse(Replies *replies, const Counter *counter, Side them, Place at) {
    static const int step[4] = {-1, -FILE_COUNT, 1, FILE_COUNT};
    const Bitboard *by_legs = counter->tables->horse[at.square];
    Bitboard reach = 0;
    for (int i = 0; i < 4; i++) {
        // With all legs but one occupied, what is left is behind that one.
        const int targets = bb_count(by_legs[15 ^ 1 << i] & ~counter->own[them]);
        if (targets) reach |= add_leap(replies, counter, at.square + step[i], targets);
    }
    return reach;
}

static Bitboard add_elephant(Replies *replies, const Counter *counter, Side them, Place at) {
    static const int step[4] = {-FILE_COUNT - 1, FILE_COUNT - 1, -FILE_COUNT + 1, FILE_COUNT + 1};
    const Bitboard *by_eyes = attack_tables.elephant[at.square];
    Bitboard reach = 0;
    for (int i = 0; i < 4; i++) {
        if (!(by_eyes[15 ^ 1 << i] & ~counter->own[them])) continue;
        reach |= add_leap(replies, counter, at.square + step[i], 1);
    }
    return reach;
}

// All changes; and into the zone, what is seen by pieces that are not free to go there.
static void find_changes(Replies *replies, const Counter *counter, Side them,
                         const Constraints *constraints) {
    Bitboard bound = 0;
    const unsigned seeing = (1u << SLOT_ADVISOR) - (1u << SLOT_CHARIOT);
    for (unsigned alive = counter_alive(counter, them) & seeing; alive; alive &= alive - 1) {
        const unsigned slot = (unsigned)bits_lowest64(alive);
        const Place at = counter->place[counter_slot(them, slot)];
        const Bitboard reach =
            slot < SLOT_CANNON     ? add_slider(replies, counter, them, at, SEEN_FIRST)
            : slot < SLOT_HORSE    ? add_slider(replies, counter, them, at, SEEN_SECOND)
            : slot < SLOT_ELEPHANT ? add_horse(replies, counter, them, at)
                                   : add_elephant(replies, counter, them, at);
        replies->reach |= reach;
        if (constraints->special & counter->tables->bit[at.square]) bound |= reach;
    }
    if (constraints->common != BOARD) bound = replies->reach;
    for (int kind = 0; kind < MOVER_COUNT; kind++) replies->zone[kind] |= bound;
    int8_t(*change)[CHANGE_POINTS] = replies->change;
    for (int i = 0; i < CHANGE_POINTS; i++) {
        const int sum = change[CHANGE_RANK][i] + change[CHANGE_FILE][i] + change[CHANGE_LEAP][i];
        change[CHANGE_ALL][i] = (int8_t)sum;
    }
}

// The change of one whole line, along which a piece goes; the piece may be lifted already.
static int line_change(const Counter *counter, Side them, Place from, Place to, bool along) {
    const Line *line = along ? &counter->file[to.file] : &counter->rank[to.rank];
    const unsigned start = along ? from.rank : from.file, target = along ? to.rank : to.file;
    const unsigned without = line->occupied & ~(1u << start), free = line->free[them];
    int change = 0;
    for (unsigned slot = SLOT_CHARIOT; slot < SLOT_HORSE; slot++) {
        const Place at = counter->place[counter_slot(them, slot)];
        if (along ? at.file != to.file : at.rank != to.rank) continue;
        const int hit = slot < SLOT_CANNON ? SEEN_FIRST : SEEN_SECOND;
        const uint64_t *seen = counter->tables->seen[along ? at.rank : at.file];
        change += line_count(seen[without | 1u << target], hit, free) -
                  line_count(seen[without | 1u << start], hit, free);
    }
    return change;
}

// By how much a quiet move changes the number of his pseudo-legal moves.
static int quiet_change(const Replies *replies, const Counter *counter, Side them, Place from,
                        Place to) {
    const int8_t(*change)[CHANGE_POINTS] = replies->change;
    const Bitboard start = counter->tables->bit[from.square];
    const unsigned y = from.square, x = to.square;
    int sum = change[CHANGE_ALL][y] + change[CHANGE_ALL][x];
    if (from.rank == to.rank && (replies->rank_reach & start)) {
        sum += line_change(counter, them, from, to, false);
        sum -= change[CHANGE_RANK][y] + change[CHANGE_RANK][x];
    }
    if (from.file == to.file && (replies->file_reach & start)) {
        sum += line_change(counter, them, from, to, true);
        sum -= change[CHANGE_FILE][y] + change[CHANGE_FILE][x];
    }
    return sum;
}

// ---- the count ---------------------------------------------------------------------------------

// Replies to moves of one piece that are made: captures, and those that touch the zones. Moves to
// points of `full` may change what his other pieces may do.
static int64_t count_made(Counter *counter, const Replies *replies, Side us, unsigned mover,
                          Bitboard targets, Bitboard full) {
    const CounterTables *t = counter->tables;
    const Side them = side_other(us);
    const Place from = counter->place[mover];
    int64_t nodes = 0;
    counter_lift(counter, us, mover, from);
    while (targets) {
        const Place to = t->place[bb_pop(&targets)];
        if (counter->slot[to.square] != SLOT_EMPTY) {
            const unsigned captured = counter_put(counter, us, mover, to);
            nodes += counter_count(counter, them);
            counter_take(counter, us, mover, to, captured);
            continue;
        }
        const int change = quiet_change(replies, counter, them, from, to);
        counter_put(counter, us, mover, to);
        nodes += full & t->bit[to.square]
                     ? counter_others_count(counter, them, replies->pseudo + change)
                     : replies->others + change;
        nodes += counter_general_count(counter, them);
        counter_take(counter, us, mover, to, SLOT_EMPTY);
    }
    counter_drop(counter, us, mover, from);
    return nodes;
}

// Replies to all moves of one piece.
static int64_t count_piece(Counter *counter, const Replies *replies, Side us, unsigned slot,
                           Bitboard targets) {
    const CounterTables *t = counter->tables;
    const Side them = side_other(us);
    const MoverKind kind = mover_kind(slot);
    const Place from = counter->place[counter_slot(us, slot)];
    const Bitboard start = t->bit[from.square];
    Bitboard full = replies->zone[kind], made = full | replies->step_zone[kind], entangled = 0;
    if (start & (made | replies->reach)) {
        if (start & full) full = BOARD;
        if (start & made) made = BOARD;
        if (start & replies->rank_reach) entangled |= rank_points(from);
        if (start & replies->file_reach) entangled |= file_points(t, from);
    }
    made |= counter->own[them];
    int64_t nodes = 0;
    if (targets & made) {
        nodes = count_made(counter, replies, us, counter_slot(us, slot), targets & made, full);
        targets &= ~made;
    }
    nodes += (int64_t)replies->legal * bb_count(targets);
    entangled &= targets;
    targets ^= entangled;
    nodes += (int64_t)replies->change[CHANGE_ALL][from.square] * bb_count(targets);
    targets &= replies->reach;
    while (targets) nodes += replies->change[CHANGE_ALL][bb_pop(&targets)];
    while (entangled) {
        nodes += quiet_change(replies, counter, them, from, t->place[bb_pop(&entangled)]);
    }
    return nodes;
}

uint64_t counter_count_replies(Counter *counter, Side us, const Bitboard targets[SLOTS_A_SIDE]) {
    const Side them = side_other(us);
    Replies replies;
    memset(&replies, 0, sizeof replies);
    replies.pseudo = counter_pseudo_count(counter, them);
    replies.others = counter_others_count(counter, them, replies.pseudo);
    replies.legal = replies.others + counter_general_count(counter, them);
    Constraints constraints;
    constraints_clear(&constraints);
    const Watch watch = counter_watch(counter, them);
    if (watch_any(watch)) counter_constraints(counter, them, watch, &constraints);
    find_zones(&replies, counter, us);
    find_changes(&replies, counter, them, &constraints);
    int64_t nodes = 0;
    for (unsigned slot = 0; slot < SLOTS_A_SIDE; slot++) {
        if (targets[slot]) nodes += count_piece(counter, &replies, us, slot, targets[slot]);
    }
    return (uint64_t)nodes;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/eval.h"

#include <string.h>

#include "core/eval/eval_king.h"
#include "core/eval/eval_threats.h"

// Both forms of the evaluation are the function terms_red() below, compiled once with a trace and
// once without.

#define RANK(a, b, c, d, e) a, b, c, d, e, d, c, b, a
#define NOWHERE             RANK(-1, -1, -1, -1, -1)
#define WHOLE(n)            RANK(5 * (n), 5 * (n) + 1, 5 * (n) + 2, 5 * (n) + 3, 5 * (n) + 4)
static const int8_t table_entries[SHAPE_COUNT][SQUARE_COUNT] = {
#define SHAPE(id, ...) {__VA_ARGS__},
#include "core/eval/weights.def"
};

enum {
#define WEIGHT(name, count, group, part, shape, classic, meaning) SHAPE_OF_##name = SHAPE_##shape,
#include "core/eval/weights.def"
};
#define TABLE(term) WEIGHT_INDEX(term), (TableShape)SHAPE_OF_##term

// clang-format off
// square_flip() without its division.
#define FILES_OF(rank)                                                                             \
    9 * (rank), 9 * (rank) + 1, 9 * (rank) + 2, 9 * (rank) + 3, 9 * (rank) + 4, 9 * (rank) + 5,    \
        9 * (rank) + 6, 9 * (rank) + 7, 9 * (rank) + 8
static const uint8_t flipped[SQUARE_COUNT] = {
    FILES_OF(9), FILES_OF(8), FILES_OF(7), FILES_OF(6), FILES_OF(5),
    FILES_OF(4), FILES_OF(3), FILES_OF(2), FILES_OF(1), FILES_OF(0)};
// clang-format on

int eval_table_entry(TableShape shape, Side side, int square) {
    return table_entries[shape][side == RED ? square : flipped[square]];
}

ALWAYS_INLINE void add_table(Adder *adder, Side side, int base, TableShape shape, int square) {
    const int entry = eval_table_entry(shape, side, square);
    if (entry >= 0) add(adder, side, base + entry);
}

ALWAYS_INLINE void attack(Attacks *attacks, Side side, PieceType type, Bitboard points) {
    attacks->by[side][type] |= points;
}

ALWAYS_INLINE void chariot_terms(Adder *adder, const Position *position, Attacks *attacks,
                                 Side side, int square) {
    const Bitboard points = attack_chariot(position, square);
    attack(attacks, side, CHARIOT, points);
    add(adder, side, WEIGHT_INDEX(material_chariot));
    add_table(adder, side, TABLE(table_chariot), square);
    add(adder, side, WEIGHT_INDEX(mobility_chariot) + bb_count(points & ~position->by_side[side]));
}

ALWAYS_INLINE void cannon_terms(Adder *adder, const Position *position, Attacks *attacks, Side side,
                                int square) {
    const Bitboard points = attack_cannon(position, square);
    const Bitboard hits = points & position_occupied(position);
    attack(attacks, side, CANNON, hits);
    attacks->cannon_moves[side] |= points & ~hits;
    add(adder, side, WEIGHT_INDEX(material_cannon));
    add_table(adder, side, TABLE(table_cannon), square);
    add(adder, side, WEIGHT_INDEX(mobility_cannon) + bb_count(points & ~position->by_side[side]));
    add(adder, side, WEIGHT_INDEX(cannon_screens) + bb_count(hits));
}

ALWAYS_INLINE void horse_terms(Adder *adder, const Position *position, Attacks *attacks, Side side,
                               int square) {
    const Bitboard points = attack_horse(position, square);
    attack(attacks, side, HORSE, points);
    add(adder, side, WEIGHT_INDEX(material_horse));
    add_table(adder, side, TABLE(table_horse), square);
    add(adder, side, WEIGHT_INDEX(mobility_horse) + bb_count(points & ~position->by_side[side]));
}

ALWAYS_INLINE void soldier_terms(Adder *adder, Attacks *attacks, Side side, int square) {
    attack(attacks, side, SOLDIER, attack_tables.soldier[side][square]);
    if (square_crossed(square, side)) {
        add(adder, side, WEIGHT_INDEX(material_soldier_crossed));
        add_table(adder, side, TABLE(table_soldier_crossed), square);
    } else {
        add(adder, side, WEIGHT_INDEX(material_soldier));
        add_table(adder, side, TABLE(table_soldier), square);
    }
}

ALWAYS_INLINE void side_terms(Adder *adder, const Position *position, Attacks *attacks, Side side) {
    Bitboard pieces = position_pieces(position, side, CHARIOT);
    while (pieces) chariot_terms(adder, position, attacks, side, bb_pop(&pieces));
    pieces = position_pieces(position, side, CANNON);
    while (pieces) cannon_terms(adder, position, attacks, side, bb_pop(&pieces));
    pieces = position_pieces(position, side, HORSE);
    while (pieces) horse_terms(adder, position, attacks, side, bb_pop(&pieces));
    pieces = position_pieces(position, side, ELEPHANT);
    while (pieces) {
        const int square = bb_pop(&pieces);
        attack(attacks, side, ELEPHANT, attack_elephant(position, square));
        add(adder, side, WEIGHT_INDEX(material_elephant));
        add_table(adder, side, TABLE(table_elephant), square);
    }
    pieces = position_pieces(position, side, ADVISOR);
    while (pieces) {
        const int square = bb_pop(&pieces);
        attack(attacks, side, ADVISOR, attack_tables.advisor[square]);
        add(adder, side, WEIGHT_INDEX(material_advisor));
        add_table(adder, side, TABLE(table_advisor), square);
    }
    const Bitboard soldiers = position_pieces(position, side, SOLDIER);
    pieces = soldiers;
    while (pieces) soldier_terms(adder, attacks, side, bb_pop(&pieces));
    const int linked = bb_count(soldiers & attacks->by[side][SOLDIER]);
    if (linked) add_times(adder, side, WEIGHT_INDEX(soldiers_linked), linked);
    attacks->by[side][GENERAL] = attack_tables.general[position->general[side]];
    add_table(adder, side, TABLE(table_general), position->general[side]);
    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side] |= attacks->by[side][type];
}

int eval_phase(const Position *position) {
    const Bitboard light = position->by_type[HORSE] | position->by_type[CANNON];
    return 6 * bb_count(position->by_type[CHARIOT]) + 3 * bb_count(light);
}

// The score from Red's view.
ALWAYS_INLINE int terms_red(const Position *position, const Weights *weights, EvalTrace *trace) {
    Adder adder = {.weights = weights_flat_const(weights), .trace = trace};
    Attacks attacks = {0};
    side_terms(&adder, position, &attacks, RED);
    side_terms(&adder, position, &attacks, BLACK);
    for (int side = RED; side <= BLACK; side++) {
        threat_terms(&adder, position, &attacks, (Side)side);
        king_terms(&adder, position, &attacks, (Side)side);
    }
    const int phase = eval_phase(position);
    const int score_red = (adder.sum.mg * phase + adder.sum.eg * (PHASE_MAX - phase)) / PHASE_MAX;
    if (trace) {
        trace->sum = adder.sum;
        trace->phase = phase;
        trace->score_red = score_red;
    }
    return score_red;
}

int evaluate(const Position *position, const Weights *weights) {
    const int score_red = terms_red(position, weights, NULL);
    return position->stm == RED ? score_red : -score_red;
}

int evaluate_traced(const Position *position, const Weights *weights, EvalTrace *trace) {
    memset(trace->count, 0, sizeof trace->count);
    const int score_red = terms_red(position, weights, trace);
    return position->stm == RED ? score_red : -score_red;
}

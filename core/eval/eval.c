// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/eval.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval_attacks.h"
#include "core/eval/eval_king.h"
#include "core/eval/eval_material.h"
#include "core/eval/eval_threats.h"

// The compiler makes two versions of terms_red() below. One counts the terms in an EvalTrace. The
// other one uses the precomputed tables of an Evaluator.

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
// square_flip() as a table. A look-up is faster than the division in square_flip().
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

// For each kind of piece: indices in the flat vector of weights, and the shape of its piece-square
// table.
static const struct {
    int16_t material, table; // index of the material term and of the first entry of the
                             // piece-square table; -1: no material term
    TableShape shape;
} kinds[KIND_COUNT] = {
#define KIND(kind, name) [kind] = {WEIGHT_INDEX(material_##name), TABLE(table_##name)}
    [GENERAL] = {-1, TABLE(table_general)},
    KIND(ADVISOR, advisor),
    KIND(ELEPHANT, elephant),
    KIND(HORSE, horse),
    KIND(CHARIOT, chariot),
    KIND(CANNON, cannon),
    KIND(SOLDIER, soldier),
    KIND(CROSSED, soldier_crossed),
};

ALWAYS_INLINE void place_terms(Adder *adder, Side side, PieceType type, int square) {
    const int kind = type == SOLDIER && square_crossed(square, side) ? CROSSED : (int)type;
    if (kinds[kind].material >= 0) add(adder, side, kinds[kind].material);
    add_table(adder, side, kinds[kind].table, kinds[kind].shape, square);
    adder->material.of[side] += 1u << 3 * kind;
}

// Adds the piece values (material_*) and piece-square weights (table_*) of all pieces to
// adder->sum, and the numbers of pieces to adder->material. `places` is the sum of piece
// values and piece-square weights over all pieces, from the precomputed table Evaluator.place. If
// `places` is NULL, the weights are added piece by piece, so that a trace can count each term.
ALWAYS_INLINE void all_places(Adder *adder, const Position *position, const IntQuad *places) {
    Bitboard pieces = position_occupied(position);
    if (places) {
        adder->sum = (WeightPair){(*places)[0], (*places)[1]};
        adder->material = (Material){{(uint32_t)(*places)[2], (uint32_t)(*places)[3]}};
        return;
    }
    while (pieces) {
        const int square = bb_pop(&pieces);
        const Piece piece = position->board[square];
        place_terms(adder, piece_side(piece), piece_type(piece), square);
    }
}

ALWAYS_INLINE void chariot_terms(Adder *adder, const Position *position, Attacks *attacks,
                                 Side side, int square) {
    const Bitboard points = attack_chariot(position, square);
    attacks->by[side][CHARIOT] |= points;
    add(adder, side, WEIGHT_INDEX(mobility_chariot) + bb_count(points & ~position->by_side[side]));
}

ALWAYS_INLINE void cannon_terms(Adder *adder, const Position *position, Attacks *attacks, Side side,
                                int square) {
    const Bitboard points = attack_cannon(position, square);
    const Bitboard hits = points & position_occupied(position);
    attacks->by[side][CANNON] |= hits;
    attacks->cannon_moves[side] |= points & ~hits;
    add(adder, side, WEIGHT_INDEX(mobility_cannon) + bb_count(points & ~position->by_side[side]));
    add(adder, side, WEIGHT_INDEX(cannon_screens) + bb_count(hits));
}

ALWAYS_INLINE void horse_terms(Adder *adder, const Position *position, Attacks *attacks, Side side,
                               int square) {
    const Bitboard points = attack_horse(position, square);
    attacks->by[side][HORSE] |= points;
    add(adder, side, WEIGHT_INDEX(mobility_horse) + bb_count(points & ~position->by_side[side]));
}

// Adds the terms of mobility, screens and linked soldiers, and fills in the attacked squares of a
// side.
ALWAYS_INLINE void side_terms(Adder *adder, const Position *position, Attacks *attacks, Side side) {
    Bitboard *by = attacks->by[side];
    Bitboard pieces = position_pieces(position, side, CHARIOT);
    while (pieces) chariot_terms(adder, position, attacks, side, bb_pop(&pieces));
    pieces = position_pieces(position, side, CANNON);
    while (pieces) cannon_terms(adder, position, attacks, side, bb_pop(&pieces));
    pieces = position_pieces(position, side, HORSE);
    while (pieces) horse_terms(adder, position, attacks, side, bb_pop(&pieces));
    by[ELEPHANT] = attack_elephants(position, side);
    by[ADVISOR] = attack_advisors(position, side);
    by[SOLDIER] = attack_soldiers(position, side);
    by[GENERAL] = attack_tables.general[position->general[side]];
    add_times(adder, side, WEIGHT_INDEX(soldiers_linked),
              bb_count(position_pieces(position, side, SOLDIER) & by[SOLDIER]));
    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side] |= by[type];
}

int eval_phase(const Position *position) {
    const Bitboard light = position->by_type[HORSE] | position->by_type[CANNON];
    return 6 * bb_count(position->by_type[CHARIOT]) + 3 * bb_count(light);
}

// Returns the score of the linear evaluation from Red's view. Fills in `trace` unless it is NULL.
ALWAYS_INLINE int terms_red(const Position *position, const Weights *weights, Evaluator *evaluator,
                            const IntQuad *places, EvalTrace *trace) {
    Adder adder = {.weights = weights_flat_const(weights), .trace = trace};
    Attacks attacks = {0};
    all_places(&adder, position, places);
    side_terms(&adder, position, &attacks, RED);
    side_terms(&adder, position, &attacks, BLACK);
    threat_terms(&adder, position, &attacks, RED);
    threat_terms(&adder, position, &attacks, BLACK);
    king_terms(&adder, position, &attacks, RED);
    king_terms(&adder, position, &attacks, BLACK);
    const int phase = all_material(&adder, evaluator);
    const int score_red = (adder.sum.mg * phase + adder.sum.eg * (PHASE_MAX - phase)) / PHASE_MAX;
    if (trace) {
        trace->sum = adder.sum;
        trace->phase = phase;
        trace->score_red = score_red;
    }
    return score_red;
}

void evaluator_init(Evaluator *evaluator, const Weights *weights) {
    memset(evaluator, 0, sizeof *evaluator);
    evaluator->weights = *weights;
    for (int side = RED; side <= BLACK; side++) {
        for (int type = GENERAL; type <= SOLDIER; type++) {
            for (int square = 0; square < SQUARE_COUNT; square++) {
                Adder adder = {.weights = weights_flat_const(weights)};
                place_terms(&adder, (Side)side, (PieceType)type, square);
                evaluator->place[square][piece_make((Side)side, (PieceType)type)] =
                    (IntQuad){adder.sum.mg, adder.sum.eg, (int32_t)adder.material.of[RED],
                              (int32_t)adder.material.of[BLACK]};
            }
        }
    }
}

void evaluator_set_network(Evaluator *evaluator, const Network *network) {
    evaluator->network = network;
    memset(&evaluator->cache, 0, sizeof evaluator->cache);
}

// Returns the sum of Evaluator.place over all pieces.
static IntQuad sum_places(const Evaluator *evaluator, const Position *position) {
    const Bitboard pieces = position_occupied(position);
    IntQuad sum = {0};
    for (uint64_t low = (uint64_t)pieces; low; low &= low - 1) {
        const int square = bits_lowest64(low);
        sum += evaluator->place[square][position->board[square]];
    }
    for (uint64_t high = (uint64_t)(pieces >> 64); high; high &= high - 1) {
        const int square = 64 + bits_lowest64(high);
        sum += evaluator->place[square][position->board[square]];
    }
    return sum;
}

static int linear_score(Evaluator *evaluator, const Position *position, const IntQuad *places) {
    const int score_red = terms_red(position, &evaluator->weights, evaluator, places, NULL);
    return position->stm == RED ? score_red : -score_red;
}

int evaluator_score(Evaluator *evaluator, const Position *position) {
    const Network *network = evaluator->network;
    IntQuad places;
    if (!network) {
        places = sum_places(evaluator, position);
        return linear_score(evaluator, position, &places);
    }
    const int score =
        network_score(network, &evaluator->cache, position, evaluator->place[0], &places);
    return network->linear ? score + linear_score(evaluator, position, &places) : score;
}

int evaluate_traced(const Position *position, const Weights *weights, EvalTrace *trace) {
    memset(trace->count, 0, sizeof trace->count);
    const int score_red = terms_red(position, weights, NULL, NULL, trace);
    return position->stm == RED ? score_red : -score_red;
}

int evaluate(const Position *position, const Weights *weights) {
    EvalTrace trace;
    return evaluate_traced(position, weights, &trace);
}

EvalParts evaluate_parts(const Position *position, const Weights *weights, const Network *network) {
    EvalParts parts = {.linear = evaluate(position, weights)};
    if (!network) return parts;
    AUTO_FREE NetworkCache *cache = memory_aligned(64, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    parts.network = network_score(network, cache, position, NULL, NULL);
    if (!network->linear) parts.linear = 0;
    return parts;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The scoring of facts, and the knowledge that the stages of the evaluation share. For eval.c and
// the eval_*.h that it includes.
//
// add() is the one way a fact is scored: it adds the weight and, where a trace is wanted, counts
// the term, so that neither can be done without the other.
#pragma once

#include "core/board/attacks.h"
#include "core/eval/eval.h"

typedef struct Adder {
    const Score *weights;
    EvalTrace *trace; // NULL: score only
    Score sum;        // from Red's view
    Material material;
} Adder;

// Kinds of pieces as their material goes: soldiers across the river apart from those at home.
enum { CROSSED = PIECE_TYPE_COUNT, KIND_COUNT };

ALWAYS_INLINE int material_count(const Material *material, Side side, int kind) {
    return (int)(material->of[side] >> 3 * kind & 7);
}

// `times` occurrences of the term at once.
ALWAYS_INLINE void add_times(Adder *adder, Side side, int index, int times) {
    const Score weight = adder->weights[index];
    const int signed_times = side == RED ? times : -times;
    adder->sum.mg += signed_times * weight.mg;
    adder->sum.eg += signed_times * weight.eg;
    if (adder->trace)
        adder->trace->count[side][index] = (uint8_t)(adder->trace->count[side][index] + times);
}
ALWAYS_INLINE void add(Adder *adder, Side side, int index) {
    add_times(adder, side, index, 1);
}

// The points that each side attacks, where it could capture an enemy or retake. A cannon attacks
// the piece behind its screen.
typedef struct Attacks {
    Bitboard by[SIDE_COUNT][PIECE_TYPE_COUNT];
    Bitboard all[SIDE_COUNT];
    Bitboard cannon_moves[SIDE_COUNT]; // empty points that cannons go to
} Attacks;

// SPDX-License-Identifier: GPL-3.0-or-later
// Adding terms, and the attacks that all stages of the evaluation share. Only eval.c and the
// eval_*.h that it includes use this header.
//
// A term is scored by add() alone, which adds its weight and counts it in the trace, if there is
// one. So score and trace cannot disagree.
#pragma once

#include "core/board/attacks.h"
#include "core/eval/eval.h"

typedef struct Adder {
    const Score *weights;
    EvalTrace *trace; // NULL: no trace
    Score sum;        // sums from Red's view
    Material material;
} Adder;

// Kinds of pieces by material. Soldiers that have crossed the river are a kind of their own.
enum { CROSSED = PIECE_TYPE_COUNT, KIND_COUNT };

ALWAYS_INLINE int material_count(const Material *material, Side side, int kind) {
    return (int)(material->of[side] >> 3 * kind & 7);
}

// Adds `times` occurrences of a term.
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

// Squares that each side attacks: where it could capture an enemy piece or recapture. A cannon
// attacks the piece behind its screen.
typedef struct Attacks {
    Bitboard by[SIDE_COUNT][PIECE_TYPE_COUNT];
    Bitboard all[SIDE_COUNT];
    Bitboard cannon_moves[SIDE_COUNT]; // empty squares that cannons can move to
} Attacks;

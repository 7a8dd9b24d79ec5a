// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that add evaluation terms, and the attacked squares that several stages of the
// evaluation use. Only eval.c and the eval_*.h files that it includes use this header.
#pragma once

#include "core/board/attacks.h"
#include "core/eval/eval.h"

typedef struct Adder {
    const WeightPair *weights;
    EvalTrace *trace; // trace that counts the added terms; NULL: no trace
    WeightPair sum;   // weighted sums for middlegame and endgame, from Red's view
    Material material;
} Adder;

// Kinds of pieces that the evaluation counts separately: the piece types, and CROSSED for soldiers
// across the river. SOLDIER then means the other soldiers.
enum { CROSSED = PIECE_TYPE_COUNT, KIND_COUNT };

ALWAYS_INLINE int material_count(const Material *material, Side side, int kind) {
    return (int)(material->of[side] >> 3 * kind & 7);
}

// Adds `times` occurrences of an entry of a term for `side`. `index` is the entry's index in the
// flat vector of weights (weights_flat()).
ALWAYS_INLINE void add_times(Adder *adder, Side side, int index, int times) {
    const WeightPair weight = adder->weights[index];
    const int signed_times = side == RED ? times : -times;
    adder->sum.mg += signed_times * weight.mg;
    adder->sum.eg += signed_times * weight.eg;
    if (adder->trace)
        adder->trace->count[side][index] = (uint8_t)(adder->trace->count[side][index] + times);
}
ALWAYS_INLINE void add(Adder *adder, Side side, int index) {
    add_times(adder, side, index, 1);
}

// Squares that each side attacks, that is, where it could capture an enemy piece or recapture.
// Pinned pieces attack too. A cannon attacks the piece behind its screen.
typedef struct Attacks {
    Bitboard by[SIDE_COUNT][PIECE_TYPE_COUNT];
    Bitboard all[SIDE_COUNT];
    Bitboard cannon_moves[SIDE_COUNT]; // empty squares to which the cannons of this side can move
} Attacks;

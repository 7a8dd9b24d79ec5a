// SPDX-License-Identifier: GPL-3.0-or-later
// The terms guards_*, crowd_*, helpers_* and few_attackers, which depend only on the numbers of
// pieces. Most of them make the value of a piece depend on which other pieces are on the board. Few
// combinations of these numbers occur in a search, so a cache stores the sums of the terms.
#pragma once

#include "core/eval/eval_adder.h"

// Adds entry number `entry` of a term once for each piece of the kind `kind` that `side` has.
#define ADD_EACH(kind, term, entry) add_times(adder, side, WEIGHT_INDEX(term) + (entry), own[kind])

// Returns the index of the entry of the term few_attackers that applies to a side, or -1 if the
// side has too many attacking pieces.
static int few_attackers(const int own[KIND_COUNT]) {
    // The term few_attackers has groups of four entries, for 0, 1, 2 and at least 3 soldiers. For a
    // side without a chariot, light[horses][cannons] is the index of the group. The elements -1 are
    // never read.
    static const int8_t light[3][3] = {{0, 2, 5}, {1, 4, -1}, {3, -1, -1}};
    const int soldiers = own[SOLDIER] + own[CROSSED], most = own[CHARIOT] == 0 ? 2 : 0;
    if (own[CHARIOT] > 1 || own[HORSE] + own[CANNON] > most) return -1;
    const int kind = own[CHARIOT] == 1 ? 6 : light[own[HORSE]][own[CANNON]];
    return 4 * kind + (soldiers < 3 ? soldiers : 3);
}

static void material_terms(Adder *adder, Side side) {
    int own[KIND_COUNT], their[KIND_COUNT], crowd = 0;
    for (int kind = GENERAL; kind < KIND_COUNT; kind++) {
        own[kind] = material_count(&adder->material, side, kind);
        their[kind] = material_count(&adder->material, side_other(side), kind);
        crowd += own[kind] + their[kind];
    }
    const int guards = 3 * their[ADVISOR] + their[ELEPHANT];
    crowd = (crowd - 2) / 8;
    ADD_EACH(CHARIOT, guards_chariot, guards);
    ADD_EACH(CANNON, guards_cannon, guards);
    ADD_EACH(HORSE, guards_horse, guards);
    ADD_EACH(CROSSED, guards_soldier_crossed, guards);
    ADD_EACH(CHARIOT, crowd_chariot, crowd);
    ADD_EACH(CANNON, crowd_cannon, crowd);
    ADD_EACH(HORSE, crowd_horse, crowd);
    ADD_EACH(CROSSED, crowd_soldier_crossed, crowd);
    ADD_EACH(CROSSED, helpers_soldier_crossed, own[CHARIOT] + own[CANNON] + own[HORSE]);
    const int few = few_attackers(own);
    if (few >= 0) add(adder, side, WEIGHT_INDEX(few_attackers) + few);
}

// Adds the sum of those terms of both sides that depend only on the numbers of pieces. The material
// cache stores this sum. Returns the phase of the game.
ALWAYS_INLINE int all_material(Adder *adder, Evaluator *evaluator) {
    const Material material = adder->material;
    const uint64_t key = (uint64_t)material.of[BLACK] << 32 | material.of[RED];
    MaterialEntry spare = {0};
    MaterialEntry *entry =
        evaluator ? &evaluator->material[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MATERIAL_BITS)]
                  : &spare;
    if (entry->material.of[RED] != material.of[RED] ||
        entry->material.of[BLACK] != material.of[BLACK]) {
        Adder stage = {
            .weights = adder->weights, .trace = adder->trace, .material = adder->material};
        int phase = 0;
        for (int side = RED; side <= BLACK; side++) {
            material_terms(&stage, (Side)side);
            phase += 6 * material_count(&material, (Side)side, CHARIOT) +
                     3 * material_count(&material, (Side)side, HORSE) +
                     3 * material_count(&material, (Side)side, CANNON);
        }
        *entry = (MaterialEntry){material, stage.sum, phase};
    }
    adder->sum.mg += entry->sum.mg;
    adder->sum.eg += entry->sum.eg;
    return entry->phase;
}

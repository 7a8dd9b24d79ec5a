// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a loop: the plies between two occurrences of a position. The referee feeds it the plies of
// a game, the search those of its line; both get the same verdict.
#pragma once

#include "core/board/position.h"
#include "core/rules/judgement.h"

// The gravest act of a side on every move of the cycle, in the order of gravity.
typedef enum CycleLevel {
    CYCLE_NOTHING,
    CYCLE_ROOT_REMOVAL, // chased one piece, at least once only by removing its protection
    CYCLE_CHASE,        // chased one piece directly
    CYCLE_CHECK,
} CycleLevel;

// First cycle_add_check() for every ply of the cycle, then, while !cycle_decided(), cycle_add() for
// every ply in order; then the levels and the judgement hold.
typedef struct Cycle {
    unsigned traits;             // of the rule set
    bool checks[SIDE_COUNT];     // every move gives check
    bool attacks[SIDE_COUNT];    // RULE_MIXED: every move so far checked, chased or threatened mate
    Bitboard chased[SIDE_COUNT]; // pieces of the other side chased by every move so far, where they
                                 // are now
    Bitboard direct[SIDE_COUNT]; // those of them that were chased directly every time
} Cycle;

void cycle_begin(Cycle *cycle, unsigned traits);
void cycle_add_check(Cycle *cycle, Side side, bool gives_check);
void cycle_add(Cycle *cycle, const Position *before, Move move, const Position *after,
               bool gives_check);
// Can the plies not added yet no longer change the judgement?
bool cycle_decided(const Cycle *cycle);

CycleLevel cycle_level(const Cycle *cycle, Side side);
// The verdict that follows from the levels of both sides.
Judgement cycle_judgement(const Cycle *cycle);

// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a loop: the plies between two occurrences of a position. The referee feeds it the plies of
// a game, the search those of its line; both get the same verdict.
#pragma once

#include "core/rules/rules.h"

// What a side did on every move of the loop, in the order of gravity.
typedef enum LoopLevel {
    LOOP_NOTHING,
    LOOP_ROOT_REMOVAL, // chased one piece, at least once only by removing its protection
    LOOP_CHASE,        // chased one piece directly
    LOOP_CHECK,
} LoopLevel;

// First loop_add_check() for every ply of the loop, then, while !loop_decided(), loop_add() for
// every ply in order; then the levels and the judgement hold.
typedef struct Loop {
    unsigned traits;             // of the rule set
    bool checks[SIDE_COUNT];     // every move gives check
    bool attacks[SIDE_COUNT];    // RULE_MIXED: every move so far checked, chased or threatened mate
    Bitboard chased[SIDE_COUNT]; // pieces of the other side chased by every move so far, where they
                                 // are now
    Bitboard direct[SIDE_COUNT]; // those of them that were chased directly every time
} Loop;

void loop_begin(Loop *loop, unsigned traits);
void loop_add_check(Loop *loop, Side side, bool gives_check);
void loop_add(Loop *loop, const Position *before, Move move, const Position *after,
              bool gives_check);
// Can the plies not added yet no longer change the judgement?
bool loop_decided(const Loop *loop);

LoopLevel loop_level(const Loop *loop, Side side);
// The verdict that follows from the levels of both sides.
Judgement loop_judgement(const Loop *loop);

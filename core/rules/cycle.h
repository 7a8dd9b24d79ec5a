// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a loop, the plies between two occurrences of a position. The referee judges loops of a
// game with these functions, and the search loops of its line.
#pragma once

#include "core/board/position.h"
#include "core/rules/judgement.h"

// The gravest violation that a side repeats on every move of the loop, in ascending order.
typedef enum CycleLevel {
    CYCLE_NOTHING,
    CYCLE_ROOT_REMOVAL, // every move chased the same piece, but not always directly: at least once
                        // the move removed a protector (a "root" in Chinese rules)
    // Every move chased the same piece; if the rule set has RULE_ROOT_REMOVAL_IS_LESS, directly.
    // With RULE_MIXED: every move gave check, chased a piece or threatened mate.
    CYCLE_CHASE,
    CYCLE_CHECK, // perpetual check: every move gave check
} CycleLevel;

// State of the judgement of a loop. First call cycle_add_check() for every ply of the loop. Then
// call cycle_add() for every ply in order until cycle_decided() is true. After that cycle_level()
// and cycle_judgement() are valid.
typedef struct Cycle {
    unsigned traits;             // traits of the rule set: RULE_* bits
    bool checks[SIDE_COUNT];     // true if every move of the side gives check
    bool attacks[SIDE_COUNT];    // with RULE_MIXED: true if every move so far gave check, chased or
                                 // threatened mate
    Bitboard chased[SIDE_COUNT]; // enemy pieces that every move so far has chased, at their present
                                 // points
    Bitboard direct[SIDE_COUNT]; // subset of `chased`: pieces that every move so far has chased
                                 // directly
} Cycle;

void cycle_begin(Cycle *cycle, unsigned traits);
void cycle_add_check(Cycle *cycle, Side side, bool gives_check);
void cycle_add(Cycle *cycle, const Position *before, Move move, const Position *after,
               bool gives_check);
// Returns true if further plies cannot change the judgement.
bool cycle_decided(const Cycle *cycle);

// Returns the level of one side: its gravest violation.
CycleLevel cycle_level(const Cycle *cycle, Side side);
// Returns the verdict from the levels of both sides: the side with the higher level loses; equal
// levels are a draw.
Judgement cycle_judgement(const Cycle *cycle);

// One ply of a game or of a search line.
typedef struct CyclePly {
    const Position *before, *after;
    Move move;
    bool gives_check;
} CyclePly;
// A function that returns ply `index` of a record: the ply from position `index` to position `index
// + 1`.
typedef CyclePly CyclePlyAt(const void *record, size_t index);

// Judges the loop that begins at position `first` of the record and ends at position `end`.
Judgement cycle_judge(unsigned traits, CyclePlyAt *ply_at, const void *record, size_t first,
                      size_t end);

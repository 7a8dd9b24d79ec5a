// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a loop: the plies between two occurrences of a position. The referee judges loops of a
// game and the search loops of its line with the same function.
#pragma once

#include "core/board/position.h"
#include "core/rules/judgement.h"

// The gravest act of a side that it repeats on every move of the cycle, in ascending order.
typedef enum CycleLevel {
    CYCLE_NOTHING,
    CYCLE_ROOT_REMOVAL, // chased one piece, at least once only by removing its protector
    CYCLE_CHASE,        // chased one piece, always directly
    CYCLE_CHECK,
} CycleLevel;

// The state of the judgement. Call cycle_add_check() for every ply of the cycle. Then call
// cycle_add() for every ply in order until cycle_decided(). Then cycle_level() and
// cycle_judgement() are valid.
typedef struct Cycle {
    unsigned traits;          // traits of the rule set
    bool checks[SIDE_COUNT];  // every move gives check
    bool attacks[SIDE_COUNT]; // RULE_MIXED: every move so far gave check, chased or threatened mate
    Bitboard chased[SIDE_COUNT]; // present points of enemies that every move so far has chased
    Bitboard direct[SIDE_COUNT]; // subset of `chased`: chased directly by every move so far
} Cycle;

void cycle_begin(Cycle *cycle, unsigned traits);
void cycle_add_check(Cycle *cycle, Side side, bool gives_check);
void cycle_add(Cycle *cycle, const Position *before, Move move, const Position *after,
               bool gives_check);
// Returns true if further plies cannot change the judgement.
bool cycle_decided(const Cycle *cycle);

// Returns the level of one side.
CycleLevel cycle_level(const Cycle *cycle, Side side);
// Returns the verdict from the levels of both sides: the higher level loses, equal levels draw.
Judgement cycle_judgement(const Cycle *cycle);

// One ply of a record of plies.
typedef struct CyclePly {
    const Position *before, *after;
    Move move;
    bool gives_check;
} CyclePly;
// Returns the ply that leads from position `index` of the record to position `index + 1`.
typedef CyclePly CyclePlyAt(const void *record, size_t index);

// Judges the loop that begins at position `first` of the record and ends at position `end`.
Judgement cycle_judge(unsigned traits, CyclePlyAt *ply_at, const void *record, size_t first,
                      size_t end);

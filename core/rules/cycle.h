// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a loop: the plies between two occurrences of a position. The referee judges loops of a
// game and the search loops of its line with the same function.
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

// A loop while its plies are added: first cycle_add_check() for every ply, then cycle_add() for
// every ply in order, until cycle_decided(). After that the levels and the judgement are valid.
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
// Returns the verdict that follows from the levels of both sides.
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

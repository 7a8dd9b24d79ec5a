// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a repetition by its loop, the plies between two occurrences of a position. The loop is
// part of a game (rules.c, rules_explain.c) or of the current line of a search (rules_line.c).
#pragma once

#include "core/board/position.h"
#include "core/rules/judgement.h"

// Violations of the rules of repetition, from none to the gravest. A side is charged with the
// gravest violation that it commits with every move of the loop. "Chased" means newly chased: the
// piece was not chased before the move (ChaseNews).
typedef enum CycleLevel {
    CYCLE_NOTHING,
    // Every move chased the same piece, but before some moves the chasing piece could already
    // capture it. Usually such a move only removed the protector of the chased piece, its "root" in
    // Chinese rules. Only rule sets with RULE_ROOT_REMOVAL_IS_LESS have this level.
    CYCLE_ROOT_REMOVAL,
    // Every move chased the same piece. With RULE_ROOT_REMOVAL_IS_LESS, every chase must be direct:
    // the chasing piece could not capture the chased piece before the move. With RULE_MIXED, the
    // condition is another one: every move gave check, chased any piece or newly threatened mate.
    CYCLE_CHASE,
    CYCLE_CHECK, // perpetual check: every move gave check
} CycleLevel;

// State of the judgement of a loop (the plies between two occurrences of a position). First call
// cycle_begin(). Then call cycle_add_check() and cycle_add() for every ply of the loop, in order.
// After that cycle_level() returns the violation of a side. cycle_judge() does all of this, and
// returns the verdict.
typedef struct Cycle {
    unsigned traits;             // traits of the rule set: RULE_* bits
    bool checks[SIDE_COUNT];     // true if every move of the side so far gave check; false without
                                 // RULE_CHASES
    bool attacks[SIDE_COUNT];    // true if every move of the side so far gave check, chased a piece
                                 // or newly threatened mate; false without RULE_MIXED
    Bitboard chased[SIDE_COUNT]; // present points of the enemy pieces that every move of the side
                                 // so far has chased; initially all points of the board.
                                 // Always empty with RULE_MIXED or without RULE_CHASES
    Bitboard direct[SIDE_COUNT]; // like `chased`, but only pieces that every move of the side has
                                 // chased directly (ChaseNews.direct)
} Cycle;

void cycle_begin(Cycle *cycle, unsigned traits);
void cycle_add_check(Cycle *cycle, Side side, bool gives_check);
void cycle_add(Cycle *cycle, const Position *before, Move move, const Position *after,
               bool gives_check);

// Returns the gravest violation that one side committed with every move of the loop.
CycleLevel cycle_level(const Cycle *cycle, Side side);

// One ply of a game or of a search line.
typedef struct CyclePly {
    const Position *before, *after;
    Move move;
    bool gives_check;
} CyclePly;
// A function that returns ply `index` of a record: the ply from position `index` to position `index
// + 1`.
typedef CyclePly CyclePlyAt(const void *record, size_t index);

// Judges the loop from position `first` to position `end` of a record (a game or a search line).
// The caller makes sure that both positions are equal.
Judgement cycle_judge(unsigned traits, CyclePlyAt *ply_at, const void *record, size_t first,
                      size_t end);

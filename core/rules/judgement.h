// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts, their reasons, and the traits of rule sets.
#pragma once

#include "core/board/types.h"

// Bits of the column `traits` in core/rules/rules.def. They decide how a rule set judges loops (the
// plies between two occurrences of a position).
enum {
    RULE_CHASES = 1, // perpetual check and perpetual chase are violations, and the side with the
                     // graver one loses; without this bit every loop is a draw
    RULE_STRONG_ATTACKS = 2, // an attack on a piece of a stronger type than the attacker can be a
                             // chase even if the attacked piece is protected
    RULE_ROOT_REMOVAL_IS_LESS = 4, // a direct chase is a graver violation than a chase by removing
                                   // protectors
    RULE_HOME_SOLDIERS = 8, // an attack on a soldier that has not crossed the river can be a chase,
                            // too
    RULE_OFFERS = 16, // an attack on a piece of the same type can be a chase even if that piece
                      // could capture the attacker; without this bit such an attack is an offer to
                      // exchange, not a chase
    RULE_LIMIT = 32,  // the limits Rules.max_checks and Rules.check_run are in force
    RULE_MIXED = 64,  // a side commits a violation if each of its moves gives check, newly
                      // threatens mate or newly chases a piece
};

typedef enum Verdict {
    VERDICT_NONE,
    VERDICT_DRAW,
    VERDICT_RED_LOSES,
    VERDICT_BLACK_LOSES,
} Verdict;

// The reason for the end of a game, from core/rules/reasons.def.
typedef enum EndReason {
#define END_REASON(id, name, meaning) END_##id,
#include "core/rules/reasons.def"
    END_REASON_COUNT
} EndReason;

typedef struct Judgement {
    Verdict verdict;
    EndReason reason;
} Judgement;

const char *end_reason_name(EndReason reason);
const char *end_reason_meaning(EndReason reason); // returns a text such as "in check without a
                                                  // legal move"
// Returns true if a game ended by a fault that says nothing about its position: a time forfeit, an
// illegal move, a crash, or a player that left.
bool end_reason_is_fault(EndReason reason);
const char *verdict_name(Verdict verdict);
ALWAYS_INLINE Verdict verdict_loss(Side side) {
    return side == RED ? VERDICT_RED_LOSES : VERDICT_BLACK_LOSES;
}
// Returns the result of a verdict from Red's view: 1 for a win, 0 for a draw or no verdict, -1 for
// a loss.
ALWAYS_INLINE int verdict_result(Verdict verdict) {
    return (verdict == VERDICT_BLACK_LOSES) - (verdict == VERDICT_RED_LOSES);
}

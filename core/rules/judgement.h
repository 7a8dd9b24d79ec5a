// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts and their reasons, and the traits of rule sets that decide them.
#pragma once

#include "core/board/types.h"

// A rule set judges loops by these bits of the column `traits` of core/rules/rules.def.
enum {
    RULE_CHASES = 1,         // perpetual check and chase lose; without it every loop is a draw
    RULE_STRONG_ATTACKS = 2, // attacks on a stronger kind count though it is protected
    RULE_ROOT_REMOVAL_IS_LESS = 4, // a chase by direct attack outranks one by removing protectors
    RULE_HOME_SOLDIERS = 8,        // soldiers may not be chased before they cross the river either
    RULE_OFFERS = 16, // attacking a piece of the same kind is a chase, no offer to exchange
    RULE_LIMIT = 32,  // Rules.max_checks and Rules.check_run apply
    RULE_MIXED = 64,  // checks, mate threats and chases of any pieces are one kind
};

typedef enum Verdict {
    VERDICT_NONE,
    VERDICT_DRAW,
    VERDICT_RED_LOSES,
    VERDICT_BLACK_LOSES,
} Verdict;

// Why a game ended: one row each in core/rules/reasons.def.
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
const char *end_reason_meaning(EndReason reason); // "in check without a legal move"
const char *verdict_name(Verdict verdict);
ALWAYS_INLINE Verdict verdict_loss(Side side) {
    return side == RED ? VERDICT_RED_LOSES : VERDICT_BLACK_LOSES;
}
// The result that it gives, from Red's side: 1, 0 or -1.
ALWAYS_INLINE int verdict_result(Verdict verdict) {
    return (verdict == VERDICT_BLACK_LOSES) - (verdict == VERDICT_RED_LOSES);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee: decides every end of a game and says why, for self-play, match, search and judge
// alike.
#pragma once

#include "core/game.h"

// Rule sets (rules.md): one row each in core/rules.def, which gives the enumerators, names and
// texts.
typedef enum RuleSet {
#define RULE_SET(id, name, traits, summary) RULES_##id,
#include "core/rules.def"
#undef RULE_SET
    RULE_SET_COUNT
} RuleSet;

// How a rule set judges a loop: bits of the column `traits` of core/rules.def.
enum {
    RULE_CHASES = 1,         // perpetual check and chase lose; without it every loop is a draw
    RULE_STRONG_ATTACKS = 2, // attacks on a stronger kind count though it is protected
    RULE_ROOT_REMOVAL_IS_LESS = 4, // a chase by direct attack outranks one by removing protectors
    RULE_HOME_SOLDIERS = 8,        // soldiers may not be chased before they cross the river either
    RULE_OFFERS = 16, // attacking a piece of the same kind is a chase, no offer to exchange
    RULE_LIMIT = 32,  // --max-checks applies
    RULE_MIXED = 64,  // checks, mate threats and chases of any pieces are one kind
};

typedef enum Verdict {
    VERDICT_NONE,
    VERDICT_DRAW,
    VERDICT_RED_LOSES,
    VERDICT_BLACK_LOSES,
} Verdict;

// Why a game ended: one row each in core/reasons.def.
typedef enum EndReason {
#define END_REASON(id, name, meaning) END_##id,
#include "core/reasons.def"
#undef END_REASON
    END_REASON_COUNT
} EndReason;

// Which positions are drawn for want of material.
typedef enum MaterialRule { MATERIAL_AXF, MATERIAL_PIKAFISH } MaterialRule;

// Everything the referee may be told. rules_default() gives the values of cli.md.
typedef struct Rules {
    RuleSet set;
    MaterialRule material;
    int no_capture_plies; // a draw after so many plies without a capture (120)
    int check_cap;  // so many checks of a side count as plies of that number (10); < 0: all do
    int max_checks; // `literal`: the violation falls at this occurrence of the position (3)
} Rules;

Rules rules_default(RuleSet set);

typedef struct Judgement {
    Verdict verdict;
    EndReason reason;
} Judgement;

// Judges the final position of a game with all that led to it. Order: mate and stalemate,
// repetition, no capture, material. VERDICT_NONE and END_NONE while the game goes on.
Judgement rules_judge(const Rules *rules, const Game *game);

const char *rule_set_name(RuleSet set);
const char *end_reason_name(EndReason reason);
const char *verdict_name(Verdict verdict);
// Looks a name up; false when there is none.
bool rule_set_from_name(const char *name, RuleSet *set);
bool end_reason_from_name(const char *name, EndReason *reason);

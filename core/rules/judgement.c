// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/judgement.h"

static const struct {
    const char *name, *meaning;
} reasons[END_REASON_COUNT] = {
#define END_REASON(id, name, meaning) [END_##id] = {name, meaning},
#include "core/rules/reasons.def"
};

const char *end_reason_name(EndReason reason) {
    return reasons[reason].name;
}
const char *end_reason_meaning(EndReason reason) {
    return reasons[reason].meaning;
}

bool end_reason_is_fault(EndReason reason) {
    switch (reason) {
    case END_TIME_FORFEIT:
    case END_ILLEGAL_MOVE:
    case END_CRASH:
    case END_PROTOCOL_FAULT:
    case END_ABANDONED:
    case END_STALLED_CONNECTION:
    case END_RULES_INFRACTION:
    case END_UNTERMINATED:
        return true;
    default:
        return false;
    }
}

const char *verdict_name(Verdict verdict) {
    static const char *const names[] = {
        [VERDICT_NONE] = "none",
        [VERDICT_DRAW] = "draw",
        [VERDICT_RED_LOSES] = "red_loses",
        [VERDICT_BLACK_LOSES] = "black_loses",
    };
    return names[verdict];
}

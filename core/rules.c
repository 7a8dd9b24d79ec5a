// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules.h"

#include <string.h>

// ---- tables ------------------------------------------------------------------------------------

enum { DEFAULT_NO_CAPTURE_PLIES = 120, DEFAULT_CHECK_CAP = 10, DEFAULT_OCCURRENCES = 3 };

static const struct {
    const char *name;
    unsigned traits;
} rule_sets[RULE_SET_COUNT] = {
#define RULE_SET(id, name, traits, summary) [RULES_##id] = {name, traits},
#include "core/rules.def"
#undef RULE_SET
};

static const char *const reason_names[END_REASON_COUNT] = {
#define END_REASON(id, name, meaning) [END_##id] = name,
#include "core/reasons.def"
#undef END_REASON
};

const char *rule_set_name(RuleSet set) {
    return rule_sets[set].name;
}
const char *end_reason_name(EndReason reason) {
    return reason_names[reason];
}

const char *verdict_name(Verdict verdict) {
    static const char *const names[] = {"none", "draw", "red_loses", "black_loses"};
    return names[verdict];
}

bool rule_set_from_name(const char *name, RuleSet *set) {
    for (int i = 0; i < RULE_SET_COUNT; i++) {
        if (strcmp(name, rule_sets[i].name) != 0) continue;
        *set = (RuleSet)i;
        return true;
    }
    return false;
}

bool end_reason_from_name(const char *name, EndReason *reason) {
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (strcmp(name, reason_names[i]) != 0) continue;
        *reason = (EndReason)i;
        return true;
    }
    return false;
}

Rules rules_default(RuleSet set) {
    return (Rules){
        .set = set,
        .material = MATERIAL_AXF,
        .no_capture_plies = DEFAULT_NO_CAPTURE_PLIES,
        .check_cap = DEFAULT_CHECK_CAP,
        .max_checks = DEFAULT_OCCURRENCES,
    };
}

static Judgement judgement(Verdict verdict, EndReason reason) {
    return (Judgement){verdict, reason};
}

static Verdict loss_of(Side side) {
    return side == RED ? VERDICT_RED_LOSES : VERDICT_BLACK_LOSES;
}

// ---- repetition --------------------------------------------------------------------------------

static bool same_position(const Position *a, const Position *b) {
    return a->key == b->key && memcmp(a->board, b->board, sizeof a->board) == 0;
}

// Plies played since the last capture or the start of the record.
static size_t reversible_plies(const Game *game) {
    return game->now.halfmove < game->count ? game->now.halfmove : game->count;
}

static Judgement judge_loop(const Rules *rules, const Game *game, size_t first) {
    bool all_checks[SIDE_COUNT] = {true, true};
    for (size_t i = first; i < game->count; i++) {
        const GamePly *ply = &game->plies[i];
        if (!ply->gives_check) all_checks[ply->before.stm] = false;
    }
    if (!(rule_sets[rules->set].traits & RULE_CHASES) || all_checks[RED] == all_checks[BLACK]) {
        const bool mutual = all_checks[RED] && (rule_sets[rules->set].traits & RULE_CHASES);
        return judgement(VERDICT_DRAW, mutual ? END_MUTUAL_CHECK : END_NO_VIOLATION);
    }
    return judgement(loss_of(all_checks[RED] ? RED : BLACK), END_PERPETUAL_CHECK);
}

static Judgement judge_repetition(const Rules *rules, const Game *game) {
    const size_t reversible = reversible_plies(game);
    int needed = DEFAULT_OCCURRENCES - 1;
    for (size_t back = 4; back <= reversible; back += 2) {
        const size_t at = game->count - back;
        if (game->plies[at].before.key != game->now.key) continue;
        if (!same_position(&game->plies[at].before, &game->now)) continue;
        if (--needed == 0) return judge_loop(rules, game, at);
    }
    return judgement(VERDICT_NONE, END_NONE);
}

// ---- no capture, material ----------------------------------------------------------------------

// Plies without a capture, those that do not count left out: a side's checks beyond the cap, and
// the replies to them.
static int counted_plies(const Rules *rules, const Game *game) {
    int counted = game->now.halfmove;
    if (rules->check_cap < 0) return counted;
    int checks[SIDE_COUNT] = {0, 0};
    bool excess = false;
    for (size_t i = game->count - reversible_plies(game); i < game->count; i++) {
        const GamePly *ply = &game->plies[i];
        const bool reply = excess;
        excess = ply->gives_check && ++checks[ply->before.stm] > rules->check_cap;
        if (excess || reply) counted--;
    }
    return counted;
}

static bool no_capture_drawn(const Rules *rules, const Game *game) {
    return game->now.halfmove >= rules->no_capture_plies &&
           counted_plies(rules, game) >= rules->no_capture_plies;
}

static Bitboard attackers_left(const Position *position) {
    return position->by_type[HORSE] | position->by_type[CHARIOT] | position->by_type[CANNON] |
           position->by_type[SOLDIER];
}

Judgement rules_judge(const Rules *rules, const Game *game) {
    const Position *now = &game->now;
    if (position_no_legal_move(now)) {
        return judgement(loss_of((Side)now->stm),
                         position_in_check(now) ? END_CHECKMATE : END_STALEMATE);
    }
    const Judgement repetition = judge_repetition(rules, game);
    if (repetition.verdict != VERDICT_NONE) return repetition;
    if (no_capture_drawn(rules, game)) return judgement(VERDICT_DRAW, END_NO_CAPTURE);
    if (!attackers_left(now)) return judgement(VERDICT_DRAW, END_MATERIAL);
    return judgement(VERDICT_NONE, END_NONE);
}

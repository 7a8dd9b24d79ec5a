// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules_line.h"

#include <assert.h>

#include "core/rules/cycle.h"

static void append(RulesLine *line, Move move, const Position *position, size_t floor) {
    assert(line->count < RULES_LINE_CAPACITY);
    const size_t at = line->count++;
    line->key[at] = position->key;
    line->position[at] = position;
    line->move[at] = move;
    line->floor[at] = (uint16_t)floor;
}

void rules_line_begin(RulesLine *line, const Rules *rules, const Game *game) {
    line->rules = *rules;
    line->traits = rule_set_traits(rules->set);
    line->count = 0;
    size_t plies = game->now.halfmove < game->count ? game->now.halfmove : game->count;
    line->root_plies = rules_no_capture_count(rules, game, game->count);
    line->root_excess = false;
    if (plies > 0 && rules->check_cap >= 0) {
        const GamePly *last = &game->plies[game->count - 1];
        line->root_excess =
            last->gives_check && line->root_plies.checks[last->before.stm] > rules->check_cap;
    }
    if (plies > RULES_LINE_HISTORY) plies = RULES_LINE_HISTORY;
    for (size_t i = game->count - plies; i <= game->count; i++) {
        append(line, line->count ? game->plies[i - 1].move : MOVE_NONE, game_position(game, i), 0);
    }
    line->root = line->count - 1;
}

void rules_line_push(RulesLine *line, Move move, const Position *after) {
    append(line, move, after, after->halfmove == 0 ? line->count : line->floor[line->count - 1]);
}

void rules_line_push_null(RulesLine *line, const Position *after) {
    append(line, MOVE_NONE, after, line->count);
}

void rules_line_keep(RulesLine *line, size_t plies) {
    assert(line->count > line->root + plies);
    line->count = line->root + 1 + plies;
}

static Judgement judge_entries(const RulesLine *line, size_t first) {
    Cycle cycle;
    cycle_begin(&cycle, line->traits);
    for (size_t i = first + 1; i < line->count && (cycle.checks[RED] || cycle.checks[BLACK]); i++) {
        const Position *after = line->position[i];
        const Side side = side_other((Side)after->stm);
        if (cycle.checks[side]) cycle_add_check(&cycle, side, position_in_check(after));
    }
    for (size_t i = first + 1; i < line->count && !cycle_decided(&cycle); i++) {
        const Position *after = line->position[i];
        cycle_add(&cycle, line->position[i - 1], line->move[i], after, position_in_check(after));
    }
    return cycle_judgement(&cycle);
}

// The entry where the loop begins that the current position closes; SIZE_MAX when it closes none.
static size_t cycle_start(const RulesLine *line) {
    const size_t now = line->count - 1, floor = line->floor[now];
    const uint64_t key = line->key[now];
    bool seen = false;
    for (size_t back = 4; back <= now - floor; back += 2) {
        const size_t then = now - back;
        if (LIKELY(line->key[then] != key)) continue;
        if (then > line->root || seen) return then;
        seen = true;
    }
    return SIZE_MAX;
}

// As rules_no_capture_count() counts, going on from the root.
static int counted_plies(const RulesLine *line) {
    const size_t now = line->count - 1;
    const int cap = line->rules.check_cap;
    NoCaptureCount count = line->root_plies;
    bool excess = line->root_excess;
    size_t i = line->root + 1;
    for (size_t at = line->root + 1; at <= now; at++) {
        if (line->position[at]->halfmove != 0) continue;
        count = (NoCaptureCount){.plies = 0}; // a capture in the tree
        excess = false;
        i = at + 1;
    }
    for (; i <= now; i++) {
        const Position *after = line->position[i];
        const bool reply = excess, check = position_in_check(after);
        const int checks = count.checks[1 - after->stm] += check;
        excess = check && cap >= 0 && checks > cap;
        if (!excess && !reply) count.counted++;
    }
    return count.counted;
}

LineEnd rules_line_end(const RulesLine *line) {
    const Position *now = line->position[line->count - 1];
    const size_t first = cycle_start(line);
    const bool long_quiet = now->halfmove >= line->rules.no_capture_plies;
    if (LIKELY(first == SIZE_MAX && !long_quiet &&
               !rules_material_drawn(line->rules.material, now))) {
        return LINE_OPEN;
    }
    if (first != SIZE_MAX) { // a move was played here before
        const Verdict verdict = judge_entries(line, first).verdict;
        if (verdict == VERDICT_DRAW) return LINE_DRAWN;
        return verdict == verdict_loss((Side)now->stm) ? LINE_LOST : LINE_WON;
    }
    if (position_no_legal_move(now)) return LINE_LOST;
    if (long_quiet && counted_plies(line) >= line->rules.no_capture_plies) return LINE_DRAWN;
    return rules_material_drawn(line->rules.material, now) ? LINE_DRAWN : LINE_OPEN;
}

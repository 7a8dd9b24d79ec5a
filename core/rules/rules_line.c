// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules_line.h"

#include <assert.h>

static void append(RulesLine *line, Move move, const Position *position, size_t floor) {
    assert(line->count < RULES_LINE_CAPACITY);
    const size_t at = line->count++;
    line->key[at] = position->key;
    line->position[at] = position;
    line->move[at] = move;
    line->floor[at] = (uint16_t)floor;
}

// Returns the number of plies before the root that the rules may need, at most RULES_LINE_HISTORY:
// the plies since the last capture, and, if checks in a row are limited, enough plies to count them
// up to the limit.
static size_t plies_to_remember(const Rules *rules, const Game *game) {
    size_t plies = game->now.halfmove;
    const size_t run = rules_limit_check_run(rules) ? 2 * ((size_t)rules->check_run + 1) : 0;
    if (plies < run) plies = run;
    if (plies > RULES_LINE_HISTORY) plies = RULES_LINE_HISTORY;
    return plies < game->count ? plies : game->count;
}

void rules_line_begin(RulesLine *line, const Rules *rules, const Game *game) {
    line->rules = *rules;
    line->traits = rule_set_traits(rules->set);
    line->count = 0;
    line->root_plies = rules_no_capture_count(rules, game, game->count);
    line->root_excess = false;
    if (game->now.halfmove > 0 && game->count > 0 && rules->check_cap >= 0) {
        const GamePly *last = &game->plies[game->count - 1];
        line->root_excess =
            last->gives_check && line->root_plies.checks[last->before.stm] > rules->check_cap;
    }
    const size_t first = game->count - plies_to_remember(rules, game);
    append(line, MOVE_NONE, game_position(game, first), 0);
    for (size_t i = first; i < game->count; i++) {
        rules_line_push(line, game->plies[i].move, game_position(game, i + 1));
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

bool rules_line_holds(const RulesLine *line, size_t plies, const Position *position) {
    const size_t at = line->root + plies;
    return at < line->count && line->position[at] == position && line->key[at] == position->key;
}

static CyclePly line_ply_at(const void *record, size_t index) {
    const RulesLine *line = record;
    const Position *after = line->position[index + 1];
    return (CyclePly){line->position[index], after, line->move[index + 1],
                      position_in_check(after)};
}

static LineEnd line_end_of(Verdict verdict, Side stm) {
    if (verdict == VERDICT_DRAW) return LINE_DRAWN;
    return verdict == verdict_loss(stm) ? LINE_LOST : LINE_WON;
}

// Returns LINE_DRAWN, LINE_LOST or LINE_WON if the rules end a game by repetition at the current
// position, otherwise LINE_OPEN. If the position already occurred inside the tree (below the root),
// *second becomes the verdict on the plies since that occurrence: LINE_DRAWN, LINE_OUR_LOOP or
// LINE_THEIR_LOOP. Otherwise *second becomes LINE_OPEN.
static LineEnd loop_end(const RulesLine *line, LineEnd *second) {
    const size_t now = line->count - 1, floor = line->floor[now];
    const uint64_t key = line->key[now];
    const Side stm = (Side)line->position[now]->stm;
    int count = 1; // occurrences of the current position so far
    *second = LINE_OPEN;
    for (size_t back = 4; back <= now - floor; back += 2) {
        const size_t then = now - back;
        if (LIKELY(line->key[then] != key)) continue;
        count++;
        if (count < RULES_OCCURRENCES && then <= line->root) continue;
        const Judgement loop = cycle_judge(line->traits, line_ply_at, line, then, now);
        const LineEnd end = line_end_of(loop.verdict, stm);
        if (count < RULES_OCCURRENCES) {
            *second = end == LINE_DRAWN  ? LINE_DRAWN
                      : end == LINE_LOST ? LINE_OUR_LOOP
                                         : LINE_THEIR_LOOP;
            continue;
        }
        const LoopState state = rules_loop_state(&line->rules, count, loop);
        if (state == LOOP_JUDGED) return end;
        if (state == LOOP_NEVER_JUDGED) break;
    }
    return LINE_OPEN;
}

// Returns the number of plies without a capture that count towards Rules.no_capture_plies, like
// rules_no_capture_count().counted, for the current position of the line. Plies before the root are
// included.
static int counted_plies(const RulesLine *line) {
    const size_t now = line->count - 1;
    const int cap = line->rules.check_cap;
    NoCaptureCount count = line->root_plies;
    bool excess = line->root_excess;
    size_t i = line->root + 1;
    for (size_t at = line->root + 1; at <= now; at++) {
        if (line->position[at]->halfmove != 0) continue;
        // A capture in the tree restarts the count of plies without a capture.
        count = (NoCaptureCount){.plies = 0};
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

static bool check_run_is_over_limit(const RulesLine *line) {
    return rules_limit_check_run(&line->rules) &&
           rules_count_check_run(line_ply_at, line, line->count - 1) > line->rules.check_run;
}

LineEnd rules_line_end(const RulesLine *line) {
    const Position *now = line->position[line->count - 1];
    LineEnd second;
    const LineEnd loop = loop_end(line, &second);
    // A repeated position is not a mate, because a move was already played in it.
    if (loop != LINE_OPEN) return loop;
    const bool over_limit = check_run_is_over_limit(line);
    const bool long_quiet = now->halfmove >= line->rules.no_capture_plies;
    const bool material = rules_material_drawn(line->rules.material, now);
    if (LIKELY(!over_limit && !long_quiet && !material)) return second;
    if (position_no_legal_move(now)) return LINE_LOST;
    if (over_limit) return LINE_WON;
    if (long_quiet && counted_plies(line) >= line->rules.no_capture_plies) return LINE_DRAWN;
    return material ? LINE_DRAWN : second;
}

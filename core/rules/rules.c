// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <string.h>

#include "core/rules/rules_options.h"

enum { DEFAULT_NO_CAPTURE_PLIES = 120, DEFAULT_CHECK_CAP = 10 };

static const struct {
    const char *name;
    unsigned traits;
} rule_sets[RULE_SET_COUNT] = {
#define RULE_SET(id, name, traits, summary) [RULES_##id] = {name, traits},
#include "core/rules/rules.def"
};

const char rule_set_choices[] =
#define RULE_SET(id, name, traits, summary) "|" name
#include "core/rules/rules.def"
    ;

const char material_rule_choices[] = "|axf|pikafish";

unsigned rule_set_traits(RuleSet set) {
    return rule_sets[set].traits;
}
const char *rule_set_name(RuleSet set) {
    return rule_sets[set].name;
}

Rules rules_default(RuleSet set) {
    return (Rules){
        .set = set,
        .material = MATERIAL_AXF,
        .no_capture_plies = DEFAULT_NO_CAPTURE_PLIES,
        .check_cap = DEFAULT_CHECK_CAP,
        .max_checks = RULES_OCCURRENCES,
    };
}

// Returns the number of plies since the last capture before `ply`, or since the start of the game
// if there was no capture.
static size_t reversible_plies(const Game *game, size_t ply) {
    const size_t halfmove = game_position(game, ply)->halfmove;
    return halfmove < ply ? halfmove : ply;
}

// Finds the last occurrence of the position at `ply` that is at least `back` plies earlier and not
// before ply `floor`. Returns its ply, or SIZE_MAX if there is none. Compares keys first, then
// boards.
static size_t earlier_occurrence(const Game *game, size_t ply, size_t back, size_t floor) {
    const Position *now = game_position(game, ply);
    for (; back <= ply - floor; back += 2) {
        const Position *then = &game->plies[ply - back].before;
        if (then->key == now->key && memcmp(then->board, now->board, sizeof now->board) == 0) {
            return ply - back;
        }
    }
    return SIZE_MAX;
}

static CyclePly game_ply_at(const void *record, size_t index) {
    const Game *game = record;
    const GamePly *ply = &game->plies[index];
    return (CyclePly){&ply->before, game_position(game, index + 1), ply->move, ply->gives_check};
}

// Returns how often a position must occur until a loop of perpetual check is judged.
static int check_occurrences(const Rules *rules) {
    const bool limited = rule_set_traits(rules->set) & RULE_LIMIT;
    return limited && rules->max_checks > RULES_OCCURRENCES ? rules->max_checks : RULES_OCCURRENCES;
}

LoopState rules_loop_state(const Rules *rules, int count, Judgement loop) {
    const int last = check_occurrences(rules);
    const bool checks = loop.reason == END_PERPETUAL_CHECK || loop.reason == END_MUTUAL_CHECK;
    if (count == (checks ? last : RULES_OCCURRENCES)) return LOOP_JUDGED;
    return count < last ? LOOP_UNDECIDED : LOOP_NEVER_JUDGED;
}

CycleWindow rules_cycle_window(const Rules *rules, const Game *game, size_t ply) {
    const unsigned traits = rule_set_traits(rules->set);
    const size_t floor = ply - reversible_plies(game, ply);
    CycleWindow window = {.first = ply, .count = 1};
    // A position can occur again at the earliest four plies later.
    for (size_t back = 4;; back = ply - window.first + 2) {
        const size_t earlier = earlier_occurrence(game, ply, back, floor);
        if (earlier == SIZE_MAX) return window;
        window.first = earlier;
        if (++window.count < RULES_OCCURRENCES) continue;
        window.loop = cycle_judge(traits, game_ply_at, game, window.first, ply);
        const LoopState state = rules_loop_state(rules, window.count, window.loop);
        window.repeated = state == LOOP_JUDGED;
        if (state != LOOP_UNDECIDED) return window;
    }
}

bool rules_limit_check_run(const Rules *rules) {
    return rules->check_run > 0 && (rule_set_traits(rules->set) & RULE_LIMIT);
}

int rules_count_check_run(CyclePlyAt *ply_at, const void *record, size_t end) {
    int count = 0;
    for (size_t i = end; i > 0; i -= 2) {
        // Ply i - 1 is a check and ply i the reply to it. The next check is ply i + 1, and the
        // reply to that is ply i + 2.
        const CyclePly check = ply_at(record, i - 1);
        if (!check.gives_check || check.move == MOVE_NONE) break;
        if (count > 0 && move_to(check.move) != move_from(ply_at(record, i + 1).move)) break;
        if (count > 1 && move_to(ply_at(record, i).move) != move_from(ply_at(record, i + 2).move)) {
            break;
        }
        count++;
        if (i == 1) break;
    }
    return count;
}

int rules_check_run(const Game *game, size_t ply) {
    return rules_count_check_run(game_ply_at, game, ply);
}

NoCaptureCount rules_no_capture_count(const Rules *rules, const Game *game, size_t ply) {
    const int plies = game_position(game, ply)->halfmove;
    NoCaptureCount count = {.plies = plies, .counted = plies};
    bool excess = false;
    for (size_t i = ply - reversible_plies(game, ply); i < ply; i++) {
        const bool reply = excess;
        const int side = game->plies[i].before.stm;
        const int checks = count.checks[side] += game->plies[i].gives_check;
        excess = game->plies[i].gives_check && rules->check_cap >= 0 && checks > rules->check_cap;
        if (excess || reply) count.counted--;
    }
    return count;
}

// Returns true if the side to move can win with one move, by checkmate or stalemate.
static bool can_mate_at_once(const Position *position) {
    MoveList moves;
    position_legal_moves(position, &moves);
    for (int i = 0; i < moves.count; i++) {
        Position after;
        position_do_move(position, moves.moves[i], &after);
        if (position_no_legal_move(&after)) return true;
    }
    return false;
}

static int count_pieces(const Position *position, Side side, PieceType type) {
    return bb_count(position_pieces(position, side, type));
}

// Returns true if the game is a draw because a cannon, the last attacking piece on the board, lacks
// the screens to win. `side` has the cannon. The first case that applies decides:
// - `side` has an advisor: no draw.
// - The enemy has no advisor, or it has one and `side` has no elephant: draw.
// - The enemy has two advisors and `side` has an elephant: no draw.
// - Otherwise: draw unless the side to move can mate or stalemate with one move.
static bool lone_cannon_drawn(const Position *position, Side side) {
    if (count_pieces(position, side, ADVISOR) > 0) return false;
    const int advisors = count_pieces(position, side_other(side), ADVISOR);
    const bool elephants = count_pieces(position, side, ELEPHANT) > 0;
    if (advisors == 0 || (advisors == 1 && !elephants)) return true;
    if (advisors == 2 && elephants) return false;
    return !can_mate_at_once(position);
}

bool rules_material_drawn(MaterialRule rule, const Position *position) {
    const Bitboard *types = position->by_type;
    if (types[CHARIOT] | types[HORSE] | types[SOLDIER]) return false;
    if (!types[CANNON]) return true;
    if (rule == MATERIAL_AXF) return false;
    const int red = count_pieces(position, RED, CANNON);
    const int black = count_pieces(position, BLACK, CANNON);
    if (red + black == 1) return lone_cannon_drawn(position, red ? RED : BLACK);
    if (red != 1 || black != 1 || types[ADVISOR]) return false;
    return !types[ELEPHANT] || !can_mate_at_once(position);
}

Judgement rules_judge_at(const Rules *rules, const Game *game, size_t ply) {
    const Position *now = game_position(game, ply);
    const Judgement open = {VERDICT_NONE, END_NONE};
    if (position_no_legal_move(now)) {
        return (Judgement){verdict_loss((Side)now->stm),
                           position_in_check(now) ? END_CHECKMATE : END_STALEMATE};
    }
    const CycleWindow window = rules_cycle_window(rules, game, ply);
    if (window.repeated) return window.loop;
    if (rules_limit_check_run(rules) && rules_check_run(game, ply) > rules->check_run) {
        return (Judgement){verdict_loss(side_other((Side)now->stm)), END_PERPETUAL_CHECK};
    }
    if (now->halfmove >= rules->no_capture_plies &&
        rules_no_capture_count(rules, game, ply).counted >= rules->no_capture_plies) {
        return (Judgement){VERDICT_DRAW, END_NO_CAPTURE};
    }
    if (!rules_material_drawn(rules->material, now)) return open;
    return (Judgement){VERDICT_DRAW, END_MATERIAL};
}

Judgement rules_judge(const Rules *rules, const Game *game) {
    return rules_judge_at(rules, game, game->count);
}

bool rules_first_end(const Rules *rules, const Game *game, size_t *ply, Judgement *judged) {
    for (size_t i = 0; i <= game->count; i++) {
        const Judgement here = rules_judge_at(rules, game, i);
        if (here.verdict == VERDICT_NONE) continue;
        *ply = i;
        *judged = here;
        return true;
    }
    return false;
}

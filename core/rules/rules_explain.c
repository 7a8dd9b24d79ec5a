// SPDX-License-Identifier: GPL-3.0-or-later
// Explains the referee's decisions to people. Declared in rules.h.
#include "core/rules/chase.h"
#include "core/rules/cycle.h"
#include "core/rules/rules.h"

static void add_square(Text *text, int square) {
    text_add(text, "%c%d", 'a' + square_file(square), square_rank(square));
}

// Appends the name of a piece and its square, such as "chariot b2".
static void add_piece(Text *text, const Position *position, int square) {
    text_add(text, "%s ", piece_type_name(piece_type(position->board[square])));
    add_square(text, square);
}

// Appends the names of several pieces and their squares, such as "chariot b2, horse c4".
static void add_pieces(Text *text, const Position *position, Bitboard set) {
    for (bool first = true; set; first = false) {
        if (!first) text_add(text, ", ");
        add_piece(text, position, bb_pop(&set));
    }
}

// Appends the reason why the protector on `root` cannot legally recapture on the target. Chinese
// rules call a protector a root, and a protector that cannot recapture a false root.
static void add_false_root(Text *text, const Position *position, Side side, int attacker,
                           int target, int root) {
    const Side enemy = side_other(side);
    const Bitboard pinners = chase_pinners(position, root);
    add_piece(text, position, root);
    if (pinners && root != position->general[enemy]) {
        text_add(text, " is pinned by ");
        add_pieces(text, position, pinners);
        return;
    }
    Position turned = *position, taken, retaken;
    turned.stm = (uint8_t)side;
    position_do_move(&turned, move_make(attacker, target), &taken);
    position_do_move(&taken, move_make(root, target), &retaken);
    text_add(text, root == position->general[enemy] ? " may not go there because of "
                                                    : " may not expose its general to ");
    add_pieces(text, &retaken, chase_checkers(&retaken, enemy));
}

static void add_roots(Text *text, const Position *position, Side side, int attacker, int target) {
    const ChaseRoots roots = chase_roots(position, side, attacker, target);
    if (roots.real) {
        text_add(text, "protected: ");
        add_pieces(text, position, roots.real);
        text_add(text, " can recapture");
        return;
    }
    text_add(text, "unprotected");
    for (Bitboard rest = roots.all; rest;) {
        text_add(text, "; ");
        add_false_root(text, position, side, attacker, target, bb_pop(&rest));
    }
    const Bitboard on_board =
        position_attackers(position, target, side_other(side), position_occupied(position));
    for (Bitboard rest = on_board & ~roots.all; rest;) {
        text_add(text, "; ");
        add_piece(text, position, bb_pop(&rest));
        text_add(text, " loses its screen by the capture");
    }
}

typedef struct ExplainedPly {
    unsigned traits;
    const Position *before, *after;
    Move move;
    Side side;
    Bitboard chased_before; // enemy pieces that `side` already chased before the move
} ExplainedPly;

static void add_chase(Text *text, const ExplainedPly *ply, int attacker, int target) {
    const int origin = attacker == move_to(ply->move) ? move_from(ply->move) : attacker;
    if (ply->chased_before & bb_square(target)) {
        text_add(text, "no new chase, the piece was already chased before the move");
        return;
    }
    if (!chase_capture_legal(ply->before, ply->side, origin, target)) {
        text_add(text, "NEW CHASE (new attack)");
        return;
    }
    text_add(text, "NEW CHASE (no new attack: this capture was legal before the move, but ");
    // A legal capture that was no chase before the move, but is one after it, can only have been an
    // offer or the capture of a protected piece.
    if (chase_examine(ply->traits, ply->before, ply->side, origin, target) == CHASE_OFFER) {
        text_add(text, "the target could capture the attacker)");
        return;
    }
    // The move of `side` did not move enemy pieces, so their points are the same before and after
    // it.
    add_pieces(text, ply->before, chase_roots(ply->before, ply->side, origin, target).real);
    text_add(text, " could recapture)");
}

static void add_attack(Text *text, const ExplainedPly *ply, int attacker, int target) {
    static const char *const no_chase[] = {
        [CHASE_NO_ATTACK] = "",
        [CHASE_FREE_ATTACKER] = "no chase, generals and soldiers may always attack",
        [CHASE_HOME_SOLDIER] = "no chase, the soldier has not crossed the river",
        [CHASE_PINNED] = "no chase, the attacker is pinned by ",
        [CHASE_ILLEGAL] = "no chase, the capture would be illegal",
        [CHASE_OFFER] = "no chase, an offer to exchange (the target can capture the attacker)",
        [CHASE_PROTECTED] = "no chase, ",
    };
    const Position *after = ply->after;
    const ChaseFinding finding = chase_examine(ply->traits, after, ply->side, attacker, target);
    text_add(text, "#   ");
    add_piece(text, after, attacker);
    text_add(text, " attacks ");
    add_piece(text, after, target);
    text_add(text, ": ");
    if (chase_counts(finding)) {
        add_chase(text, ply, attacker, target);
        text_add(text, "; ");
    } else {
        text_add(text, "%s", no_chase[finding]);
    }
    if (finding == CHASE_PINNED) {
        add_pieces(text, after, chase_pinners(after, attacker));
    } else if (finding == CHASE_STRONGER) {
        text_add(text, "the target is of a stronger type than the attacker, so its protection does "
                       "not matter");
    } else if (finding == CHASE_PROTECTED || finding == CHASE_UNPROTECTED) {
        add_roots(text, after, ply->side, attacker, target);
    }
    text_add(text, "\n");
}

static void add_attacks(Text *text, const ExplainedPly *ply) {
    const Position *after = ply->after;
    const Bitboard enemies = after->by_side[side_other(ply->side)] & ~after->by_type[GENERAL];
    for (Bitboard from = after->by_side[ply->side]; from;) {
        const int attacker = bb_pop(&from);
        Bitboard targets = position_reach(after, attacker) & enemies;
        while (targets) add_attack(text, ply, attacker, bb_pop(&targets));
    }
}

static void add_ply(Text *text, unsigned traits, const Game *game, size_t index) {
    const GamePly *played = &game->plies[index];
    const Side side = (Side)played->before.stm;
    const ExplainedPly ply = {
        .traits = traits,
        .before = &played->before,
        .after = game_position(game, index + 1),
        .move = played->move,
        .side = side,
        .chased_before = chase_targets(traits, &played->before, side, ~(Bitboard)0),
    };
    text_add(text, "# ply %zu, %s, ", index + 1, side_name(side));
    add_piece(text, ply.before, move_from(ply.move));
    text_add(text, "-");
    add_square(text, move_to(ply.move));
    if (played->gives_check) {
        text_add(text, ": CHECK by ");
        add_pieces(text, ply.after, chase_checkers(ply.after, side_other(side)));
        text_add(text, "\n");
        return;
    }
    text_add(text, ": no check\n");
    if (!(traits & RULE_CHASES)) return;
    add_attacks(text, &ply);
    if ((traits & RULE_MIXED) && mate_threat_is_new(ply.before, ply.after)) {
        text_add(text, "#   NEW MATE THREAT by checks\n");
    }
}

static void add_side(Text *text, const Cycle *cycle, const Position *now, Side side) {
    text_add(text, "# %s: ", side_name(side));
    switch (cycle_level(cycle, side)) {
    case CYCLE_CHECK:
        text_add(text, "checked with every move");
        break;
    case CYCLE_CHASE:
        if (cycle->attacks[side]) {
            text_add(text, "checked, chased or threatened mate with every move");
            break;
        }
        text_add(text, "every move chased this piece by a new attack: ");
        add_pieces(text, now, cycle->direct[side] ? cycle->direct[side] : cycle->chased[side]);
        break;
    case CYCLE_ROOT_REMOVAL:
        text_add(text, "every move newly chased this piece, but not always by a new attack: ");
        add_pieces(text, now, cycle->chased[side]);
        break;
    case CYCLE_NOTHING:
        text_add(text,
                 cycle->traits & RULE_MIXED
                     ? "made a move that neither checked nor chased nor threatened mate"
                     : "did not check with every move, and did not newly chase the same piece "
                       "with every move");
        break;
    }
    text_add(text, "\n");
}

static void add_loop(const Rules *rules, const Game *game, size_t ply, CycleWindow window,
                     Text *text) {
    const unsigned traits = rule_set_traits(rules->set);
    text_add(text,
             "# repetition: rule set %s judges plies %zu to %zu, with %d occurrences of the "
             "position, the first of them after ply %zu\n",
             rule_set_name(rules->set), window.first + 1, ply, window.count, window.first);
    Cycle cycle;
    cycle_begin(&cycle, traits);
    for (size_t i = window.first; i < ply; i++) {
        const GamePly *played = &game->plies[i];
        add_ply(text, traits, game, i);
        cycle_add_check(&cycle, (Side)played->before.stm, played->gives_check);
        cycle_add(&cycle, &played->before, played->move, game_position(game, i + 1),
                  played->gives_check);
    }
    if (!(traits & RULE_CHASES)) {
        text_add(text, "# by this rule set every loop is a draw\n");
        return;
    }
    add_side(text, &cycle, game_position(game, ply), RED);
    add_side(text, &cycle, game_position(game, ply), BLACK);
    text_add(text, cycle_level(&cycle, RED) == cycle_level(&cycle, BLACK)
                       ? "# no side committed a graver violation than the other: a draw\n"
                       : "# the graver violation loses: check, then chase by new attacks, then "
                         "other chase\n");
}

static void add_no_capture(const Rules *rules, const Game *game, size_t ply, Text *text) {
    const NoCaptureCount count = rules_no_capture_count(rules, game, ply);
    text_add(text, "# no capture: %d plies", count.plies);
    if ((size_t)count.plies > ply) {
        text_add(text, " (%d of them before this record)", count.plies - (int)ply);
    }
    text_add(text, ", of which %d count towards the limit of %d; checks: Red %d, Black %d",
             count.counted, rules->no_capture_plies, count.checks[RED], count.checks[BLACK]);
    if (rules->check_cap >= 0) {
        text_add(
            text,
            "; after %d checks of a side, its further checks and the replies to them do not count",
            rules->check_cap);
    }
    text_add(text, "\n");
}

static void add_mate(const Position *now, Text *text) {
    const Side side = (Side)now->stm;
    text_add(text, "# %s has no legal move", side_name(side));
    if (position_in_check(now)) {
        text_add(text, " and is in check by ");
        add_pieces(text, now, chase_checkers(now, side));
    } else {
        text_add(text, " and is not in check: stalemate loses");
    }
    text_add(text, "\n");
}

static void add_material(const Position *now, Text *text) {
    const int cannons = bb_count(now->by_type[CANNON]);
    text_add(text,
             cannons == 0 ? "# material: only generals, advisors and elephants are left\n"
                          : "# material: only %s could attack, but there are too few screens "
                            "(rule pikafish)\n",
             cannons == 1 ? "one cannon" : "one cannon on each side");
}

static void add_open(const Rules *rules, const Game *game, size_t ply, Text *text) {
    const CycleWindow window = rules_cycle_window(rules, game, ply);
    text_add(text,
             "# no end: the position has occurred %d time%s in this game since the last capture",
             window.count, window.count == 1 ? "" : "s");
    if (window.count >= 3) {
        text_add(text, "; perpetual check is judged when the position has occurred %d times",
                 rules->max_checks);
    }
    text_add(text, "\n");
    add_no_capture(rules, game, ply, text);
}

void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text) {
    const Position *now = game_position(game, ply);
    switch (rules_judge_at(rules, game, ply).reason) {
    case END_CHECKMATE:
    case END_STALEMATE:
        add_mate(now, text);
        break;
    case END_NO_CAPTURE:
        add_no_capture(rules, game, ply, text);
        break;
    case END_MATERIAL:
        add_material(now, text);
        break;
    case END_NONE:
        add_open(rules, game, ply, text);
        break;
    default: {
        const CycleWindow window = rules_cycle_window(rules, game, ply);
        if (window.repeated) {
            add_loop(rules, game, ply, window, text);
        } else {
            text_add(
                text,
                "# %d checks in a row by moves of the same piece, and neither side moved another "
                "piece\n",
                rules_check_run(game, ply));
        }
        break;
    }
    }
}

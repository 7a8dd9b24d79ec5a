// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/chase.h"

#include "core/board/attacks.h"
#include "core/rules/judgement.h"

Bitboard chase_checkers(const Position *position, Side side) {
    return position_general_attackers(position, side, position_occupied(position));
}

Bitboard chase_pinners(const Position *position, int square) {
    const Side side = piece_side(position->board[square]);
    const Bitboard occupied = position_occupied(position);
    return position_general_attackers(position, side, occupied & ~bb_square(square)) &
           ~chase_checkers(position, side);
}

bool chase_capture_legal(const Position *position, Side side, int attacker, int target) {
    const Bitboard target_bit = bb_square(target), occupied = position_occupied(position);
    if (!(position_reach(position, attacker) & target_bit)) return false;
    const Bitboard without_attacker = occupied & ~bb_square(attacker);
    const Bitboard after =
        position_general_attackers(position, side, without_attacker) & ~target_bit;
    return (after & ~chase_checkers(position, side)) == 0;
}

ChaseRoots chase_roots(const Position *position, Side side, int attacker, int target) {
    const Bitboard without_attacker = position_occupied(position) & ~bb_square(attacker);
    ChaseRoots roots = {.real = 0};
    roots.all = position_attackers(position, target, side_other(side), without_attacker);
    if (!roots.all) return roots;
    Position turned = *position, after; // the position, with `side` to move
    turned.stm = (uint8_t)side;
    position_do_move(&turned, move_make(attacker, target), &after);
    for (Bitboard rest = roots.all; rest;) {
        const int root = bb_pop(&rest);
        if (position_is_legal(&after, move_make(root, target))) roots.real |= bb_square(root);
    }
    return roots;
}

static bool attacks_stronger(PieceType attacker, PieceType target) {
    switch (attacker) {
    case HORSE:
    case CANNON:
        return target == CHARIOT;
    case ADVISOR:
    case ELEPHANT:
        return target == CHARIOT || target == HORSE || target == CANNON;
    default:
        return false;
    }
}

ChaseFinding chase_examine(unsigned traits, const Position *position, Side side, int attacker,
                           int target) {
    const PieceType type = piece_type(position->board[attacker]);
    const PieceType target_type = piece_type(position->board[target]);
    const Bitboard target_bit = bb_square(target);
    const Side enemy = side_other(side);
    if (target_type == GENERAL || !(position->by_side[enemy] & target_bit) ||
        !(position_reach(position, attacker) & target_bit)) {
        return CHASE_NO_ATTACK;
    }
    if (type == GENERAL || type == SOLDIER) return CHASE_FREE_ATTACKER;
    if (target_type == SOLDIER && !(traits & RULE_HOME_SOLDIERS) &&
        !square_crossed(target, enemy)) {
        return CHASE_HOME_SOLDIER;
    }
    const Bitboard pinners = chase_pinners(position, attacker);
    if (pinners && !(pinners & target_bit)) return CHASE_PINNED;
    if (!chase_capture_legal(position, side, attacker, target)) return CHASE_ILLEGAL;
    if ((traits & RULE_STRONG_ATTACKS) && attacks_stronger(type, target_type))
        return CHASE_STRONGER;
    if (type == target_type && !(traits & RULE_OFFERS) &&
        chase_capture_legal(position, enemy, target, attacker)) {
        return CHASE_OFFER;
    }
    return chase_roots(position, side, attacker, target).real ? CHASE_PROTECTED : CHASE_UNPROTECTED;
}

// Returns the pieces of `side` whose attacks can be chases: all except the general and the
// soldiers, whose attacks are always allowed.
static Bitboard chasers(const Position *position, Side side) {
    return position->by_side[side] & ~position->by_type[GENERAL] & ~position->by_type[SOLDIER];
}

Bitboard chase_targets(unsigned traits, const Position *position, Side side, Bitboard candidates) {
    candidates &= position->by_side[side_other(side)] & ~position->by_type[GENERAL];
    Bitboard targets = 0;
    for (Bitboard from = chasers(position, side); from && candidates != targets;) {
        const int attacker = bb_pop(&from);
        Bitboard attacked = position_reach(position, attacker) & candidates & ~targets;
        while (attacked) {
            const int target = bb_pop(&attacked);
            if (chase_counts(chase_examine(traits, position, side, attacker, target))) {
                targets |= bb_square(target);
            }
        }
    }
    return targets;
}

// Returns true if a piece chases the target after the move and could not capture it before the
// move.
static bool directly_chased(unsigned traits, const Position *before, Move move,
                            const Position *after, int target) {
    const Side side = (Side)before->stm;
    for (Bitboard from = chasers(after, side); from;) {
        const int attacker = bb_pop(&from);
        if (!chase_counts(chase_examine(traits, after, side, attacker, target))) continue;
        const int origin = attacker == move_to(move) ? move_from(move) : attacker;
        if (!chase_capture_legal(before, side, origin, target)) return true;
    }
    return false;
}

ChaseNews chase_news(unsigned traits, const Position *before, Move move, const Position *after,
                     Bitboard candidates) {
    const Side side = (Side)before->stm;
    ChaseNews news = {.all = chase_targets(traits, after, side, candidates)};
    if (news.all) news.all &= ~chase_targets(traits, before, side, news.all);
    for (Bitboard rest = news.all; rest;) {
        const int target = bb_pop(&rest);
        if (directly_chased(traits, before, move, after, target)) news.direct |= bb_square(target);
    }
    return news;
}

// The search for a mate tries lines of at most THREAT_CHECKS consecutive checks. After it has tried
// THREAT_BUDGET checking moves in all lines together, it ends and finds no mate.
enum { THREAT_CHECKS = 3, THREAT_BUDGET = 4000 };

static bool threat_exists(const Position *position, int checks, int *budget);

// Returns true if the side to move, which is in check, is mated: it has no legal move, or after
// each of its replies the other side can mate with at most `checks_left` further checks. Returns
// false if *budget reaches 0 before the mate is found (threat_exists()).
static bool check_mates(const Position *checked, int checks_left, int *budget) {
    MoveList answers;
    position_legal_moves(checked, &answers);
    if (answers.count > 0 && checks_left == 0) return false;
    for (int i = 0; i < answers.count; i++) {
        Position next;
        position_do_move(checked, answers.moves[i], &next);
        if (!threat_exists(&next, checks_left, budget)) return false;
    }
    return true;
}

// Returns true if the side to move can mate with at most `checks` consecutive checks. Each checking
// move reduces *budget by one. When *budget reaches 0, the search ends without a mate.
static bool threat_exists(const Position *position, int checks, int *budget) {
    MoveList moves;
    position_legal_moves(position, &moves);
    for (int i = 0; i < moves.count; i++) {
        Position next;
        position_do_move(position, moves.moves[i], &next);
        if (!position_in_check(&next)) continue;
        if (--*budget <= 0) return false;
        if (check_mates(&next, checks - 1, budget)) return true;
    }
    return false;
}

bool mate_threat_is_new(const Position *before, const Position *after) {
    Position passed;
    position_do_null(after, &passed);
    int budget = THREAT_BUDGET;
    if (!threat_exists(&passed, THREAT_CHECKS, &budget)) return false;
    budget = THREAT_BUDGET;
    return !threat_exists(before, THREAT_CHECKS, &budget);
}

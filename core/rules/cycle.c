// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/cycle.h"

#include "core/rules/chase.h"
#include "core/rules/mate_threat.h"

void loop_begin(Loop *loop, unsigned traits) {
    *loop = (Loop){.traits = traits};
    if (!(traits & RULE_CHASES)) return;
    for (int side = RED; side <= BLACK; side++) {
        loop->checks[side] = true;
        if (traits & RULE_MIXED) {
            loop->attacks[side] = true;
        } else {
            loop->chased[side] = loop->direct[side] = ~(Bitboard)0;
        }
    }
}

void loop_add_check(Loop *loop, Side side, bool gives_check) {
    loop->checks[side] = loop->checks[side] && gives_check;
}

// Follows a piece of the set through a move. Points where nothing stands may be in the set.
static Bitboard carried(Bitboard set, Move move) {
    const Bitboard from = bb_square(move_from(move)), to = bb_square(move_to(move));
    return set & from ? (set & ~from) | to : set & ~to;
}

void loop_add(Loop *loop, const Position *before, Move move, const Position *after,
              bool gives_check) {
    const Side us = (Side)before->stm, them = side_other(us);
    loop->chased[them] = carried(loop->chased[them], move);
    loop->direct[them] = carried(loop->direct[them], move);
    if (gives_check) {
        loop->chased[us] = loop->direct[us] = 0; // a check is a check, not a chase
    } else if (loop->attacks[us]) {
        const ChaseNews news = chase_news(loop->traits, before, move, after, ~(Bitboard)0);
        loop->attacks[us] = news.all != 0 || kill_is_new(before, after);
    } else if (loop->chased[us]) {
        const ChaseNews news = chase_news(loop->traits, before, move, after, loop->chased[us]);
        loop->chased[us] = news.all;
        loop->direct[us] &= news.direct;
    }
}

bool loop_decided(const Loop *loop) {
    if (loop->checks[RED] || loop->checks[BLACK]) return true; // nothing outranks a check
    return !loop->attacks[RED] && !loop->attacks[BLACK] && !loop->chased[RED] &&
           !loop->chased[BLACK];
}

LoopLevel loop_level(const Loop *loop, Side side) {
    if (loop->checks[side]) return LOOP_CHECK;
    if (loop->attacks[side]) return LOOP_CHASE;
    if (!loop->chased[side]) return LOOP_NOTHING;
    if (!(loop->traits & RULE_ROOT_REMOVAL_IS_LESS)) return LOOP_CHASE;
    return loop->direct[side] & loop->chased[side] ? LOOP_CHASE : LOOP_ROOT_REMOVAL;
}

Judgement loop_judgement(const Loop *loop) {
    const LoopLevel red = loop_level(loop, RED), black = loop_level(loop, BLACK);
    if (red == black) {
        const EndReason reason = red == LOOP_CHECK     ? END_MUTUAL_CHECK
                                 : red != LOOP_NOTHING ? END_MUTUAL_CHASE
                                                       : END_NO_VIOLATION;
        return (Judgement){VERDICT_DRAW, reason};
    }
    const LoopLevel higher = red > black ? red : black;
    return (Judgement){verdict_loss(red > black ? RED : BLACK),
                       higher == LOOP_CHECK ? END_PERPETUAL_CHECK : END_PERPETUAL_CHASE};
}

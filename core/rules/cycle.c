// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/cycle.h"

#include "core/rules/chase.h"

void cycle_begin(Cycle *cycle, unsigned traits) {
    *cycle = (Cycle){.traits = traits};
    if (!(traits & RULE_CHASES)) return;
    for (int side = RED; side <= BLACK; side++) {
        cycle->checks[side] = true;
        if (traits & RULE_MIXED) {
            cycle->attacks[side] = true;
        } else {
            cycle->chased[side] = cycle->direct[side] = ~(Bitboard)0;
        }
    }
}

void cycle_add_check(Cycle *cycle, Side side, bool gives_check) {
    cycle->checks[side] = cycle->checks[side] && gives_check;
}

// Updates a set of points after a move: if the moved piece is in the set, its point follows the
// move. A captured piece leaves the set.
static Bitboard follow_move(Bitboard set, Move move) {
    const Bitboard from = bb_square(move_from(move)), to = bb_square(move_to(move));
    return set & from ? (set & ~from) | to : set & ~to;
}

void cycle_add(Cycle *cycle, const Position *before, Move move, const Position *after,
               bool gives_check) {
    const Side us = (Side)before->stm, them = side_other(us);
    cycle->chased[them] = follow_move(cycle->chased[them], move);
    cycle->direct[them] = follow_move(cycle->direct[them], move);
    if (gives_check) {
        cycle->chased[us] = cycle->direct[us] = 0; // A move that gives check does not count as a
                                                   // chase.
    } else if (cycle->attacks[us]) {
        const ChaseNews news = chase_news(cycle->traits, before, move, after, ~(Bitboard)0);
        cycle->attacks[us] = news.all != 0 || mate_threat_is_new(before, after);
    } else if (cycle->chased[us]) {
        const ChaseNews news = chase_news(cycle->traits, before, move, after, cycle->chased[us]);
        cycle->chased[us] = news.all;
        cycle->direct[us] &= news.direct;
    }
}

// Returns true if judgement_of() will return the same verdict no matter how many more plies
// cycle_add() adds. Call it only after cycle_add_check() was called for every ply of the loop.
static bool is_decided(const Cycle *cycle) {
    // No violation is graver than perpetual check, so later plies do not change the verdict.
    if (cycle->checks[RED] || cycle->checks[BLACK]) return true;
    return !cycle->attacks[RED] && !cycle->attacks[BLACK] && !cycle->chased[RED] &&
           !cycle->chased[BLACK];
}

CycleLevel cycle_level(const Cycle *cycle, Side side) {
    if (cycle->checks[side]) return CYCLE_CHECK;
    if (cycle->attacks[side]) return CYCLE_CHASE;
    if (!cycle->chased[side]) return CYCLE_NOTHING;
    if (!(cycle->traits & RULE_ROOT_REMOVAL_IS_LESS)) return CYCLE_CHASE;
    return cycle->direct[side] & cycle->chased[side] ? CYCLE_CHASE : CYCLE_ROOT_REMOVAL;
}

// Returns the verdict and its reason. The side with the graver violation (cycle_level()) loses;
// equal violations, or none, are a draw.
static Judgement judgement_of(const Cycle *cycle) {
    const CycleLevel red = cycle_level(cycle, RED), black = cycle_level(cycle, BLACK);
    if (red == black) {
        const EndReason reason = red == CYCLE_CHECK     ? END_MUTUAL_CHECK
                                 : red != CYCLE_NOTHING ? END_MUTUAL_CHASE
                                                        : END_NO_VIOLATION;
        return (Judgement){VERDICT_DRAW, reason};
    }
    const CycleLevel higher = red > black ? red : black;
    return (Judgement){verdict_loss(red > black ? RED : BLACK),
                       higher == CYCLE_CHECK ? END_PERPETUAL_CHECK : END_PERPETUAL_CHASE};
}

Judgement cycle_judge(unsigned traits, CyclePlyAt *ply_at, const void *record, size_t first,
                      size_t end) {
    Cycle cycle;
    cycle_begin(&cycle, traits);
    for (size_t i = first; i < end && (cycle.checks[RED] || cycle.checks[BLACK]); i++) {
        const CyclePly ply = ply_at(record, i);
        cycle_add_check(&cycle, (Side)ply.before->stm, ply.gives_check);
    }
    for (size_t i = first; i < end && !is_decided(&cycle); i++) {
        const CyclePly ply = ply_at(record, i);
        cycle_add(&cycle, ply.before, ply.move, ply.after, ply.gives_check);
    }
    return judgement_of(&cycle);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Detects chases and mate threats for the rules of repetition. Which attacks count as chases
// depends on the traits of the rule set (core/rules/judgement.h).
#pragma once

#include "core/board/position.h"

// The judgement of one piece's attack on another piece.
typedef enum ChaseFinding {
    CHASE_NO_ATTACK, // no attack: the target is not an enemy piece, or is the enemy general, or the
                     // attacker does not reach it
    CHASE_FREE_ATTACKER, // no chase: the attacker is a general or soldier, which may always attack
    CHASE_HOME_SOLDIER, // no chase: the target is a soldier on its own half, and the rule set lacks
                        // RULE_HOME_SOLDIERS
    CHASE_PINNED,       // no chase: the attacker is pinned by a piece other than the target
    CHASE_ILLEGAL,      // no chase: the capture would expose the attacker's own general
    CHASE_OFFER,        // no chase but an offer to exchange: both pieces have the same type, the
                        // target could capture the attacker, and the rule set lacks RULE_OFFERS
    CHASE_PROTECTED,   // no chase: the target is protected, because a piece could legally recapture
    CHASE_UNPROTECTED, // chase: the target is unprotected, because no piece could legally recapture
    CHASE_STRONGER,    // chase even if the target is protected: its type is stronger than that of
                       // the attacker. Only in rule sets with RULE_STRONG_ATTACKS
} ChaseFinding;

// Returns true if the finding is a chase.
ALWAYS_INLINE bool chase_counts(ChaseFinding finding) {
    return finding >= CHASE_UNPROTECTED;
}

// Judges whether the piece of `side` on the point `attacker` chases the enemy piece on the point
// `target`, as if `side` were to move. `traits` are the RULE_* bits of the rule set.
ChaseFinding chase_examine(unsigned traits, const Position *position, Side side, int attacker,
                           int target);

// Returns those points of `candidates` whose piece is chased by `side`. It does not matter which
// side is to move.
Bitboard chase_targets(unsigned traits, const Position *position, Side side, Bitboard candidates);

// Returns true if the piece of `side` on `attacker` reaches `target` and its move there would not
// expose the general of `side`. It does not matter which side is to move. The attacker must not be
// the general. Enemies that already give check are ignored, because the capture does not make their
// check worse.
bool chase_capture_legal(const Position *position, Side side, int attacker, int target);

// The protectors ("roots" in Chinese rules) of the piece on `target`, if the piece of `side` on
// `attacker` captures it. `all`: enemy pieces that attack the point `target` after the capture.
// `real`: the pieces of `all` whose recapture would be legal.
typedef struct ChaseRoots {
    Bitboard all, real;
} ChaseRoots;
ChaseRoots chase_roots(const Position *position, Side side, int attacker, int target);

// Returns the enemy pieces that attack the general of `side`. An enemy general that faces it is
// included.
Bitboard chase_checkers(const Position *position, Side side);

// Returns the enemy pieces that pin the piece on `square` to its general, including an enemy
// general that would face this general. Empty if the piece is not pinned. For a general the result
// has no meaning.
Bitboard chase_pinners(const Position *position, int square);

// The new chases of a move, which must not give check. The sets contain points of the position
// `after` the move, and only points of `candidates` are tested. `all`: pieces that are chased after
// the move and were not chased before it. `direct`: pieces of `all` with a chaser that could not
// capture them before the move. The chasers of the other pieces could capture them before, too, but
// this was no chase, usually because the pieces were protected.
typedef struct ChaseNews {
    Bitboard all, direct;
} ChaseNews;
ChaseNews chase_news(unsigned traits, const Position *before, Move move, const Position *after,
                     Bitboard candidates);

// Returns true if a move newly threatens mate: if the other side passed, the side that moved could
// mate by consecutive checks, and it could not do so before the move. Chinese rules call this a
// "kill" and treat it like a chase. The search for a mate tries at most three consecutive checks
// and fewer than 4,000 checking moves in each of the two positions, so it does not find every
// threat.
bool mate_threat_is_new(const Position *before, const Position *after);

// SPDX-License-Identifier: GPL-3.0-or-later
// Detects chases by the traits of a rule set: the captures that a side threatens, the threats that
// a move newly creates, and why an attack counts as a chase or not.
#pragma once

#include "core/board/position.h"

// The judgement of one piece's attack on another piece.
typedef enum ChaseFinding {
    CHASE_NO_ATTACK,     // no attack: the attacker cannot reach the target
    CHASE_FREE_ATTACKER, // no chase: the attacker is a general or soldier, which may always attack
    CHASE_HOME_SOLDIER,  // no chase: the target is a soldier on its own half, which may always be
                         // attacked
    CHASE_PINNED,        // no chase: the attacker is pinned by another piece than the target
    CHASE_ILLEGAL,       // no chase: the capture would expose the attacker's own general
    CHASE_OFFER,       // no chase but an offer to exchange: both pieces have the same type, and the
                       // target could capture the attacker
    CHASE_PROTECTED,   // no chase: the target is protected, because a piece could legally recapture
    CHASE_UNPROTECTED, // chase: no piece could legally recapture
    CHASE_STRONGER,    // chase of a target of a stronger type, whether it is protected or not
} ChaseFinding;

// Returns true if the finding means a chase.
ALWAYS_INLINE bool chase_counts(ChaseFinding finding) {
    return finding >= CHASE_UNPROTECTED;
}

// Judges whether the piece of `side` on `attacker` chases the enemy piece on `target`, as if `side`
// were to move. The traits are those of core/rules/rules.def.
ChaseFinding chase_examine(unsigned traits, const Position *position, Side side, int attacker,
                           int target);

// Returns those points of `candidates` whose piece is chased by `side`. It does not matter which
// side is to move.
Bitboard chase_targets(unsigned traits, const Position *position, Side side, Bitboard candidates);

// Returns true if `side` can capture on `target` with the piece on `attacker`, whichever side is to
// move. The attacker must not be the general. Protection of the target is ignored. Enemies that
// already give check are also ignored, because the capture does not make their check worse.
bool chase_capture_legal(const Position *position, Side side, int attacker, int target);

// The protectors ("roots" in Chinese rules) of `target` against a capture by the piece of `side` on
// `attacker`. `all`: enemy pieces that reach the point after the capture. `real`: the part of `all`
// whose recapture would be legal.
typedef struct ChaseRoots {
    Bitboard all, real;
} ChaseRoots;
ChaseRoots chase_roots(const Position *position, Side side, int attacker, int target);

// Returns the enemy pieces that attack the general of `side`. An enemy general that faces it is
// included.
Bitboard chase_checkers(const Position *position, Side side);

// Returns the enemy pieces that pin the piece on `square` to its general, including an enemy
// general that would face its general. Empty if the piece is not pinned. The piece must not be the
// general.
Bitboard chase_pinners(const Position *position, int square);

// The chases that a move newly creates. The move gives no check. The sets contain points of the
// position `after` the move, and only points of `candidates` are tested. `all`: all newly chased
// targets. `direct`: targets of a piece that could not capture them before. The other targets could
// be captured before, but this was no chase, usually because they were protected.
typedef struct ChaseNews {
    Bitboard all, direct;
} ChaseNews;
ChaseNews chase_news(unsigned traits, const Position *before, Move move, const Position *after,
                     Bitboard candidates);

// Returns true if a move newly threatens mate (a "kill"). Chinese rules treat this as an attack. It
// means: if the other side passed, the side that moved could mate by consecutive checks, and it had
// no such threat before the move. The search tries at most three consecutive checks and 4,000
// checking moves in total, so it does not find every threat.
bool mate_threat_is_new(const Position *before, const Position *after);

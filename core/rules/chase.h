// SPDX-License-Identifier: GPL-3.0-or-later
// Chases under the traits of a rule set: the captures that a side threatens, the threats that a
// move newly creates, and why an attack counts as a chase or not.
#pragma once

#include "core/board/position.h"

// The finding on one attack of a piece on another.
typedef enum ChaseFinding {
    CHASE_NO_ATTACK,     // the attacker does not attack the target
    CHASE_FREE_ATTACKER, // the attacker is a general or soldier, which may chase
    CHASE_HOME_SOLDIER,  // the target is a soldier on its own half, which may be chased
    CHASE_PINNED,        // the attacker is pinned, and not by the target
    CHASE_ILLEGAL,       // the capture would expose the own general
    CHASE_OFFER,       // an offer to exchange: same type, and the target could capture the attacker
    CHASE_PROTECTED,   // a piece could legally recapture
    CHASE_UNPROTECTED, // a chase: no piece could legally recapture
    CHASE_STRONGER,    // a chase, protected or not: the target is of a stronger type
} ChaseFinding;

// Returns true if the finding is a chase.
ALWAYS_INLINE bool chase_counts(ChaseFinding finding) {
    return finding >= CHASE_UNPROTECTED;
}

// Judges the attack of `side`'s piece on `attacker` on the enemy piece on `target`, as if `side`
// were to move. The traits come from core/rules/rules.def.
ChaseFinding chase_examine(unsigned traits, const Position *position, Side side, int attacker,
                           int target);

// Returns the points of `candidates` with a piece that `side` chases, whoever is to move.
Bitboard chase_targets(unsigned traits, const Position *position, Side side, Bitboard candidates);

// Returns true if `side` can capture on `target` with the piece on `attacker`, whoever is to move.
// The piece must not be the general. Protection is ignored. Enemies that already give check are
// ignored too, because the capture does not make that check worse.
bool chase_capture_legal(const Position *position, Side side, int attacker, int target);

// The protectors of `target` against a capture by the piece on `attacker`. all: enemies that reach
// the point after the capture. real: those whose recapture would be legal.
typedef struct ChaseRoots {
    Bitboard all, real;
} ChaseRoots;
ChaseRoots chase_roots(const Position *position, Side side, int attacker, int target);

// Returns the enemies that attack the general of `side`, including a general that faces it.
Bitboard chase_checkers(const Position *position, Side side);

// Returns the enemies that pin the piece on `square` to its general, including a general that would
// face it. Empty if it is not pinned. The piece must not be the general.
Bitboard chase_pinners(const Position *position, int square);

// The new chases of a move that gives no check, as points in the position `after` the move; only
// points of `candidates` are tested. direct: targets of a piece that could not capture them before.
// The other targets in `all` only lost their protection.
typedef struct ChaseNews {
    Bitboard all, direct;
} ChaseNews;
ChaseNews chase_news(unsigned traits, const Position *before, Move move, const Position *after,
                     Bitboard candidates);

// Returns true if a move newly threatens mate (a "kill"), which Chinese rules treat as an attack.
// After a pass of the other side, the side that moved could mate by checks alone, and could not do
// so before its move. The search has at most three checks and a limited number of positions, so
// longer threats are not found.
bool mate_threat_is_new(const Position *before, const Position *after);

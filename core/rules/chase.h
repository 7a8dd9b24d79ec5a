// SPDX-License-Identifier: GPL-3.0-or-later
// Chases, by the traits of a rule set: the captures that a side threatens, those of them that a
// move newly made, and why an attack counts or does not.
#pragma once

#include "core/board/position.h"

// The judgement on one attack of a piece on another.
typedef enum ChaseFinding {
    CHASE_NO_ATTACK,     // the attacker cannot go there
    CHASE_FREE_ATTACKER, // generals and soldiers may chase
    CHASE_HOME_SOLDIER,  // a soldier before the river may be chased
    CHASE_PINNED,        // the attacker is pinned, and not by the target
    CHASE_ILLEGAL,       // the capture would expose the attacker's own general
    CHASE_OFFER,         // same kind, and the target could take the attacker: an offer to exchange
    CHASE_PROTECTED,     // after the capture a piece could legally recapture
    CHASE_UNPROTECTED,   // a chase: nobody could legally recapture
    CHASE_STRONGER,      // a chase, protected or not: the target is the stronger kind
} ChaseFinding;

ALWAYS_INLINE bool chase_counts(ChaseFinding finding) {
    return finding >= CHASE_UNPROTECTED;
}

// Judges the attack of `side`'s piece on `attacker` on the other side's piece on `target` under
// these traits (core/rules/rules.def), as if it were `side`'s turn in the position.
ChaseFinding chase_examine(unsigned traits, const Position *position, Side side, int attacker,
                           int target);

// The static chase: those of the `candidates` (points) that hold a piece which `side` chases.
Bitboard chase_targets(unsigned traits, const Position *position, Side side, Bitboard candidates);

// Can `side` take on `target` with the piece on `attacker` (not its general), its turn or not?
// Protection is ignored, and so are pieces that attack its general already: a check is not made
// worse by a capture.
bool chase_capture_legal(const Position *position, Side side, int attacker, int target);

// The protectors of `target` against `side`'s piece on `attacker`: the pieces of the other side
// that reach the point after the capture, and those of them whose recapture would be legal.
typedef struct ChaseRoots {
    Bitboard all, real;
} ChaseRoots;
ChaseRoots chase_roots(const Position *position, Side side, int attacker, int target);

// The enemies that attack the general of `side`, the other general across an open file among them.
Bitboard chase_checkers(const Position *position, Side side);

// Pieces whose attack on its own general the piece on `square` holds back (an enemy general across
// an open file among them): it is pinned by them. Empty: not pinned. Not for the general itself.
Bitboard chase_pinners(const Position *position, int square);

// The new chases of a move (not a check) among the `candidates`: points in `after`, which is the
// position after the move. direct: those that a piece attacks which could not take them before;
// the others of `all` only lost their protection.
typedef struct ChaseNews {
    Bitboard all, direct;
} ChaseNews;
ChaseNews chase_news(unsigned traits, const Position *before, Move move, const Position *after,
                     Bitboard candidates);

// Mate threats ("kills"), which the Chinese rules treat as attacks: does the side that moved from
// `before` to `after` threaten, after a pass of the other side, to mate by checks alone, and could
// it not do so before its move? The threat is looked for to a depth of three checks and with a
// bound on the work, so a longer or wider one is not seen.
bool mate_threat_is_new(const Position *before, const Position *after);

// SPDX-License-Identifier: GPL-3.0-or-later
// The tactics of the source documents, found in a move.
#pragma once

#include "core/board/position.h"

typedef enum Tactic {
#define TACTIC(id, name, meaning) TACTIC_##id,
#include "core/rules/tactics.def"
    TACTIC_COUNT
} Tactic;
const char *tactic_name(Tactic tactic);

// The tactics that a legal move brings about, bits 1 << tactic: those with a victim that was none
// of this tactic before the move. Worth taking is the general, a dearer kind than the attacker, and
// what nobody guards.
unsigned tactics_of_move(const Position *before, Move move);

// SPDX-License-Identifier: GPL-3.0-or-later
// Detects which of the usual tactics (fork, pin and others, see tactics.def) a move creates.
#pragma once

#include "core/board/position.h"

typedef enum Tactic {
#define TACTIC(id, name, meaning) TACTIC_##id,
#include "core/rules/tactics.def"
    TACTIC_COUNT
} Tactic;
const char *tactic_name(Tactic tactic);

// Returns the tactics that a legal move creates, as bits 1 << tactic. TACTIC_DISCOVERED is created
// if the moved piece opened the attack. Any other tactic is created if the move adds a victim to
// it. A capture wins material if the target is the general, is worth more than the attacker, or is
// unprotected.
unsigned tactics_of_move(const Position *before, Move move);

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

// Returns the tactics that a legal move creates, as bits 1 << tactic. TACTIC_DISCOVERED counts if
// the move itself opened the attack. Every other tactic counts if it has a victim after the move
// that it did not have before. A capture wins material if the target is the general, is worth more
// than the attacker, or is unprotected.
unsigned tactics_of_move(const Position *before, Move move);

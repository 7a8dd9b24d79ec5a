// SPDX-License-Identifier: GPL-3.0-or-later
// Positions for property tests.
#pragma once

#include <string.h>

#include "core/base/random.h"
#include "core/board/position.h"
#include "core/rules/game.h"

// Recomputes all members that follow from board[], and compares them.
ALWAYS_INLINE bool position_is_consistent(const Position *position) {
    Position mirrored, rebuilt;
    position_mirror(position, &mirrored);
    position_mirror(&mirrored, &rebuilt);
    return memcmp(rebuilt.by_type, position->by_type, sizeof rebuilt.by_type) == 0 &&
           memcmp(rebuilt.by_side, position->by_side, sizeof rebuilt.by_side) == 0 &&
           memcmp(rebuilt.rank, position->rank, sizeof rebuilt.rank) == 0 &&
           memcmp(rebuilt.file, position->file, sizeof rebuilt.file) == 0 &&
           memcmp(rebuilt.general, position->general, sizeof rebuilt.general) == 0 &&
           rebuilt.key == position->key;
}

// Plays one random legal move. Starts a new game if there is none, or after 200 plies.
void positions_random_step(Random *random, Position *position);

// Makes a legal position with many pieces of one type on few files: up to five soldiers a side on
// at most three files, and chariots, horses and cannons in pairs. Returns true if one was found,
// which in practice is always.
bool positions_random_crowd(Random *random, Position *position);

// Places pieces at random, half of the attackers near the enemy's palace: checks, pins, hollow
// cannons, screens of both sides, generals that face each other over one piece. Returns false if
// the placement is not a legal position; about every third one is.
bool positions_random_siege(Random *random, Position *position);

// Writes the position with the colours exchanged, the board turned by ranks.
void positions_swap_colours(const Position *position, Position *swapped);

// Writes the game in a mirror, or with the colours exchanged. `image` must be a game or zero.
void positions_game_image(const Game *game, bool mirror, bool swap, Game *image);

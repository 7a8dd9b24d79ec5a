// SPDX-License-Identifier: GPL-3.0-or-later
// Positions for property tests.
#pragma once

#include <string.h>

#include "core/base/random.h"
#include "core/board/position.h"
#include "core/rules/game.h"

// Recomputes everything that follows from board[] and compares.
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

// One random legal move on; a new game from the start where there is none, or after 200 plies.
void positions_random_step(Random *random, Position *position);

// A legal position with many of a kind on few files: up to five soldiers a side on up to three
// files, chariots, horses and cannons in pairs. Returns whether one was found (it always is in
// practice).
bool positions_random_crowd(Random *random, Position *position);

// Pieces at random, half of the attackers about the enemy's palace: checks, pins, hollow cannons,
// screens of both sides, generals that face each other over one piece. False when the placement is
// no legal position; about every third is.
bool positions_random_siege(Random *random, Position *position);

// The same position with the colours exchanged (board turned by ranks).
void positions_swap_colours(const Position *position, Position *swapped);

// The same game seen in a mirror, or played with the colours exchanged. `image` is a game already,
// or zero.
void positions_game_image(const Game *game, bool mirror, bool swap, Game *image);

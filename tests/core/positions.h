// SPDX-License-Identifier: GPL-3.0-or-later
// Makes random positions, and mirrored or colour-swapped positions and games, for property tests.
#pragma once

#include <string.h>

#include "core/base/random.h"
#include "core/board/position.h"
#include "core/rules/game.h"

// Returns true if all members of the position that are computed from board[] have the right values.
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

// Plays one random legal move, or starts a new game instead if there is no legal move or 200 plies
// were played.
void positions_random_step(Random *random, Position *position);

// Makes a legal position with many pieces of one type on few files. Each side has up to five
// soldiers on at most three files, and up to two pieces of every other type. Returns false if no
// legal position was found, which practically never happens.
bool positions_random_crowd(Random *random, Position *position);

// Places pieces at random, many of them near the enemy's palace. This produces checks, pins, hollow
// cannons, screens of both sides, and generals that face each other across one piece. Returns false
// if the result is not a legal position.
bool positions_random_siege(Random *random, Position *position);

// Writes the position with the colours of all pieces and of the side to move exchanged, and the
// ranks reversed.
void positions_swap_colours(const Position *position, Position *swapped);

// Writes a copy of the game to *image: mirrored if `mirror`, with the colours exchanged if `swap`.
// *image must be a game or all zero.
void positions_game_image(const Game *game, bool mirror, bool swap, Game *image);

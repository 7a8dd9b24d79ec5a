// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation (the value of a sequence of captures on one square), and checks of
// single moves, both without a search.
#pragma once

#include "core/board/position.h"

// Returns the exchange value of the piece on a square, in units. The values are those of the source
// documents; a general is worth more than everything else.
int see_piece_value(const Position *position, int square);

// Returns all squares from which a piece of the side to move may give check. It is a superset: from
// some of them no piece does.
Bitboard see_check_points(const Position *position);
// Returns true if the moved piece attacks the enemy's general from its target square. The move must
// be pseudo-legal. Discovered checks are not detected.
bool see_direct_check(const Position *position, Move move);

// Returns true if the exchange that begins with `move` (pseudo-legal, captures and quiet moves)
// wins at least `threshold` units for the side to move. Both sides recapture with their least
// valuable piece, or stop. Of equal pieces the order is soldier, advisor, elephant, horse, cannon,
// chariot, then the lowest square. Lines are examined again after each capture, so cannons gain and
// lose screens as in play. A piece keeps the value of the square that it came from. Pins are
// ignored, but a general does not capture where it would be taken.
bool see_at_least(const Position *position, Move move, int threshold);

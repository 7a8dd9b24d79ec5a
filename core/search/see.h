// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation (the value of a sequence of captures on one square) and tests whether
// a move gives check. Both work without a search.
#pragma once

#include "core/board/position.h"

// Returns the value of the piece on a square for exchanges, in units; 0 for an empty square. The
// values are those of weights_classic(). The value of a general exceeds that of all other pieces of
// its side together.
int see_piece_value(const Position *position, int square);

// Returns a set that contains all squares from which a piece of the side to move could give check,
// and some other squares.
Bitboard see_check_points(const Position *position);
// Returns true if the moved piece attacks the enemy's general from its target square. The move must
// be pseudo-legal. Discovered checks are not detected.
bool see_direct_check(const Position *position, Move move);

// Returns true if the exchange that begins with `move` (pseudo-legal; captures and quiet moves)
// wins at least `threshold` units for the side to move. Each side captures with its least valuable
// piece (of several with this value, the one on the lowest square), or stops. Attacks are computed
// again after each capture, so cannons gain and lose screens as in play. A piece keeps the value
// that it had on its original square. Pins are ignored, but a general does not capture if it could
// then be captured.
bool see_at_least(const Position *position, Move move, int threshold);

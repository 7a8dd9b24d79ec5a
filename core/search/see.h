// SPDX-License-Identifier: GPL-3.0-or-later
// What a move does at once, without a search: static exchange evaluation (what a sequence of
// captures on one point is worth), and checks.
#pragma once

#include "core/board/position.h"

// Exchange values in units: those of the source documents, a general above everything.
int see_piece_value(const Position *position, int square);

// All points from which some piece of the side to move may check; more than there are in truth.
Bitboard see_check_points(const Position *position);
// Does the piece that moves (pseudo-legally) attack the enemy's general from where it goes? Checks
// that it uncovers are not seen.
bool see_direct_check(const Position *position, Move move);

// Is the exchange that begins with `move` (pseudo-legal; quiet moves too) worth at least
// `threshold` to the side to move when both sides always recapture with their least valuable piece
// (of equal ones the soldier, advisor, elephant, horse, cannon, chariot, and then the lowest
// square), or stop? Lines are looked up again after each capture, so that cannons gain and lose
// their screens as they do in play. A piece is worth what it is where it comes from. Pins are not
// seen, but a general does not capture where it would be taken.
bool see_at_least(const Position *position, Move move, int threshold);

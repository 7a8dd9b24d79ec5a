// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation: what a sequence of captures on one point is worth.
#pragma once

#include "core/board/position.h"

// Exchange values in units: those of the source documents, a general above everything.
int see_piece_value(const Position *position, int square);

// Is the exchange that begins with `move` (pseudo-legal; quiet moves too) worth at least
// `threshold` to the side to move when both sides always recapture with their least valuable piece
// (of equal ones the soldier, advisor, elephant, horse, cannon, chariot, and then the lowest
// square), or stop? Lines are looked up again after each capture, so that cannons gain and lose
// their screens as they do in play. A piece is worth what it is where it comes from. Pins are not
// seen, but a general does not capture where it would be taken.
bool see_at_least(const Position *position, Move move, int threshold);

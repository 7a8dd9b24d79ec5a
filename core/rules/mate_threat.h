// SPDX-License-Identifier: GPL-3.0-or-later
// Mate threats ("kills"), which the Chinese rules treat as attacks.
#pragma once

#include "core/board/position.h"

// Does the side that moved from `before` to `after` threaten, after a pass of the other side, to
// mate by checks alone, and could it not do so before its move? The threat is looked for to a depth
// of three checks and with a bound on the work, so a longer or wider one is not seen.
bool mate_threat_is_new(const Position *before, const Position *after);

// Can the side to move mate with at most `checks` checks in a row? *budget falls by one for each
// position; at 0 the answer is no.
bool mate_threat_exists(const Position *position, int checks, int *budget);

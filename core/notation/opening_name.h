// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings.
#pragma once

#include "core/board/types.h"

enum {
    OPENING_NAME_PLIES = 2, // no pattern has more moves
    OPENING_NAME_COUNT = 0
#define OPENING(name, moves) +1
#include "core/notation/openings.def"
};

// The opening, an index of openings.def, that these first moves of a game from the usual start are;
// -1 when they are none of them.
int opening_of_moves(const Move *moves, size_t count);
const char *opening_name(int opening); // "none of them" for -1

// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings.
#pragma once

#include "core/board/types.h"

enum {
    OPENING_NAME_PLIES = 2, // number of moves of the longest opening in openings.def
    OPENING_NAME_COUNT = 0
#define OPENING(name, moves) +1
#include "core/notation/openings.def"
};

// Returns the index in openings.def of the opening that a game with these moves begins with, or -1
// if it begins with none. The game must begin at the start position.
int opening_of_moves(const Move *moves, size_t count);
// Returns the name of the opening with this index in openings.def, or "none of them" for -1.
const char *opening_name(int opening);

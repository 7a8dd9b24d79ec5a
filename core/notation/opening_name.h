// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings.
#pragma once

#include "core/board/types.h"

enum {
    OPENING_NAME_PLIES = 2, // number of plies of the longest opening in openings.def
    OPENING_NAME_COUNT = 0
#define OPENING(name, moves) +1
#include "core/notation/openings.def"
};

// Returns the index in openings.def of the longest opening with which these moves of a game begin,
// or -1 if they begin with none. The game must begin at the start position. Mirror images of the
// openings also count.
int opening_of_moves(const Move *moves, size_t count);
// Returns the name of the opening with this index in openings.def, or "none of them" for -1.
const char *opening_name(int opening);

// SPDX-License-Identifier: GPL-3.0-or-later
// Names of openings.
#pragma once

#include "core/board/types.h"

enum {
    OPENING_NAME_PLIES = 2, // the longest pattern in openings.def
    OPENING_NAME_COUNT = 0
#define OPENING(name, moves) +1
#include "core/notation/openings.def"
};

// Returns the index in openings.def of the opening that these moves from the start position begin
// with, or -1 if there is none.
int opening_of_moves(const Move *moves, size_t count);
const char *opening_name(int opening); // "none of them" for -1

// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: random plies that a short search finds balanced.
#pragma once

#include "core/base/random.h"
#include "core/search.h"

typedef struct OpeningSpec {
    int plies;      // random plies
    int window;     // kept when |score| of the search is at most this, units
    uint64_t nodes; // of the balancing search
} OpeningSpec;

enum { OPENING_MAX_PLIES = 60, OPENING_TRIES = 1000 };

// Plays random legal plies from `start` into *game until one set is balanced, not ended and not in
// check. A function of the arguments and the state of *random alone: the search is cleared first.
// STATUS_NOT_FOUND when OPENING_TRIES sets were all refused.
Status opening_make(const OpeningSpec *spec, const Position *start, const Rules *rules,
                    Random *random, Search *search, Game *game, Err *err);

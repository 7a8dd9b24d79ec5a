// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: where the games of a run begin. From a book, or random plies that a search finds
// balanced.
#pragma once

#include "core/base/random.h"
#include "core/search/search.h"
#include "selfplay/openings/book.h"
#include "selfplay/run/odds_game.h"

// Random plies, and what is asked of the position they lead to.
typedef struct RandomOpening {
    int plies;      // random plies
    int window;     // kept when |score| of the search is at most this, units
    uint64_t nodes; // of the balancing search; 0: every opening is kept
    int softmax; // 0: moves are equally likely; else: exp(score / softmax), scores by a search of
                 // one ply of every move, in units
} RandomOpening;

typedef struct OpeningSource {
    const Book *book;     // NULL: the initial position
    const Odds *odds;     // a handicap with its own start; NULL: an even game. Not with a book
    bool shuffled;        // the book in an order that the seed decides; else as it stands
    RandomOpening random; // played after the book's moves; plies 0: none
} OpeningSource;

// How many different openings there are at most; 0: as many as are asked for, because random plies
// follow.
uint64_t openings_distinct(const OpeningSource *source);

enum { OPENING_MAX_PLIES = 60, OPENING_TRIES = 1000 };

// Plays the random plies behind the game's present position; false when the game ended on the way.
bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         Search *search, OddsGame *og);
// Not in check, and within the window around `level` by the search (which is cleared first).
bool opening_is_balanced(const RandomOpening *spec, Search *search, const OddsGame *og, int level);

// Plays opening `index` of the run `seed` into *og (odds_game_init() done). Balanced with a
// handicap means: near the score of its start. A function of the source, seed, index, rules, and
// the search's weights alone: the search is cleared first and left in any state. STATUS_NOT_FOUND
// when OPENING_TRIES sets of random plies were all refused.
Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err);

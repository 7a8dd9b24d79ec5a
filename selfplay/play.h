// SPDX-License-Identifier: GPL-3.0-or-later
// Plays one game between two searches and writes down everything that happened.
#pragma once

#include "core/search.h"
#include "datasets/record.h"

// When a game ends before the rules end it. Zero switches a rule off.
typedef struct Adjudication {
    int resign_score; // units: both sides agree that one is ahead by at least this ...
    int resign_plies; // ... on this many plies in a row
    int draw_score;   // both sides are within this ...
    int draw_plies;   // ... on this many plies in a row,
    int draw_after;   // not before this ply of the game
    int max_plies;    // a draw at this length
} Adjudication;

typedef struct PlaySpec {
    Rules rules;
    Adjudication adjudication;
    SearchLimits limits[SIDE_COUNT]; // of each move, by colour
} PlaySpec;

// A finished game; the arrays are reused by the next one.
typedef struct PlayedGame {
    GameRecord record;
    PlyRecord *plies;
    size_t capacity;
    uint64_t nodes; // of all searches
} PlayedGame;

void played_game_clear(PlayedGame *played);

// Plays *game, whose plies so far are the opening, to its end with players[RED] and players[BLACK]
// (they may be one search) and fills *played. Searches are not cleared here. Positions that are
// quiet (not in check, the move played captures nothing, no mate in sight, not of the opening) are
// marked as sampled. STATUS_INTERRUPTED when *stop is set on the way: the game is then not
// complete.
Status play_game(const PlaySpec *spec, Search *const players[SIDE_COUNT], Game *game,
                 PlayedGame *played, const atomic_bool *stop, Err *err);

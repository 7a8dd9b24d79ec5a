// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of first moves of stored games, and their players, with results and Elo.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "core/base/status.h"

enum { OPENINGS_MAX_DEPTH = 40 }; // plies

typedef struct OpeningsSpec {
    int depth;             // depth of the tree, plies
    int min_games;         // omit moves, or players, with fewer games
    bool players;          // print the players in the tags instead of the moves
    bool json;             // print JSON lines instead of a table
    const char *page_path; // write an HTML page to this file instead of the table; may be NULL
} OpeningsSpec;

// Reads the games of run directories and shards, and prints the tree or the players to `out`, or to
// the page. The last lines count the games. Finishes the progress line.
Status openings_print(const OpeningsSpec *spec, const char *const *paths, size_t count, FILE *out,
                      Progress *progress, Err *err);

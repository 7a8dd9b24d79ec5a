// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how stored games began: the tree of first moves, or a table of the players, with results
// and Elo.
#pragma once

#include <stdio.h>

#include "core/base/status.h"
#include "core/command/progress.h"

enum { OPENINGS_MAX_DEPTH = 40 }; // largest depth of the tree, plies

typedef struct OpeningsSpec {
    int depth;     // depth of the tree, plies
    int min_games; // omit moves or players with fewer games than this
    bool players;  // print a table of the players named in the tags, instead of the tree of moves
    bool json;     // print JSON lines instead of a table
    const char *page_path; // path of an HTML page that is written instead of the table, or NULL
} OpeningsSpec;

// Reads the games of run directories and shards. Prints the tree of moves or the table of players
// to `out`. If page_path is set, writes the tree or the table to this HTML page instead. The last
// lines of `out` have the number of games in both cases. Finishes the progress line.
Status openings_print(const OpeningsSpec *spec, const char *const *paths, size_t count, FILE *out,
                      Progress *progress, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stored games in which a position, a set of pieces (material) or a term of the
// evaluation occurs.
#pragma once

#include <stdio.h>

#include "core/base/status.h"
#include "core/command/progress.h"

typedef struct FindSpec {
    // The target of the search: exactly one of these four members is set. With `fen` and `line`
    // (moves from the initial position), the mirror image of the position is found too. With
    // `material`, the same pieces with exchanged colours are found too. `term` is the name of a
    // term of the evaluation, or a pattern with * and ?.
    const char *fen, *line, *material, *term;
    const char *out; // name of a file, or of a folder with '/' at the end, to which the found games
                     // are also written; may be NULL
    int limit; // largest number of lines to print; games (with `term`: positions) beyond it are
               // only counted
    bool json; // print JSON objects instead of lines
} FindSpec;

// Searches the games of run directories and shards. Prints a line for each game in which the target
// occurs. When searching for a term, instead prints a line for each position in which an entry of
// the term (such as a square of a table) occurs more often for one side than for the other. The
// last field of that line is the FEN. Prints at most spec->limit lines, and finally the total
// counts.
Status find_games(const FindSpec *spec, const char *const *paths, size_t count, FILE *out,
                  Progress *progress, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stored games in which a position, a material or a term of the evaluation occurs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "core/base/status.h"

typedef struct FindSpec {
    // The target of the search: exactly one of these four members is set. The mirror image of a
    // position is found as well; for material, also the same material with exchanged colours.
    // `term` is the name of a term of the evaluation, or a pattern with * and ?.
    const char *fen, *line, *material, *term;
    const char *out; // file to which the found games are also written; may be NULL
    int limit;       // largest number of lines to print; games beyond it are only counted
    bool json;
} FindSpec;

// Searches the games of run directories and shards. Prints to `out` a line for each game that
// fits, and finally the sums. When searching for a term, prints a line for each position in which
// one side has the term more often than the other; the last field of that line is the FEN.
Status find_games(const FindSpec *spec, const char *const *paths, size_t count, FILE *out,
                  Progress *progress, Err *err);

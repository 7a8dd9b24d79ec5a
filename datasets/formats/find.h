// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stored games in which a position, a material or a term of the evaluation occurs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "core/base/status.h"

typedef struct FindSpec {
    // Exactly one of these is set. Mirror images are found, too; for material, also exchanged
    // colours. `term` is a name or a pattern with * and ?.
    const char *fen, *line, *material, *term;
    const char *out; // also write the games to this file; may be NULL
    int limit;       // number of lines to print; all games are counted
    bool json;
} FindSpec;

// Searches the games of run directories and shards. Prints each game that was found and the sums to
// `out`; for a term each ply at which one side has more of it, with the FEN as the last field.
Status find_games(const FindSpec *spec, const char *const *paths, size_t count, FILE *out,
                  Progress *progress, Err *err);

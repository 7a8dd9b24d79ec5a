// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the stored games in which a position or a material occurs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "core/base/status.h"

typedef struct FindSpec {
    // Exactly one of these is set. Mirror images are found, too; for material, also exchanged
    // colours.
    const char *fen, *line, *material;
    const char *out; // also write the games to this file; may be NULL
    int limit;       // number of games to print; all are counted
    bool json;
} FindSpec;

// Searches the games of run directories and shards. Prints each game that was found and the sums to
// `out`.
Status find_games(const FindSpec *spec, const char *const *paths, size_t count, FILE *out,
                  Progress *progress, Err *err);

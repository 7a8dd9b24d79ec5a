// SPDX-License-Identifier: GPL-3.0-or-later
// The games that `paotai term` plays itself when no run is given.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"

typedef struct TermGamesSpec {
    const char *out;     // directory in which runs are kept
    const char *weights; // weights of both players
    uint64_t games, nodes, seed;
    int threads;
    Progress *progress;
} TermGamesSpec;

// Plays the games that the run does not have yet, with the other options of self-play at their
// defaults. The name of the run contains weights, nodes and seed: later calls with the same values
// find its games, also for another term. Appends its path to *run. STATUS_INTERRUPTED after Ctrl-C;
// finished games are kept.
Status term_games_play(const CommandCall *call, const TermGamesSpec *spec, Text *run, Err *err);

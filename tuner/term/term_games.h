// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play games of `paotai term`, if no run is given.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"

typedef struct TermGamesSpec {
    const char *out;     // directory of the runs
    const char *weights; // weights of both players
    uint64_t games, nodes, seed;
    int threads;
    Progress *progress;
} TermGamesSpec;

// Plays the games that the run does not have yet. All other options have the defaults of selfplay.
// The name of the run contains weights, nodes and seed, so later calls with equal values find its
// games, also for another term. Appends the path of the run to *run. Returns STATUS_INTERRUPTED
// after Ctrl-C; finished games are kept.
Status term_games_play(const CommandCall *call, const TermGamesSpec *spec, Text *run, Err *err);

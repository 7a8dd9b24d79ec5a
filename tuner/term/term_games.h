// SPDX-License-Identifier: GPL-3.0-or-later
// Plays self-play games for `paotai term`, which calls it if no runs are given.
#pragma once

#include "core/command/options.h"
#include "core/command/progress.h"

typedef struct TermGamesSpec {
    const char *out;     // directory in which runs are stored
    const char *weights; // weights with which both sides play
    uint64_t games, nodes, seed;
    int threads;
    Progress *progress;
} TermGamesSpec;

// Plays the games that the run does not contain yet. Options that `spec` does not set have the
// defaults of `paotai selfplay`. The name of the run contains weights, nodes and seed. A later call
// with equal values thus finds the games, even if another term is studied. Appends the path of the
// run to *run. Returns STATUS_INTERRUPTED after Ctrl-C; finished games are kept.
Status term_games_play(const CommandCall *call, const TermGamesSpec *spec, Text *run, Err *err);

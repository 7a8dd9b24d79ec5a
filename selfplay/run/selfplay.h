// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play: game i of a run is a function of the seed, i, the options, the weights and the rules
// alone, on any thread and at any time.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

typedef struct SelfplaySpec {
    Schedule schedule;
    const Searcher *searcher; // plays both sides; its engine finds the openings
    PlaySpec play;
    uint64_t seed;
    const OpeningSource *openings;
} SelfplaySpec;

// Plays the games that the run directory does not hold yet, and prints what was done where the
// schedule's lines go.
Status selfplay_run(SelfplaySpec *spec, Progress *progress, Err *err);

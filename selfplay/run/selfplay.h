// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play: game i of a run is a function of the seed, i, the options, the weights and the rules
// alone, whoever plays it and when.
#pragma once

#include "core/base/progress.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

typedef struct SelfplaySpec {
    Schedule schedule; // but for the games of its run
    OptionRange games;
    uint64_t seed;
    const Searcher *searcher; // plays both sides; its engine finds the openings
    OpeningSource openings;
    PlaySpec play;
} SelfplaySpec;

typedef struct SelfplaySummary {
    uint64_t games, plies, positions, nodes; // played now
    uint64_t already;                        // games that were there before
    uint64_t adjudicated;                    // games that adjudication ended, or would have
    uint64_t played_on, wrong;               // of those played on; and where the end was another
    int64_t search_ns;                       // in searches of moves, all threads
    int64_t opening_ns;                      // in finding openings
    bool interrupted;
} SelfplaySummary;

// Plays the games of spec->games that the run directory does not hold yet.
Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplaySummary *summary,
                    Err *err);

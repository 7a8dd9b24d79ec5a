// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play: game i of a run is a function of the seed, i, the options, the weights and the rules
// alone, on any thread and at any time.
#pragma once

#include "core/base/json.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

typedef struct SelfplaySpec {
    Schedule schedule;
    const Searcher *searcher; // plays both sides; its engine finds the openings
    PlaySpec play;
    uint64_t seed;
    OpeningSource openings;
} SelfplaySpec;

typedef struct SelfplaySummary {
    uint64_t games, plies, positions, nodes; // of this call
    uint64_t adjudicated;                    // games that adjudication ended
    uint64_t search_ns, opening_ns;          // in searches of moves and of openings, all threads
    uint64_t already;                        // games that were there before
} SelfplaySummary;

// Adds what a run did in `seconds` to an open record.
void selfplay_record(Record *record, const SelfplaySpec *spec, const SelfplaySummary *summary,
                     double seconds);

// Plays the games that the run directory does not hold yet.
Status selfplay_run(SelfplaySpec *spec, Progress *progress, SelfplaySummary *summary, Err *err);

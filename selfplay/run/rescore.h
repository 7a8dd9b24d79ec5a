// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring: the games of a run are searched again, by other weights, with other limits or by
// another program. Moves, results and ends stay, and so does the choice of positions; scores,
// mates, depths, nodes and preferred moves are new. Game i of the new run is a function of game i
// of the source, the player and its limits alone.
#pragma once

#include "core/base/json.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// Which plies are searched again; the others get no score. None behind the referee's end of an
// imported game, and none of the extra moves of odds.
typedef enum RescorePlies {
    RESCORE_ALL,
    RESCORE_PLAYED,  // behind the opening
    RESCORE_SAMPLED, // those of the sampled positions
} RescorePlies;

typedef struct RescoreSpec {
    Schedule schedule; // but for the games of its run
    OptionRange games; // of the source
    const Searcher *searcher;
    Rules rules;
    const Store *source;
    RescorePlies plies;
} RescoreSpec;

typedef struct RescoreSummary {
    uint64_t games, plies, nodes; // of this call
    uint64_t search_ns;           // all threads
    uint64_t searched;
    uint64_t unanswered; // searches that the player failed in, twice each; no score is stored
    uint64_t compared;   // plies with a score before and now, in units, ...
    uint64_t changed;    // ... and the sum of the differences
    uint64_t agreed;     // searches that prefer the move that was played
    uint64_t already;    // games that were there before
} RescoreSummary;

// Adds what a run did in `seconds` to an open record.
void rescore_record(Record *record, const RescoreSpec *spec, const RescoreSummary *summary,
                    double seconds);

// Searches the games that the run directory does not hold yet. STATUS_ENGINE when the player
// answers nowhere in a game.
Status rescore_run(const RescoreSpec *spec, Progress *progress, RescoreSummary *summary, Err *err);

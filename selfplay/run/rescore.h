// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring: the games of a run are searched again, by other weights, with other limits or by
// another program. Moves, results and ends stay, and so does the choice of positions; scores,
// mates, depths, nodes and preferred moves are new. Game i of the new run is a function of game i
// of the source, the player and its limits alone.
#pragma once

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

// Searches the games that the run directory does not hold yet, and prints what was done where the
// schedule's lines go. STATUS_ENGINE when the player answers nowhere in a game, STATUS_REPORTED
// when it left searches without an answer.
Status rescore_run(const RescoreSpec *spec, Progress *progress, Err *err);

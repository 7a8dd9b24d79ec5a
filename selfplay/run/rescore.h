// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring searches the positions of a stored run again, with other weights, other limits or
// another program, and stores a new run. Moves, results, ends and the choice of sampled positions
// are kept; scores, mates, depths, nodes and preferred moves are replaced. Game i of the new run
// depends only on game i of the source run, the player and its limits.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// Plies whose positions are searched. The other plies get no score. Extra moves of a handicap are
// never searched. Plies of an imported game after our referee would have ended it are not searched
// either.
typedef enum RescorePlies {
    RESCORE_ALL,     // search all plies
    RESCORE_PLAYED,  // search all plies after the opening
    RESCORE_SAMPLED, // search only plies whose positions are marked as sampled
} RescorePlies;

typedef struct RescoreSpec {
    const Store *source;
    OptionRange games; // numbers of the games in the source run that are searched
    const PlayerSetup *player;
    Rules rules;
    RescorePlies plies;
} RescoreSpec;

// Searches the games that the new run (schedule->run) does not contain yet, and prints a summary to
// schedule->out. Sets schedule->run.wanted in a copy of the schedule; the caller need not set it.
// Returns STATUS_ENGINE if the player fails in all searches of a game, STATUS_REPORTED if it fails
// in some searches.
Status rescore_run(const RescoreSpec *spec, const Schedule *schedule, Progress *progress, Err *err);

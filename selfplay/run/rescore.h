// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring searches the positions of a stored run again, with other weights, other limits or
// another program, and stores a new run. Moves, results, ends and the choice of sampled positions
// are kept; scores, mates, depths, nodes and preferred moves are replaced. Unless the player is
// another program or has a limit of time, game i of the new run depends only on game i of the
// source run and on the options.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// Plies whose positions are searched. The other plies get no score. Extra moves of a handicap are
// never searched. Plies of an imported game after its `end_ply`, where the referee would have ended
// it, are not searched either.
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
// schedule->out. Sets schedule->run.wanted in a copy of the schedule; the caller need not set it. A
// search fails if the player fails in it twice. Returns STATUS_ENGINE if all searches of a game
// fail, STATUS_REPORTED if only some do.
Status rescore_run(const RescoreSpec *spec, const Schedule *schedule, Progress *progress, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring searches the positions of a stored run again, with other weights, other limits or
// another program, and stores a new run. Moves, results, end reasons and the choice of sampled
// positions are kept; scores, mates, depths, nodes and preferred moves are replaced. Game i of the
// new run depends only on game i of the source run and on the options, unless the player is another
// program, has a limit of time or searches with several threads (threads=).
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// Selection of the plies whose positions are searched. The other plies get no score. Extra moves of
// a handicap are never searched. Plies of an imported game after its `end_ply`, where the rules of
// Paotai would have ended it, are not searched either.
typedef enum RescorePlies {
    RESCORE_ALL,     // search the positions of all plies, also those of the opening
    RESCORE_PLAYED,  // search the positions of all plies after the opening
    RESCORE_SAMPLED, // search only positions that are marked as sampled
} RescorePlies;

typedef struct RescoreSpec {
    const Store *source;
    OptionRange games; // range of the numbers, in the source run, of the games to search
    const PlayerSetup *player;
    Rules rules;
    RescorePlies plies;
} RescoreSpec;

// Searches the positions of all games that are not in the new run directory (schedule->run) yet.
// Stores these games with the new scores in this directory, and prints a summary to schedule->out.
// Sets schedule->run.wanted in a copy of the schedule; the caller need not set it. A search fails
// if the player fails in it twice. Returns STATUS_ENGINE if all searches of a game fail,
// STATUS_REPORTED if only some do.
Status rescore_run(const RescoreSpec *spec, const Schedule *schedule, Progress *progress, Err *err);

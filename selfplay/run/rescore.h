// SPDX-License-Identifier: GPL-3.0-or-later
// Rescoring: searches the positions of a run again, with other weights, other limits or another
// program. Moves, results, ends and the choice of sampled positions are kept. Scores, mates,
// depths, nodes and preferred moves are replaced. Game i of the new run is a function of game i of
// the source, the player and its limits only.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// Plies to search. The other plies get no score. Extra moves of a handicap are never searched, nor
// are the plies of an imported game after the point where our referee would have ended it.
typedef enum RescorePlies {
    RESCORE_ALL,
    RESCORE_PLAYED,  // plies after the opening
    RESCORE_SAMPLED, // plies whose positions are sampled
} RescorePlies;

typedef struct RescoreSpec {
    const Store *source;
    OptionRange games; // games of the source to search
    const PlayerSetup *player;
    Rules rules;
    RescorePlies plies;
} RescoreSpec;

// Searches the games that the schedule's run does not hold yet, and prints a summary on the
// schedule's stream. The caller need not set the wanted games of the run. Returns STATUS_ENGINE if
// the player answers no search of a game, STATUS_REPORTED if some searches got no answer.
Status rescore_run(const RescoreSpec *spec, const Schedule *schedule, Progress *progress, Err *err);

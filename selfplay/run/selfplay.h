// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play. Game i of a run is a function of the seed, i, the options, the weights and the rules
// only. It does not depend on the thread, the machine or the other games.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

typedef struct SelfplayGames {
    const Searcher *searcher; // plays both sides; its engine also finds balanced openings
    PlaySpec play;
    uint64_t seed;
    const OpeningSource *openings;
} SelfplayGames;

// Plays the missing games of the schedule's run and prints a summary on the schedule's stream.
Status selfplay_run(const SelfplayGames *games, const Schedule *schedule, Progress *progress,
                    Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play. Game i of a run is a function of the seed, i, the options, the weights and the rules
// only. It does not depend on the thread, the machine or the other games.
#pragma once

#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

typedef struct SelfplayGames {
    const PlayerSetup *player; // plays both sides; its engine also finds balanced openings
    PlaySpec play;
    uint64_t seed;
    const OpeningSource *openings;
} SelfplayGames;

// The options that decide the games.
typedef struct SelfplayOptions {
    SearchOptions search;
    PlayOptions play;
    uint64_t seed;
} SelfplayOptions;

// Resolves the options, and completes *origin, which provenance_begin() has begun. The caller
// clears *openings, *player and *origin in any case; *games borrows the first two.
Status selfplay_resolve(const CommandCall *call, const SelfplayOptions *options,
                        SelfplayGames *games, OpeningSource *openings, PlayerSetup *player,
                        Provenance *origin, Err *err);

// Plays the missing games of the schedule's run. Prints a summary on the schedule's stream, if it
// has one.
Status selfplay_run(const SelfplayGames *games, const Schedule *schedule, Progress *progress,
                    Err *err);

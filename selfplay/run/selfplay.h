// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play. Game i of a run is a function of the seed, i, the options, the weights and the rules
// only. It does not depend on the thread, the machine or the other games.
#pragma once

#include "selfplay/pages/live_page.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// selfplay_games_clear() frees it.
typedef struct SelfplayGames {
    PlayerSetup player; // plays both sides; its engine also finds balanced openings
    PlaySpec play;
    uint64_t seed;
    OpeningSource openings;
    LivePage *page; // shows the run; NULL: no page; borrowed
} SelfplayGames;
void selfplay_games_clear(SelfplayGames *games);
AUTO_VALUE(SelfplayGames, selfplay_games_clear)

// The options that decide the games.
typedef struct SelfplayOptions {
    SearchOptions search;
    PlayOptions play;
    uint64_t seed;
} SelfplayOptions;

// Resolves the options, and completes *origin, which provenance_begin() has begun. The caller
// clears *games and *origin in any case.
Status selfplay_resolve(const CommandCall *call, const SelfplayOptions *options,
                        SelfplayGames *games, Provenance *origin, Err *err);

// Plays the missing games of the schedule's run. Prints a summary on the schedule's stream, if it
// has one.
Status selfplay_run(const SelfplayGames *games, const Schedule *schedule, Progress *progress,
                    Err *err);

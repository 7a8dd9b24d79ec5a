// SPDX-License-Identifier: GPL-3.0-or-later
// Self-play. Game i of a run depends only on the seed, i, the options, the weights and the rules.
// It does not depend on the thread, the machine or the other games. Exceptions are games of players
// that are other programs, have a time limit or search with several threads (threads=).
#pragma once

#include "selfplay/pages/live_page.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"

// How the games of a self-play run are played. Release with selfplay_games_clear().
typedef struct SelfplayGames {
    // Player of both sides. The linear weights of its engine, without a network, also score the
    // openings.
    PlayerSetup player;
    PlaySpec play;
    uint64_t seed;
    OpeningSource openings;
    LivePage *page; // live HTML page of the run, borrowed; NULL: no page
} SelfplayGames;
void selfplay_games_clear(SelfplayGames *games);
AUTO_VALUE(SelfplayGames, selfplay_games_clear)

// Options that decide which games are played.
typedef struct SelfplayOptions {
    SearchOptions search;
    PlayOptions play;
    uint64_t seed;
} SelfplayOptions;

// Fills *games from the options. Completes *origin, which provenance_begin() has begun. The caller
// must always clear *games and *origin.
Status selfplay_resolve(const CommandCall *call, const SelfplayOptions *options,
                        SelfplayGames *games, Provenance *origin, Err *err);

// Plays the missing games of schedule->run and updates the live page, games->page. Then prints a
// summary to schedule->out, unless schedule->out is NULL.
Status selfplay_run(const SelfplayGames *games, const Schedule *schedule, Progress *progress,
                    Err *err);

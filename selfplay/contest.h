// SPDX-License-Identifier: GPL-3.0-or-later
// What matches and tournaments share: players, openings, and the worker that plays a game of
// theirs.
#pragma once

#include "selfplay/engine_player.h"
#include "selfplay/opening.h"
#include "selfplay/play.h"

typedef struct ContestPlayer {
    PlayerSpec spec;     // limits are complete
    EngineConfig engine; // when spec.program is false
} ContestPlayer;

typedef struct Contest {
    ContestPlayer *players;
    int player_count;
    uint64_t seed;
    OpeningSource openings;
    Weights opening_weights; // of the search that finds openings balanced
    PlaySpec play;           // controls are taken from the players
    uint64_t most_faults;    // of one player: more end the contest
    struct ContestPgn *pgn;  // where the games are written; NULL: nowhere
} Contest;

// A thread's memory; players are opened when they are first needed.
typedef struct ContestWorker ContestWorker;
ContestWorker *contest_worker_new(const Contest *contest);
void contest_worker_free(ContestWorker *worker);

// Plays game `index` from opening number `opening` between two of the players: a function of the
// contest and these numbers alone. The record's player numbers are 1 + those given.
Status contest_play(ContestWorker *worker, int red, int black, uint64_t opening, uint64_t index,
                    PlayedGame *played, Err *err);

// What one player did in the games of a contest.
typedef struct ContestTally {
    SideTally side;
    uint64_t faults; // games lost by a failure to play
} ContestTally;

// Adds a game, and writes it where contest->pgn says; the players' numbers are in its record.
// STATUS_ENGINE, with a clear word, when one of them has now failed too often.
Status contest_count(const Contest *contest, const PlayedGame *played, ContestTally *tallies,
                     Err *err);

// "1 NAME HASH, 2 NAME PROFILE, ...": for the provenance, in the order of the players.
void contest_players_text(const Contest *contest, Text *text);
void contest_clear(Contest *contest);

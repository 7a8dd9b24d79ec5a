// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament: every pairing of its players (or the first against each other one) plays opening
// pairs, round by round; in a round all pairings play the same opening, both ways.
#pragma once

#include "core/base/progress.h"
#include "selfplay/contest/contest.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/ratings.h"

typedef enum TournamentKind { ROUND_ROBIN, GAUNTLET } TournamentKind;

typedef struct TournamentSpec {
    Contest contest;
    TournamentKind kind;
    uint64_t rounds; // opening pairs of each pairing
    int threads;
    const char *out; // run directory; NULL: the games are not stored
    uint64_t shard_games;
    Provenance provenance;
} TournamentSpec;

typedef struct TournamentResult {
    PairingCounts *pairings; // in the order they are played
    size_t pairing_count;
    PairingFaults *faults; // of each pairing; one that is stopped plays no more
    size_t stopped;        // pairings
    ContestTally *tallies; // of each player
    uint64_t reasons[END_REASON_COUNT];
    uint64_t games, already;
    bool interrupted;
} TournamentResult;

uint64_t tournament_games(const TournamentSpec *spec);

// Called under a lock after each counted game.
typedef void TournamentGameDone(void *context, const TournamentResult *result);

// Plays the games that `out` does not hold yet. A pairing in which a player fails too often is
// stopped, the others go on. tournament_clear() is the caller's in any case. STATUS_ENGINE when a
// player cannot be started at all.
Status tournament_run(const TournamentSpec *spec, TournamentGameDone *done, void *context,
                      TournamentResult *result, Err *err);
void tournament_clear(TournamentResult *result);

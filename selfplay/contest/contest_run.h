// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a contest: every pairing of its players plays opening pairs with the colours exchanged,
// round by round; in a round all pairings play the same opening. A match is a contest of two that
// counts whole pairs and stops when its test has decided.
#pragma once

#include "selfplay/contest/contest_pgn.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/ratings.h"
#include "selfplay/stats/sprt.h"

enum { MATCH_PLAYERS = 2 };

typedef enum ContestKind {
    ROUND_ROBIN,
    GAUNTLET, // the first player against each other one
    MATCH,    // two players: game 2r has A as Red, game 2r + 1 has B as Red, both from opening r
} ContestKind;

typedef struct ContestSpec {
    Contest contest;
    ContestKind kind;
    uint64_t rounds; // opening pairs of each pairing, at most
    bool has_sprt;   // a match: the rule to stop
    SprtSpec sprt;
    Schedule schedule;  // but for the games of its run
    ContestPgnSpec pgn; // path NULL: none
} ContestSpec;

typedef struct ContestResult {
    PairingCounts *pairings; // in the order they are played
    size_t pairing_count;
    PairingFaults *faults; // of each pairing; one that is stopped plays no more
    size_t stopped;        // pairings
    ContestTally *tallies; // of each player
    // In a match these count whole pairs only.
    uint64_t reasons[END_REASON_COUNT];
    uint64_t red_wins, black_wins, plies, games;
    MatchCounts counts; // of a match, from A's side
    SprtReport sprt;    // valid when has_sprt
    uint64_t already;   // games that were on disk before
    bool interrupted;
} ContestResult;

// The games of the contest when it goes to its end.
uint64_t contest_games(const ContestSpec *spec);

// Called under a lock after each counted game; of a match, after each second game.
typedef void ContestDone(void *context, const ContestResult *result);

// Plays the games that the run directory does not hold; those that it holds are counted where their
// turn is, so that the counts are those of one run without a break. A pairing in which a player
// fails too often is stopped, the others go on; a match ends with STATUS_ENGINE. contest_result_
// clear() is the caller's in any case. STATUS_ENGINE when a player cannot be started at all.
Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err);
void contest_result_clear(ContestResult *result);

// SPDX-License-Identifier: GPL-3.0-or-later
// A match: opening pairs with the colours exchanged, counted in order, stopped by an SPRT where one
// is asked for. Game 2p has A as Red, game 2p + 1 has B as Red, both from opening p.
#pragma once

#include "core/base/progress.h"
#include "selfplay/contest/contest.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/sprt.h"

enum { MATCH_PLAYERS = 2 };

typedef struct MatchSpec {
    Contest contest; // of A and B
    uint64_t pairs;  // at most
    int threads;
    bool has_sprt;
    SprtSpec sprt;
    const char *out; // run directory; NULL: the games are not stored
    uint64_t shard_games;
    Provenance provenance;
} MatchSpec;

typedef struct MatchResult {
    MatchCounts counts;                 // from A's side, whole pairs only
    uint64_t red_wins, black_wins;      // by colour
    uint64_t reasons[END_REASON_COUNT]; // ends of the counted games
    uint64_t plies;
    ContestTally tally[MATCH_PLAYERS];
    PairingFaults faults;
    uint64_t already; // games that were on disk before
    SprtReport sprt;  // valid when has_sprt
    bool interrupted;
} MatchResult;

// Called under a lock after each counted pair.
typedef void MatchPairDone(void *context, const MatchResult *result);

// Plays the match. The counts are those of the longest run of whole pairs that was played. With
// `out` the games that are there are counted first and the match goes on behind them: the caller
// has seen to it that they belong to it. STATUS_ENGINE when a player failed too often, or cannot be
// started.
Status match_run(const MatchSpec *spec, MatchPairDone *done, void *context, MatchResult *result,
                 Err *err);

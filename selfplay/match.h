// SPDX-License-Identifier: GPL-3.0-or-later
// A match: opening pairs with the colours exchanged, counted in order, stopped by an SPRT where one
// is asked for. Game 2p has A as Red, game 2p + 1 has B as Red, both from opening p.
#pragma once

#include "core/base/progress.h"
#include "selfplay/engine_spec.h"
#include "selfplay/opening.h"
#include "selfplay/scheduler.h"
#include "selfplay/sprt.h"

enum { MATCH_PLAYERS = 2 };

typedef struct MatchSpec {
    EngineSpec players[MATCH_PLAYERS]; // A and B; limits are complete
    uint64_t pairs;                    // at most
    uint64_t seed;
    int threads;
    OpeningSource openings;
    Weights opening_weights; // of the search that finds openings balanced
    PlaySpec play;           // limits are taken from the players
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
    uint64_t nodes[MATCH_PLAYERS], depth_sum[MATCH_PLAYERS], moves[MATCH_PLAYERS];
    SprtReport sprt; // valid when has_sprt
    bool interrupted;
} MatchResult;

// Called under a lock after each counted pair.
typedef void MatchPairDone(void *context, const MatchResult *result);

// Plays the match. The counts are those of the longest run of whole pairs that was played.
Status match_run(const MatchSpec *spec, MatchPairDone *done, void *context, MatchResult *result,
                 Err *err);

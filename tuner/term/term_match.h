// SPDX-License-Identifier: GPL-3.0-or-later
// The match of a fit with a group of terms against the fit without it.
#pragma once

#include "core/base/options.h"
#include "selfplay/stats/strength_verdict.h"

// Options of the match; nodes are those of each move.
typedef struct TermMatchSpec {
    const char *with, *without; // paths of weight files
    uint64_t pairs, nodes, seed;
    int threads;
} TermMatchSpec;

typedef struct TermMatch {
    MatchCounts counts;      // of `with` against `without`; no games: nothing was played
    StrengthVerdict verdict; // what they say, with the stop by the SPRT taken into account
} TermMatch;

// Returns a match with these results, or without any (NULL).
TermMatch term_match_of(const MatchCounts *counts);
// Plays as `paotai match --sprt 0,5` with these options does, and stores no games. `call` is the
// command that plays: its options decide where the defaults of matches do not.
// STATUS_INTERRUPTED after Ctrl-C.
Status term_match_play(const CommandCall *call, const TermMatchSpec *spec, TermMatch *match,
                       Err *err);
static inline long long term_match_games(const TermMatch *match) {
    return match_counts_games(&match->counts);
}

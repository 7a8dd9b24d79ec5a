// SPDX-License-Identifier: GPL-3.0-or-later
// The match of a fit with a group of terms against the fit without it.
#pragma once

#include "core/base/options.h"
#include "selfplay/stats/strength_verdict.h"

// The test of `ablate`: 0 against 5 normalized Elo.
extern const SprtSpec term_match_sprt;

// Options of the match; nodes are those of each move.
typedef struct TermMatchSpec {
    const char *with, *without; // paths of weight files
    uint64_t pairs, nodes, seed;
    int threads;
    const SprtSpec *sprt; // stops the match
    const char *out;      // run that keeps the games and is continued; NULL: games are not kept
    Progress *progress;   // progress line; may be NULL
} TermMatchSpec;

typedef struct TermMatch {
    MatchCounts counts;      // results of `with` against `without`; no games: nothing was played
    StrengthVerdict verdict; // comparison, with the stop by the SPRT taken into account
    SprtDecision decision;
    double game_cpu_s; // CPU time of a game that was played now; 0: none was
} TermMatch;

// Returns a match with these results under a test, or without any results (NULL).
TermMatch term_match_of(const MatchCounts *counts, const SprtSpec *sprt);
// Plays as `paotai match --sprt` with these options does. `call` is the command that plays: its
// options decide where the defaults of matches do not. STATUS_INTERRUPTED after Ctrl-C.
Status term_match_play(const CommandCall *call, const TermMatchSpec *spec, TermMatch *match,
                       Err *err);
static inline long long term_match_games(const TermMatch *match) {
    return match_counts_games(&match->counts);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The match between the fits with and without a group of terms.
#pragma once

#include "core/base/options.h"
#include "selfplay/stats/strength_verdict.h"

// The test that `ablate` uses: 0 against 5 normalized Elo.
extern const SprtSpec term_match_sprt;

// Settings of the match.
typedef struct TermMatchSpec {
    const char *with, *without; // paths of weight files
    uint64_t pairs, nodes, seed;
    int threads;
    const SprtSpec *sprt; // stops the match; NULL: all pairs are played
    const char
        *out; // run that keeps the games, and is resumed if it exists; NULL: games are not kept
    Progress *progress; // progress line; may be NULL
} TermMatchSpec;

typedef struct TermMatch {
    MatchCounts counts;      // results of `with` against `without`; empty if no game was played
    StrengthVerdict verdict; // the verdict, which takes the stop by the SPRT into account
    SprtDecision decision;
    double game_cpu_s; // CPU time per game of the games played now; 0 if none were
} TermMatch;

// Returns the verdict on these results under a test (NULL: none). `counts` is NULL if nothing was
// played.
TermMatch term_match_of(const MatchCounts *counts, const SprtSpec *sprt);
// Plays the match like `paotai match`. Options of `call` replace the defaults of match.
// Returns STATUS_INTERRUPTED after Ctrl-C.
Status term_match_play(const CommandCall *call, const TermMatchSpec *spec, TermMatch *match,
                       Err *err);
// Adds `seen_elo games_for_5_elo` and, if it is known, `seconds_cpu_for_5_elo`. They are unknown if
// the match decided.
void term_match_power_record(const TermMatch *match, Record *record);
static inline long long term_match_games(const TermMatch *match) {
    return match_counts_games(&match->counts);
}

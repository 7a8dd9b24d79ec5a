// SPDX-License-Identifier: GPL-3.0-or-later
// A match between two weight sets or networks, such as the weights with and without a group of
// terms.
#pragma once

#include "core/command/options.h"
#include "selfplay/stats/strength_verdict.h"

// The SPRT that `ablate` uses: 0 against 5 normalized Elo.
extern const SprtSpec weights_match_sprt;

typedef struct WeightsMatchSpec {
    const char *with, *without; // path or name of each player's weight set or network
    uint64_t pairs, nodes, seed;
    int threads;
    const SprtSpec *sprt; // test that stops the match; NULL: all pairs are played
    // Directory of the run that stores the games. An existing run is resumed. NULL: the games are
    // not stored.
    const char *out;
    Progress *progress; // progress line; may be NULL
} WeightsMatchSpec;

typedef struct WeightsMatch {
    MatchCounts counts; // results of `with` against `without`; empty if no game was played
    // Verdict on the strength. If a test was given, the verdict takes into account that the test
    // may have stopped the match.
    StrengthVerdict verdict;
    SprtDecision decision;
    // Mean CPU time of the games that weights_match_play() played, in seconds; 0 if it played none.
    double game_cpu_s;
} WeightsMatch;

// Returns a match with these results and its verdict under a test (NULL: no test). `counts` is NULL
// if nothing was played.
WeightsMatch weights_match_of(const MatchCounts *counts, const SprtSpec *sprt);
// Plays the match like `paotai match`. Options that `spec` does not set have the defaults of match.
// `call` is recorded as the origin of the games. Returns STATUS_INTERRUPTED after Ctrl-C.
Status weights_match_play(const CommandCall *call, const WeightsMatchSpec *spec,
                          WeightsMatch *match, Err *err);
// Adds the Elo of a match with games (unknown, "-", if one player won every game) and its verdict
// to the record. Also adds the statistical power of the match: `seen_elo`, `games_for_5_elo` and,
// if the time of a game is known, `seconds_cpu_for_5_elo`. Unless the verdict is
// STRENGTH_UNDECIDED, the first two are "-" and the third is left out.
void weights_match_record(const WeightsMatch *match, Record *record);
// Appends the result: "+12 Elo, -3 to 27 (1200 games, 95 %)". If the SPRT found a winner although
// the interval contains 0, says so.
void weights_match_add(const WeightsMatch *match, Text *text);
static inline long long weights_match_games(const WeightsMatch *match) {
    return match_counts_games(&match->counts);
}

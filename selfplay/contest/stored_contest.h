// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the games of a match or tournament from its run directory.
#pragma once

#include "datasets/store/store.h"
#include "selfplay/contest/contest_report.h"

// Zero-initialise; stored_contest_clear() frees it.
typedef struct StoredContest {
    int player_count; // 0 if the run has no games, or if another command made it
    bool match;
    char (*names)[CONTEST_NAME_SIZE]; // [player_count]
    PairingCounts *counts;            // pairings that have played
    size_t count, capacity;
    Text pairs; // two bytes per pair of a match: half points of the first player in its two games
    bool has_sprt;
    SprtSpec sprt; // test of the match, if has_sprt
    int anchor;    // player of --anchor, else B
    double anchor_elo;
    ProvenanceTexts made;
    GameRecord last; // previous game, while games are counted
    uint64_t last_moves;
} StoredContest;

// Counts the games of a run and reads its test and its players. Leaves player_count at 0 if the run
// has no games or is not the run of a match or tournament. The caller must always call
// stored_contest_clear().
Status stored_contest_read(const char *run, StoredContest *contest, Err *err);
void stored_contest_clear(StoredContest *contest);
AUTO_VALUE(StoredContest, stored_contest_clear)

// Fills the outcome of a match, which borrows the names. At least one pair was played.
void stored_match_outcome(const StoredContest *contest, MatchOutcome *outcome);
// Returns true if the evaluation with this hash played, or if a program played whose evaluation is
// unknown.
bool stored_contest_may_have(const StoredContest *contest, const char *weights_hash);

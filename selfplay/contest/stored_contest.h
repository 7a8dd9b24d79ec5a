// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the games of a match or tournament from its run directory.
#pragma once

#include "datasets/store/store.h"
#include "selfplay/contest/contest_report.h"

// Results of a stored match or tournament. Zero-initialise; release with stored_contest_clear().
typedef struct StoredContest {
    int player_count; // number of players; 0 if the run has no games, or is not the run of a match
                      // or tournament
    bool match;
    char (*names)[CONTEST_NAME_SIZE]; // name of each player, [player_count]
    PairingCounts *counts;            // results of the pairings that have played games
    size_t count, capacity;
    Text pairs; // results of the opening pairs, two bytes per pair: the half points (0, 1 or 2) of
                // the player with the lower number in the first game and in the second game
    bool has_sprt;
    SprtSpec sprt; // hypotheses of the match's SPRT, if has_sprt
    int anchor; // index of the player whose rating is fixed: --anchor of a tournament, player B of
                // a match; 0 if the stored games have fewer players
    double anchor_elo;
    ProvenanceTexts made; // provenance of the run
    GameRecord last;      // previous game of the run; used only while games are counted
    uint64_t last_moves;  // hash of the moves of the previous game
} StoredContest;

// Counts the games of a run and reads its SPRT and its players. Leaves player_count at 0 if the run
// has no games or is not the run of a match or tournament. The caller must always call
// stored_contest_clear().
Status stored_contest_read(const char *run, StoredContest *contest, Err *err);
void stored_contest_clear(StoredContest *contest);
AUTO_VALUE(StoredContest, stored_contest_clear)

// Fills the outcome of a match; the names in it are borrowed from the stored contest. The match
// must have at least one pair.
void stored_match_outcome(const StoredContest *contest, MatchOutcome *outcome);
// Returns the set of players whose evaluation has this hash. Bit 0 is the first player; players
// after the 32nd are omitted. Sets *programs to the set of players that are programs; the run does
// not record their evaluations.
unsigned stored_contest_players(const StoredContest *contest, const char *weights_hash,
                                unsigned *programs);

// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a contest. Each pairing of its players plays pairs of games: both games of a pair start
// from the same opening, with the colours exchanged. In one round all pairings play the same
// opening. A match is a contest of two players that counts only whole pairs and stops when its SPRT
// has decided.
#pragma once

#include "selfplay/contest/contest_spec.h"
#include "selfplay/stats/ratings.h"

// A pairing is stopped when one of its players has lost more games than this by failing to play.
enum { CONTEST_MOST_FAULTS = 10 };

// Totals of one player over the games of a contest.
typedef struct ContestTally {
    SideTally side;  // times are not stored, so they cover only games of this call
    uint64_t faults; // games lost by a failure to play, including games of earlier runs
    bool advised;    // advice on its failures was printed
    uint64_t claims; // games of this call in which it claimed a wrong result
} ContestTally;

// Numbers of games of a pairing that its players lost by failing to play.
typedef struct PairingFaults {
    uint64_t count[2]; // [0]: games lost by the player with the lower number; [1]: by the other
    char why[256];     // sentence that says why the pairing was stopped; "" if it was not
} PairingFaults;

// Returns true if a game with this end was lost by a failure to play.
bool contest_is_fault(uint8_t reason);
// Returns a hash of the moves of a game.
uint64_t contest_moves_key(const GameRecord *game, const PlyRecord *plies);
// Returns how many games were lost by a failure to play. `reasons` counts the games by end reason.
uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]);

typedef struct ContestResult {
    PairingCounts *pairings; // in the order in which a round plays them
    size_t pairing_count;
    PairingFaults *faults; // one element per pairing
    size_t stopped;        // number of stopped pairings
    ContestTally *tallies; // one element per player
    // In a match these members count only the games of whole pairs.
    uint64_t reasons[END_REASON_COUNT];
    uint64_t red_wins, black_wins, plies, games;
    MatchCounts counts; // results of a match from A's side
    SprtReport sprt;    // valid when has_sprt
    uint64_t already;   // number of games that were stored by earlier runs
    double cpu_s;       // processor time of this call, in seconds; 0 if unknown (several ranks)
    bool interrupted;
} ContestResult;

// Returns the number of games of the whole contest.
uint64_t contest_games(const ContestSpec *spec);

// Called under a lock when the run is open, and after each game that is counted, also of earlier
// runs; in a match, after the second game of each pair.
typedef void ContestDone(void *context, const ContestResult *result);

// Plays the games that are missing from the run directory. Stored games are counted at their place
// in the order, so the counts equal those of an uninterrupted run. A pairing in which a player
// fails too often is stopped and the other pairings continue; a match ends with STATUS_ENGINE.
// Returns an error if a player cannot be started at all. The caller must always call
// contest_result_clear().
Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err);
// Returns the mean processor time of a game of the match that was played by this call, in seconds;
// 0 if unknown.
double contest_cpu_s_per_game(const ContestResult *result);
void contest_result_clear(ContestResult *result);
AUTO_VALUE(ContestResult, contest_result_clear)

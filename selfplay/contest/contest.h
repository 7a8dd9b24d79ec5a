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

// Sums over the games of one player in a contest. "This call" is the running command; an earlier
// call of the same contest may have stored games in the run directory.
typedef struct ContestTally {
    SideTally side;  // moves, nodes, depth and time of the player; the time covers only the games
                     // that this call has played
    uint64_t faults; // games that the player lost by failing to play, in this and earlier calls
    bool advised;    // advice about the player's failures was printed
    uint64_t claims; // games of this call in which the player claimed a wrong result
} ContestTally;

// Number of games of a pairing that each of its two players lost by failing to play.
typedef struct PairingFaults {
    uint64_t count[2]; // games lost by [0]: the player with the lower number, [1]: the other player
    char why[256];     // sentence that says why the pairing was stopped; "" if the pairing was not
                       // stopped
} PairingFaults;

// Returns true if a game with this end was lost by a failure to play.
bool contest_is_fault(uint8_t reason);
// Returns a hash of the moves of a game. Equal games have equal hashes.
uint64_t contest_moves_key(const GameRecord *game, const PlyRecord *plies);
// Returns how many games were lost by a failure to play. `reasons` holds the number of games with
// each end reason.
uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]);

typedef struct ContestResult {
    PairingCounts
        *pairings; // results of the pairings, in the order in which a round plays the pairings
    size_t pairing_count;
    PairingFaults *faults; // failures of the players, one element per pairing
    size_t stopped;        // number of pairings that were stopped early
    ContestTally *tallies; // sums of each player, one element per player
    // In a match these members count only the games of whole pairs.
    uint64_t reasons[END_REASON_COUNT];
    uint64_t red_wins, black_wins, plies, games;
    MatchCounts counts; // results of a match from A's point of view
    SprtReport sprt;    // state of the SPRT; valid if the match has an SPRT
    uint64_t already;   // number of games that earlier calls had stored
    double cpu_s; // processor time of this call in seconds; 0 if unknown, because several MPI ranks
                  // play
    bool interrupted;
} ContestResult;

// Returns the number of games that the contest plays if nothing stops it early.
uint64_t contest_games(const ContestSpec *spec);

// Receives the results so far. It is called under a lock when the run is open, and after each
// counted game, including stored games; in a match only after the second game of each pair.
typedef void ContestDone(void *context, const ContestResult *result);

// Plays the games that are missing from the run directory. Stored games are counted in the order of
// their index, so the counts equal those of an uninterrupted run. If a player fails too often, its
// pairing is stopped and the other pairings continue; a match ends with STATUS_ENGINE. Returns an
// error if a player cannot be started at all. The caller must always call contest_result_clear().
Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err);
// Returns the mean processor time of the games of a match that this call has played, in seconds per
// game; 0 if unknown.
double contest_cpu_s_per_game(const ContestResult *result);
void contest_result_clear(ContestResult *result);
AUTO_VALUE(ContestResult, contest_result_clear)

// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a contest. Each pairing of its players plays pairs of games: both games of a pair start
// from the same opening, with the colours exchanged. In one round all pairings play the same
// opening. A match is a contest of two players that counts only whole pairs. If it has an SPRT, it
// stops when the SPRT has decided.
#pragma once

#include "selfplay/contest/contest_spec.h"
#include "selfplay/engines/node_ratios.h"
#include "selfplay/stats/ratings.h"

// Size in megabytes of the table with which the search for openings of each thread works.
enum { CONTEST_OPENING_HASH_MB = 1 };

// Number of games of a pairing that one player may lose by failing to play, that is, by a crash, a
// time forfeit, an illegal move or a protocol fault. The next such loss stops the pairing.
enum { CONTEST_MOST_FAULTS = 10 };

// Sums over the games of one player in a contest. Some of these games may have been stored before
// --resume.
typedef struct ContestTally {
    SideTally side;   // moves, nodes, depth and time of the player; the time excludes games that
                      // were stored before --resume
    uint64_t faults;  // number of games that the player lost by a crash, an illegal move or another
                      // failure to play
    bool advised;     // true if advice about the player's failures was printed
    ScoreSigns signs; // signs of the scores, also in stored games; empty for our engine
    bool warned;      // true if the remark about the signs was printed
    NodeRatios ratios; // nodes against the node limit, also in stored games; empty for our engine
    uint64_t claims; // number of games in which the player falsely reported that the game was over
                     // or a move was illegal; games stored before --resume do not count
} ContestTally;

// Number of games of a pairing that each of its two players lost by failing to play.
typedef struct PairingFaults {
    uint64_t count[2]; // games that a player lost by failing to play: [0] the player with the lower
                       // number, [1] the other player
    char why[256];     // sentence that says why the pairing was stopped; "" if the pairing was not
                       // stopped
} PairingFaults;

// Returns true if `reason`, an EndReason, means that a player lost the game by failing to play.
bool contest_is_fault(uint8_t reason);
// Returns a hash of the moves of a game. The start position does not influence the hash.
uint64_t contest_moves_key(const GameRecord *game, const PlyRecord *plies);
// Returns the number of games that were lost by a failure to play. reasons[i] is the number of
// games with end reason i.
uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]);

typedef struct ContestResult {
    PairingCounts
        *pairings; // results of the pairings, in the order in which a round plays the pairings
    size_t pairing_count;
    PairingFaults *faults; // failures of the players, one element per pairing
    size_t stopped;        // number of pairings that were stopped early
    ContestTally *tallies; // moves, nodes, time and failures of each player, one element per player
    // The next five members cover all counted games; in a match these are the games of whole pairs.
    uint64_t reasons[END_REASON_COUNT]; // number of games with each end reason
    uint64_t red_wins, black_wins, plies, games;
    MatchCounts counts; // results of a match from A's point of view
    SprtReport sprt;    // state of the SPRT; valid if the match has an SPRT
    uint64_t already;   // number of stored games that were read after --resume; in a match this
                        // includes the first game of an incomplete pair
    double cpu_s;       // processor time of contest_run() in seconds; 0 if several MPI ranks play:
                        // then it is not measured
    bool interrupted;
} ContestResult;

// Returns the number of games that the contest plays if nothing stops it early.
uint64_t contest_games(const ContestSpec *spec);

// Receives the results so far. Called once when the run has been opened, then after each counted
// game (in a match only after the second game of each pair), including stored games. Never called
// by two threads at the same time.
typedef void ContestDone(void *context, const ContestResult *result);

// Plays the games that are not yet in the run directory, and counts the stored ones. All games are
// counted in the order of their index, so the counts equal those of an uninterrupted run. If a
// player fails too often, its pairing is stopped and the other pairings continue; a match ends with
// STATUS_ENGINE. Returns an error if a player cannot be started at all. The caller must always call
// contest_result_clear().
Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err);
// Returns the mean processor time of a match's games in seconds per game, without games that were
// stored before --resume. Returns 0 if it is unknown.
double contest_cpu_s_per_game(const ContestResult *result);
void contest_result_clear(ContestResult *result);
AUTO_VALUE(ContestResult, contest_result_clear)

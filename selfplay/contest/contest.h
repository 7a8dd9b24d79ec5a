// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a contest: every pairing of its players plays opening pairs with the colours exchanged,
// round by round; in a round all pairings play the same opening. A match is a contest of two that
// counts whole pairs and stops when its test has decided.
#pragma once

#include "selfplay/openings/opening.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/ratings.h"
#include "selfplay/stats/sprt.h"

enum { CONTEST_NAME_SIZE = 128 };

// More games that one player of a pairing loses by failing end the pairing.
enum { CONTEST_MOST_FAULTS = 10 };

typedef struct ContestPlayer {
    PlayerSpec spec;     // limits are complete
    EngineConfig engine; // when spec.program is false
    PlayerAbout about;   // filled by contest_origin()
} ContestPlayer;

typedef struct Contest {
    ContestPlayer *players;
    int player_count;
    uint64_t seed;
    OpeningSource openings;
    PlaySpec play;          // controls and margins are taken from the players
    int64_t margin_ns;      // of players that name none of their own
    struct ContestPgn *pgn; // where the games are written; NULL: nowhere
    Progress *progress;     // failures and claims are printed above it; NULL: nowhere
    bool verbose;           // and each game
} Contest;

// The doings of one player in the games of a contest.
typedef struct ContestTally {
    SideTally side;  // times only of the games played now: the store does not hold them
    uint64_t faults; // games lost by a failure to play, those of earlier runs included
    bool advised;    // the remedy for its failures was printed
    uint64_t claims; // games played now in which it claimed a result that was not believed
} ContestTally;

// How often the two players of a pairing have failed to play each other.
typedef struct PairingFaults {
    uint64_t count[2]; // of the one with the lower number, and of the other
    char why[256];     // once it is stopped: a sentence. Else ""
} PairingFaults;

// How many of the games that ended so were lost by a failure to play.
uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]);

// "1 NAME HASH, 2 NAME PROFILE, ...": for the provenance, in the order of the players.
void contest_players_text(const Contest *contest, Text *text);
void contest_clear(Contest *contest);
AUTO_VALUE(Contest, contest_clear)

struct ContestSpec;

// The games of a contest as PGN. A game is in the file before its shard is acknowledged; a run that
// is resumed first writes the file anew, from its shards. So after any end of the program, and a
// --resume, the file holds the games of the run, whole, each once, in their order.
typedef struct ContestPgn ContestPgn;
// Opens the file of a contest, whose run is open. STATUS_USAGE when the file is there and the
// contest does not go on with a run.
Status contest_pgn_open(const struct ContestSpec *spec, const Run *run, ContestPgn **pgn, Err *err);
// Appends a game, whole, and hands it to the system. pgn NULL: nothing.
Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err);
// Brings the games into their order where a run that had gaps was gone on with, and closes.
Status contest_pgn_close(ContestPgn *pgn, Err *err);

enum { MATCH_PLAYERS = 2 };

typedef enum ContestKind {
    ROUND_ROBIN,
    GAUNTLET, // the first player against each other one
    MATCH,    // two players: game 2r has A as Red, game 2r + 1 has B as Red, both from opening r
} ContestKind;

typedef struct ContestSpec {
    Contest contest;
    ContestKind kind;
    uint64_t rounds; // opening pairs of each pairing, at most
    bool has_sprt;   // a match: the rule to stop
    SprtSpec sprt;
    Schedule schedule;    // but for the games of its run
    const char *pgn_path; // NULL: no PGN
    int pgn_system;       // NotationSystem of its moves
    const char *event;    // of its tag
} ContestSpec;

static inline void contest_spec_clear(ContestSpec *spec) {
    contest_clear(&spec->contest);
}
AUTO_VALUE(ContestSpec, contest_spec_clear)

typedef struct ContestResult {
    PairingCounts *pairings; // in the order they are played
    size_t pairing_count;
    PairingFaults *faults; // of each pairing; one that is stopped plays no more
    size_t stopped;        // pairings
    ContestTally *tallies; // of each player
    // In a match these count whole pairs only.
    uint64_t reasons[END_REASON_COUNT];
    uint64_t red_wins, black_wins, plies, games;
    MatchCounts counts; // of a match, from A's side
    SprtReport sprt;    // valid when has_sprt
    uint64_t already;   // games that were on disk before
    double cpu_s;       // processor time of this call, in seconds; 0 if unknown (several ranks)
    bool interrupted;
} ContestResult;

// The games of the contest when it goes to its end.
uint64_t contest_games(const ContestSpec *spec);

// Called under a lock after each counted game; of a match, after each second game.
typedef void ContestDone(void *context, const ContestResult *result);

// Plays the games that the run directory does not hold; those that it holds are counted where their
// turn is, so that the counts are those of one run without a break. A pairing in which a player
// fails too often is stopped, the others go on; a match ends with STATUS_ENGINE. contest_result_
// clear() is the caller's in any case. STATUS_ENGINE when a player cannot be started at all.
Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err);
// Returns the mean processor time of a game of the match that was played by this call, in seconds;
// 0 if unknown.
double contest_cpu_s_per_game(const ContestResult *result);
void contest_result_clear(ContestResult *result);
AUTO_VALUE(ContestResult, contest_result_clear)

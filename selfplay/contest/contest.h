// SPDX-License-Identifier: GPL-3.0-or-later
// What matches and tournaments share: players, openings, and the worker that plays a game of
// theirs.
#pragma once

#include "core/base/json.h"
#include "core/base/progress.h"
#include "selfplay/engines/player.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/play_game.h"

typedef struct ContestPlayer {
    PlayerSpec spec;     // limits are complete
    EngineConfig engine; // when spec.program is false
} ContestPlayer;

typedef struct Contest {
    ContestPlayer *players;
    int player_count;
    uint64_t seed;
    OpeningSource openings;
    Weights opening_weights; // of the search that finds openings balanced
    PlaySpec play;           // controls are taken from the players
    uint64_t most_faults;    // of one player in a pairing: more end the pairing
    struct ContestPgn *pgn;  // where the games are written; NULL: nowhere
    Progress *progress;      // failures and claims are told on lines above it; NULL: nobody hears
} Contest;

// What one player did in the games of a contest.
typedef struct ContestTally {
    SideTally side;  // times only of the games played now: the store does not hold them
    uint64_t faults; // games lost by a failure to play, those of earlier runs included
    bool told;       // what helps against its failures was said
    uint64_t claims; // games played now in which it claimed a result that was not believed
} ContestTally;

// Means of a move; 0 where there is none.
typedef struct SideMeans {
    double depth, nodes, ms;
} SideMeans;
SideMeans side_means(const SideTally *tally);
// Writes the time of a move; unknown where the games were all played earlier.
void side_time_record(Record *record, const char *key, const SideTally *tally);

// How often the two players of a pairing have failed to play each other.
typedef struct PairingFaults {
    uint64_t count[2]; // of the one with the lower number, and of the other
    char why[256];     // once it is stopped: a sentence. Else ""
} PairingFaults;

// Adds what went wrong in a game, "NAME: WHAT; ...": how a player failed, results that were claimed
// and not believed. Nothing for most games.
void contest_game_note(const Contest *contest, const PlayedGame *played, Text *text);
// Counts a game that was played now: what the players did. Writes it where contest->pgn says, and
// tells of failures and of the first claims.
Status contest_count_game(const Contest *contest, const PlayedGame *played, ContestTally *tallies,
                          Err *err);
// Counts what the players did in a game of an earlier run. STATUS_MISMATCH when they are not those
// of the contest.
Status contest_count_stored(const Contest *contest, const GameRecord *record,
                            const PlyRecord *plies, ContestTally *tallies, Err *err);
// Counts a game's fault, if it has one; `note` tells more (NULL: an earlier run's). The pairing is
// stopped, and false returned, when it was one too many.
bool contest_count_fault(const Contest *contest, const GameRecord *record, const char *note,
                         PairingFaults *faults, ContestTally *tallies);

// How many of the games that ended so were lost by a failure to play.
uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]);

// "1 NAME HASH, 2 NAME PROFILE, ...": for the provenance, in the order of the players.
void contest_players_text(const Contest *contest, Text *text);
void contest_clear(Contest *contest);

// SPDX-License-Identifier: GPL-3.0-or-later
// Specification of a contest: players, pairings, openings, rules, and the run that stores games.
#pragma once

#include "selfplay/openings/opening.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/sprt.h"

enum { CONTEST_NAME_SIZE = 128 };
enum { MATCH_PLAYERS = 2 };

typedef enum ContestKind {
    ROUND_ROBIN,
    GAUNTLET, // the first player plays each of the others
    MATCH,    // two players: game 2r has A as Red, game 2r + 1 has B as Red, both from opening r
} ContestKind;

// contest_spec_clear() frees it.
typedef struct ContestSpec {
    ContestKind kind;
    PlayerSetup *players;
    int player_count;
    uint64_t rounds; // maximum number of opening pairs of each pairing
    uint64_t seed;
    bool has_sprt; // the match stops when the test `sprt` has decided
    SprtSpec sprt;
    OpeningSource openings;
    PlaySpec play;        // controls and margins are taken from the players
    int64_t margin_ns;    // clock margin of players without a margin of their own
    Schedule schedule;    // contest_run() sets the wanted games of its run
    const char *pgn_path; // NULL: no PGN
    int pgn_system;       // notation of the moves, a NotationSystem
    const char *event;    // value of the PGN tag Event
    Progress *progress;   // failures and claims are printed above it; NULL: not at all
    bool verbose;         // print a line for each game, if `progress` is set
} ContestSpec;

void contest_spec_clear(ContestSpec *spec);
AUTO_VALUE(ContestSpec, contest_spec_clear)

// Appends the players in their order, for the provenance: "1 NAME HASH, 2 NAME PROFILE, ...".
void contest_players_text(const ContestSpec *spec, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// Specification of a contest: its players, pairings, openings and rules, and the run directory that
// stores its games.
#pragma once

#include "selfplay/openings/opening.h"
#include "selfplay/run/play_options.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/stats/sprt.h"

enum { CONTEST_NAME_SIZE = 128 };
enum { MATCH_PLAYERS = 2 };

typedef enum ContestKind {
    ROUND_ROBIN,
    GAUNTLET, // the first player plays against each of the others
    MATCH,    // two players, A and B: games 2r and 2r + 1 have opening r; A is Red in game 2r, B in
              // game 2r + 1
} ContestKind;

// Everything that determines a contest. Release with contest_spec_clear().
typedef struct ContestSpec {
    ContestKind kind;
    PlayerSetup *players;
    int player_count;
    uint64_t rounds; // maximum number of opening pairs that each pairing plays
    uint64_t seed;
    bool has_sprt; // the match stops when its SPRT has decided
    SprtSpec sprt; // hypotheses of the match's SPRT, if has_sprt
    OpeningSource openings;
    PlaySpec play;     // how games are played; the players' time controls and clock margins replace
                       // those in `play`
    int64_t margin_ns; // time in nanoseconds by which a player without a margin of its own
                       // (margin=) may overstep its clock
    Schedule schedule; // how games are distributed and stored; contest_run() sets which games of
                       // the run are played
    const char *pgn_path; // path of the PGN file; NULL if no PGN file is written
    int pgn_system;       // notation of the moves in the PGN file, a NotationSystem
    const char *event;    // value of the PGN tag Event
    Progress *progress;   // progress line, above which failures and false claims of players are
                          // printed; NULL: print none of these
    bool verbose;         // print a line for each game; has an effect only if `progress` is set
} ContestSpec;

void contest_spec_clear(ContestSpec *spec);
AUTO_VALUE(ContestSpec, contest_spec_clear)

// Appends the players in their order, as recorded in the provenance: "1 NAME HASH, 2 NAME PROFILE,
// ...". HASH identifies the weights of our engine, PROFILE is the name of a program's row in the
// table of engines (quirks.c).
void contest_players_text(const ContestSpec *spec, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a contest as PGN, with scores, depths, nodes and times as comments.
//
// A game is in the file before its shard is acknowledged, and a run that is gone on with brings the
// file into agreement with its shards first: so after any end of the program, and a --resume, the
// file holds the games of the run, whole, each once, in their order. What only the file knows (the
// time of each move, which the store does not hold) is kept.
#pragma once

#include "selfplay/contest/contest.h"

typedef struct ContestPgnSpec {
    const char *path;
    int system;        // NotationSystem of the moves
    const char *event; // of the tag
    const char *run;   // run directory that is gone on with; NULL: the games go nowhere else
    bool resume;       // the file may be there already: it is this run's
} ContestPgnSpec;

typedef struct ContestPgn ContestPgn;

// Opens the file of a contest, which must stay as it is until contest_pgn_close(). STATUS_USAGE
// when the file is there already and spec->resume is not set.
Status contest_pgn_open(const Contest *contest, const ContestPgnSpec *spec, ContestPgn **pgn,
                        Err *err);
// Appends a game, whole, and hands it to the system. pgn NULL: nothing.
Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err);
// Brings the games into their order where a run that had gaps was gone on with, and closes.
Status contest_pgn_close(ContestPgn *pgn, Err *err);

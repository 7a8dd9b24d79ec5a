// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a PGN file with the games of a contest. A resumed run first rewrites the file from the
// stored shards. A finished run has therefore written each game exactly once and in order, also
// after a crash.
#pragma once

#include "selfplay/contest/contest_spec.h"

typedef struct ContestPgn ContestPgn;
// Opens the PGN file of a contest whose run is open. Returns STATUS_USAGE if the file exists and
// the contest does not resume a run.
Status contest_pgn_open(const ContestSpec *spec, const Run *run, ContestPgn **pgn, Err *err);
// Appends a finished game and flushes it to the operating system. Does nothing if `pgn` is NULL.
Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err);
// Closes the file. If a resumed run has filled gaps, the games in the file are not in order. In
// this case rewrites the file from the run directory. Does nothing if `pgn` is NULL.
Status contest_pgn_close(ContestPgn *pgn, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a PGN file with the games of a contest. A game is written before its shard is stored. A
// resumed run first rewrites the file from its shards. After any end of the program and a --resume,
// the file therefore holds each game of the run exactly once, whole and in order.
#pragma once

#include "selfplay/contest/contest_spec.h"

typedef struct ContestPgn ContestPgn;
// Opens the PGN file of a contest whose run is open. Returns STATUS_USAGE if the file exists and
// the contest does not resume a run.
Status contest_pgn_open(const ContestSpec *spec, const Run *run, ContestPgn **pgn, Err *err);
// Appends a whole game and flushes it to the operating system. Does nothing if `pgn` is NULL.
Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err);
// Closes the file. If the games are not in order, because a resumed run had gaps, first exports the
// run directory again. Does nothing if `pgn` is NULL.
Status contest_pgn_close(ContestPgn *pgn, Err *err);

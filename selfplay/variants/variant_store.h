// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a self-play run. DIR/games.txt has a header of lines '# name=value', then a line for
// each game, in order: number, start, turns, result of the first player, reason for the end.
// DIR/rows.h5 has the counts of the evaluation terms in a sample of positions, made from games.txt.
#pragma once

#include "datasets/store/run_directory.h"
#include "selfplay/variants/variant_game.h"

// A run whose directory this process has locked. Initialise with zeros.
typedef struct VariantStore {
    RunLock *lock;
    FILE *file;
    Text path;     // path of games.txt
    uint64_t next; // number of the next game to store
} VariantStore;

// Opens the run of a directory for games from number `first` on. `head` is the header of games.txt,
// which has all settings that determine the games. If `resume` is set and games.txt exists, it must
// have this header; an incomplete last line is removed. If `resume` is set and games.txt does not
// exist, prints a note to `tell`, which may be NULL. Returns STATUS_USAGE if games.txt exists and
// `resume` is not set, or if the directory has rows.h5 or shards but no games.txt. Returns
// STATUS_BUSY if another process uses the directory.
Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resume,
                          uint64_t first, FILE *tell, Err *err);
// Appends the line of a finished game to games.txt. `context` is the VariantStore.
VariantTake variant_store_add;
void variant_store_close(VariantStore *store);
AUTO_VALUE(VariantStore, variant_store_close)

// Sums over the stored games. `points`: points of the players who moved first, 2 for a win and 1
// for a draw; `rows`: number of positions in rows.h5.
typedef struct VariantSums {
    uint64_t games, points, draws, plies, rows;
} VariantSums;

// Flushes games.txt to the disk, replays its games, and writes a sample of their quiet positions to
// the file `path`: for each position the counts of the evaluation terms, the result and the score.
Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err);

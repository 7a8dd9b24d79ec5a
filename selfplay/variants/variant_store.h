// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a self-play run. DIR/games.txt has a header of lines '# name=value', then a line for
// each game, in order: number, start, turns, result of the first player, reason for the end.
// DIR/rows.h5 has the counts of evaluation terms, made from games.txt.
#pragma once

#include "datasets/store/run_directory.h"
#include "selfplay/variants/variant_game.h"

// A run whose directory this process has locked. Initialise with zeros.
typedef struct VariantStore {
    RunLock *lock;
    FILE *file;
    Text path;     // path of games.txt
    uint64_t next; // number of the first game that is not stored
} VariantStore;

// Opens the run of a directory for games from number `first` on. `head` is the header, which tells
// how the games are made. If `resume` is set, games.txt may exist and must have this header; an
// incomplete last line is removed. Returns STATUS_BUSY if another process uses the directory.
Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resume,
                          uint64_t first, FILE *tell, Err *err);
// Callback of type VariantTake that appends the line of a finished game. Its context is the store.
VariantTake variant_store_add;
void variant_store_close(VariantStore *store);
AUTO_VALUE(VariantStore, variant_store_close)

// Sums over the stored games. `points` are half points of the first player.
typedef struct VariantSums {
    uint64_t games, points, draws, plies, rows;
} VariantSums;

// Flushes games.txt to the disk, replays its games, and writes a sample of their quiet positions as
// rows into the file `path`.
Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a self-play run as text, DIR/games.txt: a head of lines '# name=value', then a line
// for each game, in order: number, start, moves, result of the first player, reason. The rows of
// counts in DIR/rows.h5 are made from the text.
#pragma once

#include "datasets/store/run_directory.h"
#include "selfplay/variants/variant_game.h"

// A run that is locked for this process. Initialise with zeros.
typedef struct VariantStore {
    RunLock *lock;
    FILE *file;
    Text path;     // path of games.txt
    uint64_t next; // number of the first game that is not stored
} VariantStore;

// Opens the run of a directory for games from number `first` on. `head` says how they are made.
// With `resume` it must be the head of the file, and a line that a kill cut off is removed; without
// it there must be no file. STATUS_BUSY if another process has the directory.
Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resume,
                          uint64_t first, FILE *tell, Err *err);
// Appends the line of a game that is over.
Status variant_store_add(VariantStore *store, const VariantGame *game, Err *err);
// Brings the lines to the disk.
Status variant_store_flush(VariantStore *store, Err *err);
void variant_store_close(VariantStore *store);
AUTO_VALUE(VariantStore, variant_store_close)

// Sums over stored games.
typedef struct VariantSums {
    uint64_t games, points, draws, plies, rows;
} VariantSums;

// Reads all games of a run, plays them again, and writes the rows of their quiet positions.
Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err);

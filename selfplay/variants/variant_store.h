// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a self-play run as text, DIR/games.txt: a head of lines '# name=value', then a line
// for each game, in order: number, start, moves, result of the first player, reason. The rows of
// counts in DIR/rows.h5 are made from the text.
#pragma once

#include <stdio.h>

#include "selfplay/variants/variant_game.h"

typedef struct VariantStore {
    FILE *file;
    Text path;
    uint64_t next; // number of the first game that is not stored
} VariantStore;

// Opens DIR/games.txt for games from number `first` on. `head` says how they are made, a line
// "# name=value" each. With `resume` the head must be that of the file, and a line that a kill cut
// off is removed; without it the file must not exist.
Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resume,
                          uint64_t first, Err *err);
// Appends a line.
Status variant_store_add(VariantStore *store, const char *line, Err *err);
// Brings what was added to the disk and closes.
Status variant_store_close(VariantStore *store, Err *err);

// Adds the line of a game that is over.
void variant_store_line(const VariantGame *game, uint64_t index, Text *text);

// Sums over stored games.
typedef struct VariantSums {
    uint64_t games, points, draws, plies, rows;
} VariantSums;

// Reads all games of a store and writes the rows of their quiet positions.
Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err);

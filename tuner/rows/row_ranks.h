// SPDX-License-Identifier: GPL-3.0-or-later
// Rows on several ranks, and sums over all of them. The chunks of a set are cut into
// RowSet.groups groups; a rank holds some groups, one after the other, and the rest of the game
// that the last of them begins. What is summed is summed over ranges of chunks of which each group
// has as many. The sums of the ranges are added in their order, at rank 0, which tells them to all:
// every rank goes on with the same bits, for any number of ranks and threads. All ranks call these
// functions in the same order.
//
// When a rank is lost, the sums are NAN from then on, and rows->trouble says why.
#pragma once

#include "core/base/ranks.h"
#include "tuner/rows/rows.h"

struct RowTrouble {
    Status status;
    Err err;
};

// Ranges *first to one before the returned end are this rank's.
int own_ranges(const RowSet *rows, int ranges, int *first);

// own has the sums of own_ranges(), n numbers each; total [n] receives the sum of all ranges.
void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total);

// Replaces each of n numbers by its sum over the ranks, and a number by the largest of the ranks.
void ranks_sum(const RowSet *rows, size_t n, double *numbers);
double ranks_largest(const RowSet *rows, double number);

// values [game_count]: of the games that begin in its groups each rank knows them; then all do.
void ranks_share_games(const RowSet *rows, double *values);

// The games of a group: *first to one before the returned end; *row is the first one's first row.
size_t group_games(const RowSet *rows, int group, size_t *first, uint64_t *row);

// Which of `count` rows, in chunks of chunk_rows, are this rank's: *first to one before the
// returned end. Before rows are there.
uint64_t rank_rows(const RowSet *rows, uint64_t count, uint64_t *first);

// Makes a set of all rows from a finished one of this rank's: games are all games (taken over),
// whose rows are known. `first` is of rank_rows().
void row_set_spread(RowSet *set, RowGame *games, size_t game_count, uint64_t first);

// Moves the first trouble, if there is one, to *err, and returns its status.
Status row_set_trouble(const RowSet *rows, Err *err);

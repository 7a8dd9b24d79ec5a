// SPDX-License-Identifier: GPL-3.0-or-later
// Rows on several MPI ranks, and sums over all of them. The chunks of a set are cut into
// RowSet.groups groups; an MPI rank holds some groups, one after the other, and the rest of the
// game that the last of them begins. Sums go over ranges of chunks of which each group has as many.
// MPI rank 0 adds the ranges in their order and shares the result: all go on with the same bits,
// for any number of MPI ranks and threads. All call these functions in the same order.
//
// When a rank is lost, the sums are NAN from then on, and row_set_lost() says why.
#pragma once

#include "core/base/ranks.h"
#include "tuner/rows/rows.h"

// Ranges *first to one before the returned end are this rank's.
int own_ranges(const RowSet *rows, int ranges, int *first);

// own has the sums of own_ranges(), n numbers each; total [n] receives the sum of all ranges.
void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total);

// Replaces each of n numbers by its sum over the MPI ranks.
void ranks_sum(const RowSet *rows, size_t n, double *numbers);

// values [game_count]: of the games that begin in its groups each rank knows them; then all do.
void ranks_share_games(const RowSet *rows, double *values);

// The games of a group: *first to one before the returned end; *row is the first one's first row.
size_t group_games(const RowSet *rows, int group, size_t *first, uint64_t *row);

// Divides `count` rows, none of which is there yet, among the ranks. This rank then adds its own:
// *first to one before the returned end, and the rest of the last one's game.
uint64_t row_set_spread(RowSet *set, uint64_t count, uint64_t *first);

// Completes a finished set: games are those of all `count` rows (taken over).
void row_set_join(RowSet *set, RowGame *games, size_t game_count, uint64_t count);

// Why a rank is lost, if one is: its status, and *err.
Status row_set_lost(const RowSet *rows, Err *err);

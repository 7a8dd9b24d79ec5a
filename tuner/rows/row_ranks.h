// SPDX-License-Identifier: GPL-3.0-or-later
// Distributes training positions (rows) over the MPI ranks, and computes sums over all ranks. The
// chunks of a set are divided into RowSet.groups groups. An MPI rank has consecutive groups in
// memory, and the rest of the last game that begins in them. Sums are computed over ranges of
// chunks; each group has the same number of ranges. MPI rank 0 adds the ranges in their order and
// sends the result to all ranks. All ranks thus have the same bits, for any number of ranks and
// threads. All ranks must call the functions that compute or share sums in the same order.
//
// After an MPI rank is lost, all sums are NAN, and row_set_lost() returns the reason.
#pragma once

#include "core/base/ranks.h"
#include "tuner/rows/rows.h"

// Divides all chunks into `ranges` ranges; `ranges` is a multiple of RowSet.groups. This MPI rank
// computes the ranges *first to end - 1; sets *first and returns the end.
int own_ranges(const RowSet *rows, int ranges, int *first);

// Sums over all ranges of chunks. `own` holds n numbers for each range of own_ranges(); total [n]
// receives the sum.
void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total);

// Replaces each of n numbers by its sum over the MPI ranks.
void ranks_sum(const RowSet *rows, size_t n, double *numbers);

// Sends values, one number per game, to all MPI ranks. Before the call each rank knows the values
// of the games that begin in its groups of chunks; afterwards all ranks know all values.
void ranks_share_games(const RowSet *rows, double *values);

// Finds the games *first to end - 1, which begin in a group of chunks. Sets *first, returns the
// end, and sets *row to the first position of game *first.
size_t group_games(const RowSet *rows, int group, size_t *first, uint64_t *row);

// Divides `count` positions among the MPI ranks, before any is added. This rank gets the positions
// *first to end - 1; sets *first and returns the end. This rank must then add these positions, and
// the rest of their last game.
uint64_t row_set_spread(RowSet *set, uint64_t count, uint64_t *first);

// Completes a set to which all positions were added. `games` lists the games of all `count`
// positions on all ranks; the set takes ownership of the list.
void row_set_join(RowSet *set, RowGame *games, size_t game_count, uint64_t count);

// Returns STATUS_OK if no MPI rank is lost. Otherwise returns the status of the error, and copies
// the error to *err, which may be NULL.
Status row_set_lost(const RowSet *rows, Err *err);

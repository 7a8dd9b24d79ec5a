// SPDX-License-Identifier: GPL-3.0-or-later
// Distributes training positions (rows) over the MPI ranks, and computes sums over all ranks. The
// positions are stored in chunks of at most ROWS_CHUNK. The list of chunks is divided into
// RowSet.groups groups of consecutive chunks. An MPI rank has consecutive groups in memory, and the
// next positions if they belong to the last game of these groups. For a sum, each group is divided
// into ranges of consecutive chunks; all groups have the same number of ranges. An MPI rank sums
// the positions of each range in its groups. MPI rank 0 adds these sums in the order of the ranges
// and sends the result to all ranks. The result thus has the same bits for any number of ranks and
// threads. All ranks must call the functions that compute or share sums in the same order.
//
// After an MPI rank is lost, all sums are NAN, and row_set_lost() returns the reason.
#pragma once

#include "core/system/ranks.h"
#include "tuner/rows/rows.h"

// Finds the ranges of this MPI rank if the list of chunks (blocks of positions) is divided into
// `ranges` ranges, a multiple of RowSet.groups. Sets *first to the first range of this rank, and
// returns the index after its last range.
int own_ranges(const RowSet *rows, int ranges, int *first);

// Adds vectors of n numbers, one vector for each range of positions, over the ranges of all MPI
// ranks. `own` holds the vectors of this rank's ranges (own_ranges()). total [n] receives the sum.
void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total);

// Replaces each of n numbers by its sum over the MPI ranks.
void ranks_sum(const RowSet *rows, size_t n, double *numbers);

// Completes `values`, which has one number per game. Before the call, each MPI rank has set the
// numbers of the games that begin in its own positions. Afterwards all ranks have all numbers.
void ranks_share_games(const RowSet *rows, double *values);

// Finds the games that begin in group `group`, one of RowSet.groups parts of the list of positions.
// Sets *first to the index of the first such game, and *row to the index of its first position.
// Returns the index after the last such game.
size_t group_games(const RowSet *rows, int group, size_t *first, uint64_t *row);

// Divides `count` positions among the MPI ranks. Must be called before the first position is added
// to the set. Sets *first to the first position that this rank must add, and returns the index
// after the last one. If a game continues after these positions, the rank must also add the rest of
// this game.
uint64_t row_set_spread(RowSet *set, uint64_t count, uint64_t *first);

// Completes a set to which all positions were added. `games` lists the games of all `count`
// positions of all MPI processes; the set takes ownership of the list.
void row_set_join(RowSet *set, RowGame *games, size_t game_count, uint64_t count);

// Returns STATUS_OK if no MPI rank is lost. Otherwise returns the status of the error, and copies
// the error to *err, which may be NULL.
Status row_set_lost(const RowSet *rows, Err *err);

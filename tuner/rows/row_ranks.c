// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_ranks.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

static int first_group(const RowSet *rows, int of_mpi_rank) {
    return rows->groups * of_mpi_rank / mpi_size();
}

int own_ranges(const RowSet *rows, int ranges, int *first) {
    const int each = ranges / rows->groups;
    *first = first_group(rows, mpi_rank()) * each;
    return first_group(rows, mpi_rank() + 1) * each;
}

// ---- sums ---------------------------------------------------------------------------------------

Status row_set_lost(const RowSet *rows, Err *err) {
    if (err && rows->lost && rows->lost->status != STATUS_OK) *err = *rows->lost;
    return rows->lost ? rows->lost->status : STATUS_OK;
}

typedef struct Total {
    size_t n;
    double *sum;
} Total;

static Status add_ranges(void *context, int from, const void *bytes, size_t size, Err *err) {
    const Total *total = context;
    const double *numbers = bytes;
    (void)from;
    (void)err;
    for (size_t left = size / (total->n * sizeof *numbers); left > 0; left--) {
        for (size_t k = 0; k < total->n; k++) total->sum[k] += *numbers++;
    }
    return STATUS_OK;
}

// On MPI rank 0, adds the vectors of all ranks, and sends the total to all ranks. `own` has `count`
// vectors of n numbers.
static void add_up(const RowSet *rows, const double *own, int count, size_t n, double *total) {
    Total sum = {n, total};
    Err err = {0};
    Status status = rows->lost->status;
    memset(total, 0, n * sizeof *total);
    if (status == STATUS_OK) {
        status = ranks_collect(own, (size_t)count * n * sizeof *own, add_ranges, &sum, &err);
    }
    if (status == STATUS_OK) status = ranks_share(total, n * sizeof *total, &err);
    if (status == STATUS_OK) return;
    if (rows->lost->status == STATUS_OK) *rows->lost = err;
    for (size_t i = 0; i < n; i++) total[i] = NAN;
}

void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total) {
    int first;
    const int end = own_ranges(rows, ranges, &first);
    add_up(rows, own, end - first, n, total);
}

void ranks_sum(const RowSet *rows, size_t n, double *numbers) {
    AUTO_FREE double *own = memory_alloc(n, sizeof *own);
    memcpy(own, numbers, n * sizeof *own);
    add_up(rows, own, 1, n, numbers);
}

// ---- games --------------------------------------------------------------------------------------

size_t group_games(const RowSet *rows, int group, size_t *first, uint64_t *row) {
    const size_t groups = (size_t)rows->groups;
    const uint64_t from = rows->chunk_count * (size_t)group / groups * rows->chunk_rows;
    const uint64_t to = rows->chunk_count * ((size_t)group + 1) / groups * rows->chunk_rows;
    size_t game = 0;
    uint64_t at = 0;
    for (; game < rows->game_count && at < from; game++) at += rows->games[game].rows;
    *first = game;
    *row = at;
    for (; game < rows->game_count && at < to; game++) at += rows->games[game].rows;
    return game;
}

void ranks_share_games(const RowSet *rows, double *values) {
    const int group = first_group(rows, mpi_rank()), end = first_group(rows, mpi_rank() + 1);
    size_t first = 0, last = 0, ignored;
    uint64_t row;
    if (mpi_size() == 1) return;
    if (end > group) {
        last = group_games(rows, end - 1, &ignored, &row);
        group_games(rows, group, &first, &row);
    }
    for (size_t i = 0; i < rows->game_count; i++) {
        if (i < first || i >= last) values[i] = 0;
    }
    ranks_sum(rows, rows->game_count, values);
}

// ---- row sets -----------------------------------------------------------------------------------

uint64_t row_set_spread(RowSet *set, uint64_t count, uint64_t *first) {
    const uint64_t chunks = (count + set->chunk_rows - 1) / set->chunk_rows;
    const uint64_t groups = (uint64_t)set->groups;
    set->own_first = (size_t)(chunks * (uint64_t)first_group(set, mpi_rank()) / groups);
    set->own_end = (size_t)(chunks * (uint64_t)first_group(set, mpi_rank() + 1) / groups);
    set->chunks = memory_alloc((size_t)chunks + 1, sizeof *set->chunks);
    set->chunk_capacity = (size_t)chunks;
    set->chunk_count = set->own_first;
    const uint64_t end = set->own_end * set->chunk_rows;
    *first = set->own_first * set->chunk_rows;
    if (*first > count) *first = count;
    return end < count ? end : count;
}

void row_set_join(RowSet *set, RowGame *games, size_t game_count, uint64_t count) {
    double sums[] = {(double)set->without_result, (double)set->without_score,
                     (double)set->coefficients};
    set->count = (size_t)count;
    set->chunk_count = set->chunk_capacity;
    free(set->games);
    set->games = games;
    set->game_count = set->game_capacity = game_count;
    ranks_sum(set, sizeof sums / sizeof *sums, sums);
    ranks_sum(set, OWN_PAIRS_MAX, set->occurrences);
    ranks_sum(set, OWN_PAIRS_MAX, set->occurrence_phase);
    if (set->lost->status != STATUS_OK) return;
    set->without_result = (uint64_t)sums[0];
    set->without_score = (uint64_t)sums[1];
    set->coefficients = (uint64_t)sums[2];
}

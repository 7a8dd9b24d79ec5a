// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_ranks.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

static int first_group(const RowSet *rows, int rank) {
    return rows->groups * rank / rank_count();
}

int own_ranges(const RowSet *rows, int ranges, int *first) {
    const int each = ranges / rows->groups;
    *first = first_group(rows, rank_self()) * each;
    return first_group(rows, rank_self() + 1) * each;
}

// ---- what all ranks know ------------------------------------------------------------------------

static bool lost(const RowSet *rows, Status status, const Err *err) {
    if (status != STATUS_OK && rows->trouble->status == STATUS_OK) {
        *rows->trouble = (RowTrouble){status, *err};
    }
    return rows->trouble->status != STATUS_OK;
}

Status row_set_trouble(const RowSet *rows, Err *err) {
    if (!rows->trouble || rows->trouble->status == STATUS_OK) return STATUS_OK;
    if (err) *err = rows->trouble->err;
    return rows->trouble->status;
}

// Rank 0 takes the bytes of all ranks into `to`, whose bytes all then have; NAN where that fails.
static void combine(const RowSet *rows, const void *own, size_t own_size, RankTake *take,
                    void *context, double *to, size_t n) {
    Err err = {0};
    Status status = rows->trouble->status;
    if (status == STATUS_OK) status = ranks_collect(own, own_size, take, context, &err);
    if (status == STATUS_OK) status = ranks_share(to, n * sizeof *to, &err);
    if (!lost(rows, status, &err)) return;
    for (size_t i = 0; i < n; i++) to[i] = NAN;
}

typedef struct Total {
    size_t n;
    double *sum;
} Total;

static Status add_ranges(void *context, int rank, const void *bytes, size_t size, Err *err) {
    const Total *total = context;
    const double *numbers = bytes;
    (void)rank;
    (void)err;
    for (size_t left = size / (total->n * sizeof *numbers); left > 0; left--) {
        for (size_t k = 0; k < total->n; k++) total->sum[k] += *numbers++;
    }
    return STATUS_OK;
}

void ranges_total(const RowSet *rows, int ranges, size_t n, const double *own, double *total) {
    int first;
    const int count = own_ranges(rows, ranges, &first) - first;
    Total sum = {n, total};
    memset(total, 0, n * sizeof *total);
    combine(rows, own, (size_t)count * n * sizeof *own, add_ranges, &sum, total, n);
}

void ranks_sum(const RowSet *rows, size_t n, double *numbers) {
    AUTO_FREE double *own = memory_alloc(n, sizeof *own);
    memcpy(own, numbers, n * sizeof *own);
    memset(numbers, 0, n * sizeof *numbers);
    Total sum = {n, numbers};
    combine(rows, own, n * sizeof *own, add_ranges, &sum, numbers, n);
}

double ranks_largest(const RowSet *rows, double number) {
    const size_t count = (size_t)rank_count();
    AUTO_FREE double *all = memory_alloc(count, sizeof *all);
    all[rank_self()] = number;
    ranks_sum(rows, count, all);
    for (size_t i = 0; i < count; i++) number = all[i] > number ? all[i] : number;
    return number;
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
    const int group = first_group(rows, rank_self()), end = first_group(rows, rank_self() + 1);
    size_t first = 0, last = 0, ignored;
    uint64_t row;
    if (rank_count() == 1) return;
    if (end > group) {
        last = group_games(rows, end - 1, &ignored, &row);
        group_games(rows, group, &first, &row);
    }
    for (size_t i = 0; i < rows->game_count; i++) {
        if (i < first || i >= last) values[i] = 0;
    }
    ranks_sum(rows, rows->game_count, values);
}

// ---- the set ------------------------------------------------------------------------------------

uint64_t rank_rows(const RowSet *rows, uint64_t count, uint64_t *first) {
    const uint64_t chunks = (count + rows->chunk_rows - 1) / rows->chunk_rows;
    const uint64_t groups = (uint64_t)rows->groups;
    const uint64_t from = (uint64_t)first_group(rows, rank_self());
    const uint64_t to = (uint64_t)first_group(rows, rank_self() + 1);
    const uint64_t end = chunks * to / groups * rows->chunk_rows;
    *first = chunks * from / groups * rows->chunk_rows;
    if (*first > count) *first = count;
    return end < count ? end : count;
}

// Chunk by chunk, with those that other ranks hold empty.
static void spread_chunks(RowSet *set, uint64_t first, uint64_t end) {
    const size_t count = (size_t)((set->count + set->chunk_rows - 1) / set->chunk_rows);
    RowChunk *chunks = memory_alloc(count + 1, sizeof *chunks);
    set->own_first = (size_t)(first / set->chunk_rows);
    set->own_end = (size_t)((end + set->chunk_rows - 1) / set->chunk_rows);
    if (end <= first) set->own_end = set->own_first;
    if (set->chunk_count > 0) {
        memcpy(chunks + set->own_first, set->chunks, set->chunk_count * sizeof *chunks);
    }
    free(set->chunks);
    set->chunks = chunks;
    set->chunk_count = set->chunk_capacity = count;
}

void row_set_spread(RowSet *set, RowGame *games, size_t game_count, uint64_t first) {
    set->count = 0;
    for (size_t i = 0; i < game_count; i++) set->count += games[i].rows;
    uint64_t ignored;
    const uint64_t end = rank_rows(set, set->count, &ignored);
    spread_chunks(set, first, end);
    free(set->games);
    set->games = games;
    set->game_count = set->game_capacity = game_count;
    double sums[] = {(double)set->without_result, (double)set->without_score,
                     (double)set->coefficients};
    ranks_sum(set, sizeof sums / sizeof *sums, sums);
    ranks_sum(set, WEIGHT_COUNT, set->occurrences);
    ranks_sum(set, WEIGHT_COUNT, set->occurrence_phase);
    if (set->trouble->status != STATUS_OK) return;
    set->without_result = (uint64_t)sums[0];
    set->without_score = (uint64_t)sums[1];
    set->coefficients = (uint64_t)sums[2];
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Checks rows of another program: the sum of a row's terms, with the values with which the program
// evaluates, must be the program's value of the position, up to two units (steps of the value).
// Other rows are mismatches.
#pragma once

#include "core/base/text.h"
#include "datasets/sparse/sparse_file.h"

enum {
    ROW_CHECK_LEAST = 20,         // positions that a term needs for a verdict
    ROW_CHECK_MISSES_KEPT = 4000, // rows that are kept to explain mismatches
    ROW_CHECK_WHERE_SIZE = 160,
};
#define ROW_CHECK_TERM_SHARE 0.1  // largest accepted share of mismatches among a term's positions
#define ROW_CHECK_BLIND      0.02 // largest accepted ratio of two units to the values' deviation

// A row with its value. `coefficient` has the coefficients of middlegame and endgame value.
typedef struct RowChecked {
    double value, sum; // value of the program, and sum of the row
    double by_phase;   // change of the sum if the phase were larger by 1
    double share;      // phase / phase_max
    double factor;
    size_t count;
    const int64_t *index;
    const double (*coefficient)[2];
} RowChecked;

typedef struct RowMiss {
    double error, share, factor; // value minus sum
    size_t first, count;         // coefficients in RowCheck.miss_index
    char where[ROW_CHECK_WHERE_SIZE];
} RowMiss;

// Number n of the rows that are no mismatches, and sums of products over these rows: e is the error
// (value minus sum), t the change of the row's sum if the phase were larger by 1, and s the sign of
// the value. An engine that rounds towards zero has errors with the sign of -s.
typedef struct PhaseErrors {
    double n, ee, et, tt, es, ts;
} PhaseErrors;

typedef struct RowCheck {
    size_t terms;
    double unit; // smallest step of the value
    uint64_t rows, mismatches;
    uint64_t *seen,
        *missed; // for each term: rows in which it occurs, and the mismatches among them
    double value_sum, value_squares;
    double worst_value, worst_sum; // the row with the largest mismatch
    char worst[ROW_CHECK_WHERE_SIZE];
    RowMiss *misses; // the first mismatches, and as many later rows without a mismatch
    int64_t *miss_index;
    double (*miss_coefficient)[2];
    size_t miss_count, miss_capacity, miss_entries, index_capacity, coefficient_capacity;
    PhaseErrors phase;
    int wants_good; // number of rows without a mismatch that are still to be kept
} RowCheck;

void row_check_init(RowCheck *check, size_t terms, double unit);
void row_check_clear(RowCheck *check);
AUTO_VALUE(RowCheck, row_check_clear)

// Counts a row. `where` names its position, for example by a FEN. Returns false for a mismatch.
bool row_check_add(RowCheck *check, const RowChecked *row, const char *where);
// Adds the counts of `from`, whose rows come after those of `check`.
void row_check_merge(RowCheck *check, const RowCheck *from);

// Returns the standard deviation of the values.
double row_check_deviation(const RowCheck *check);

// Returns STATUS_MISMATCH if the rows cannot be trusted: two units are more than ROW_CHECK_BLIND of
// the deviation of the values, or more than `most` of the rows are mismatches. The message has the
// worst mismatch and the terms that explain the mismatches.
Status row_check_verdict(const RowCheck *check, const SparseTerms *terms, double most, Err *err);
// Returns STATUS_MISMATCH if more than ROW_CHECK_TERM_SHARE of the positions with a term are
// mismatches that no worse term explains, and the term is fitted: frozen[2 * i] or
// frozen[2 * i + 1] is false.
// Terms with fewer than `least` positions have no verdict.
Status row_check_terms(const RowCheck *check, const SparseTerms *terms, const bool *frozen,
                       uint64_t least, Err *err);

// Returns by how much the phase of the rows should be larger, such as 1 or -1. This finds a phase
// that is wrong by so little that no sum differs by more than two units. Returns 0 if the phase is
// right.
double row_check_phase(const RowCheck *check);

// A group of terms, whose names differ only in numeric indices, and the share of the squared
// mismatches that its coefficients explain.
typedef struct RowExplanation {
    char name[SPARSE_NAME_SIZE];
    double share;
} RowExplanation;
enum { ROW_EXPLANATIONS = 5 };
// Finds the groups that explain most of the mismatches, best first. Returns their number.
int row_check_explain(const RowCheck *check, const SparseTerms *terms,
                      RowExplanation best[ROW_EXPLANATIONS]);

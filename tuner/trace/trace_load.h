// SPDX-License-Identifier: GPL-3.0-or-later
// Makes training rows of stored positions by the trace of an engine. Each thread runs its own
// process of the engine.
#pragma once

#include "tuner/rows/load.h"
#include "tuner/rows/row_check.h"
#include "tuner/trace/trace_engine.h"

enum { TRACE_WORDS_MAX = 16 };

typedef struct TraceWord {
    char word[TRACE_WORD_SIZE]; // reason of `trace none`
    uint64_t count;
} TraceWord;

// Counts that are made while the rows are read.
typedef struct TraceReport {
    RowCheck check;
    uint64_t none;                    // positions without a static value
    TraceWord words[TRACE_WORDS_MAX]; // the first reasons; the last one stands for all others
    int word_count;
    // For each term: true if a row has different coefficients in the two phases.
    bool *split;
    float *values; // value of each position of the RowSet
    size_t value_count, value_capacity;
} TraceReport;
void trace_report_clear(TraceReport *report);
AUTO_VALUE(TraceReport, trace_report_clear)

// The engine of --trace, and its processes.
typedef struct Tracer {
    PlayerSpec spec;
    int plies;            // --trace-plies: number of moves with which each position is sent
    bool with_faults;     // also read games that a fault ended (RowChoice)
    int threads;          // number of elements of `engines`
    TraceEngine *engines; // one for each thread, opened when needed; the first one is always open
} Tracer;

// Starts the engine of a PLAYER text. The caller always calls tracer_close().
Status tracer_open(const char *player, int plies, int threads, Tracer *tracer, Err *err);
void tracer_close(Tracer *tracer);
AUTO_VALUE(Tracer, tracer_close)

// Describes the terms of the rows. The caller frees *terms. `split` says which terms need a second
// pair of weights, because their coefficients differ between the phases; NULL: no term does.
void tracer_describe(const Tracer *tracer, const bool *split, SparseTerms *terms);

// Reads the sampled positions of the runs in `paths` like rows_load(), with the rows of the engine.
// Positions without a value, and mismatches, are left out. Boards are stored. *terms receives the
// terms of the rows. On failure *rows is empty; the caller clears *report and *terms.
Status trace_load(Tracer *tracer, const char *const *paths, int count, FILE *show, RowSet *rows,
                  SparseTerms *terms, TraceReport *report, Err *err);

// Returns STATUS_MISMATCH if more than half of the positions have no value, or by
// row_check_verdict(). `most` is --max-mismatch.
Status trace_verdict(const TraceReport *report, const SparseTerms *terms, double most, Err *err);

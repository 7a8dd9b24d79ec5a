// SPDX-License-Identifier: GPL-3.0-or-later
// SPSA by matches: each iteration is a small match between two perturbed sets of parameters. With a
// directory the state after each iteration is safe in DIR/spsa.log, and a run that was killed goes
// on behind it.
#pragma once

#include "selfplay/contest/contest.h"
#include "tuner/spsa/spsa.h"

typedef struct SpsaRow {
    int iteration; // 0: the start
    long long wins, losses, draws;
    double theta[SPSA_PARAMS_MAX];
} SpsaRow;

// All iterations so far, the start first. Zero-initialise; spsa_trace_clear() frees.
typedef struct SpsaTrace {
    SpsaRow *rows;
    size_t count, capacity;
} SpsaTrace;
void spsa_trace_clear(SpsaTrace *trace);

typedef struct SpsaRun {
    SpsaSpec spec;
    ContestSpec match;    // two players alike, the pairs of an iteration; its seed is the run's
    const char *dir;      // NULL: nothing is kept
    bool resume;          // go on with what the log holds
    bool save_games;      // the games of iteration k go to DIR/games-k; a resumed run goes on there
    const char *identity; // what the run depends on, as lines: a log of another is refused
} SpsaRun;

// Called after each iteration with the trace so far; the last row is the new one.
typedef void SpsaIterationDone(void *context, const SpsaTrace *trace);

// Runs until the iterations are done or the user interrupts (*interrupted). The trace holds the
// start and every iteration, those of the log included. The result is the same for any number of
// threads, and whole or resumed, when searches are limited by nodes or depth.
Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err);

// Mean and scatter (standard deviation) of a parameter over the last quarter of the iterations:
// the noise of single games moves the last value more than their mean.
void spsa_tail(const SpsaTrace *trace, int param, double *mean, double *scatter);

// The path of a parameter in `length` characters of rising blocks, between its least and largest.
void spsa_sparkline(const SpsaTrace *trace, int param, int length, Text *text);

// A page with a picture of each parameter by iteration.
Status spsa_write_page(const SpsaSpec *spec, const SpsaTrace *trace, const char *path, Err *err);

// ---- the log ------------------------------------------------------------------------------------

// Begins a log, or reads what is there (STATUS_MISMATCH when it is of another run, STATUS_USAGE
// when there is one and it is not to be resumed). A line that was cut off by a crash is dropped.
Status spsa_log_begin(const SpsaRun *run, SpsaTrace *trace, Err *err);
// Adds a row to the trace alone; and to the file, safely.
void spsa_trace_add(SpsaTrace *trace, const SpsaRow *row);
Status spsa_log_add(const SpsaRun *run, const SpsaRow *row, Err *err);

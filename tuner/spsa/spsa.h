// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation: parameters moved by the outcomes of games
// between two perturbed sets of them.
//
// Iteration k = 1, 2, ... draws a sign for each parameter, plays theta + c_k sign against
// theta - c_k sign, and moves by
//     theta += a_k / c_k * result * sign,  c_k = c / k^gamma,  a_k = a / (A + k)^alpha
// (Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998) 817, with his alpha 0.602
// and gamma 0.101), where result is won minus lost games of the first set, in pairs. The gains are
// given as fishtest does (server/fishtest/spsa_handler.py): c_end is the perturbation and r_end
// the ratio a / c^2 at the last iteration n,
//     c = c_end n^gamma,  a = r_end c_end^2 (A + n)^alpha.
#pragma once

#include "selfplay/contest/contest.h"

enum { SPSA_NAME_SIZE = 64, SPSA_PARAMS_MAX = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE];
    double start, min, max; // whole numbers are played: min and max are, too
    double c_end, r_end;
} SpsaParam;

typedef struct SpsaSpec {
    SpsaParam params[SPSA_PARAMS_MAX];
    int count;
    int iterations; // n
    double a_ratio; // A as a share of the iterations
    double alpha, gamma;
    uint64_t seed;
} SpsaSpec;

// c_k and a_k / c_k of a parameter in iteration k.
double spsa_c(const SpsaSpec *spec, int param, int k);
double spsa_gain(const SpsaSpec *spec, int param, int k);

// The two sets to be played in iteration k, [count] each. Whole numbers: floor(x + u) with u drawn
// for each value of each set, so that the mean is x; then kept within min..max. A function of the
// spec, theta and k alone.
void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus);

// Moves theta [count]: result is won minus lost games of the plus set for each pair of games, -2 to
// 2. Parameters stay within min..max.
void spsa_update(const SpsaSpec *spec, double *theta, int k, double result);

// Reads "name,start,min,max,c" or "name,start,min,max,c,r" into the next parameter; a name alone is
// a search parameter of our engine with its own range and step, "all" stands for all of them.
// Blanks around the fields and OpenBench's type behind the name, int, are passed over.
// STATUS_USAGE.
Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err);
// Adds the parameters of a file, one a line; blank lines and those that begin with '#' are skipped.
Status spsa_read_params(SpsaSpec *spec, const char *path, double r_end, Err *err);

typedef enum SpsaForm {
    SPSA_OPENBENCH = 1, // name, int, value, min, max, c_end, r_end
    SPSA_FISHTEST,      // name,value,min,max,c_end,r_end
} SpsaForm;
// Appends a line for each parameter with its value, NULL: its start.
void spsa_add_lines(const SpsaSpec *spec, SpsaForm form, const double *values, Text *text);

// ---- by matches ---------------------------------------------------------------------------------
//
// Each iteration is a small match between two perturbed sets of parameters. With a directory the
// state after each iteration is safe in DIR/spsa.log, and a run that was killed goes on behind it.

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
    FILE *tell;           // hears when there is nothing to go on with; NULL: nobody
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

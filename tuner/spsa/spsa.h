// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation: parameters moved by the outcomes of games
// between two perturbed sets of them.
//
// An iteration draws a sign for each parameter, plays some pairs of games of theta + c_t sign
// against theta - c_t sign, and moves by
//     theta += a_t / c_t * result * sign,  c_t = c / t^gamma,  a_t = a / (A + t)^alpha
// (Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998) 817, with his alpha 0.602
// and gamma 0.101). All is counted as fishtest does (server/fishtest/spsa_handler.py): t is the
// number of the iteration's first pair, 1 for the first of all, n the pairs of the whole run, A a
// share of n, and result is won minus lost games of the first set, summed over the pairs. c_end is
// the perturbation and r_end the ratio a / c^2 at the end,
//     c = c_end n^gamma,  a = r_end c_end^2 (A + n)^alpha.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "selfplay/contest/contest.h"

enum { SPSA_NAME_SIZE = 64, SPSA_PARAMS_MAX = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE];
    double start, min, max; // whole numbers are played: min and max are, too
    double c_end, r_end;
    bool by_all;      // named by `all`: left out if it has no effect under the limits
    bool start_given; // the text has a start
} SpsaParam;

typedef struct SpsaSpec {
    SpsaParam params[SPSA_PARAMS_MAX];
    int count;
    int iterations, pairs; // n is their product
    double a_ratio;        // A as a share of n
    double alpha, gamma;
    uint64_t seed;
} SpsaSpec;

// c_t and a_t / c_t of a parameter in iteration k = 1, 2, ...
double spsa_c(const SpsaSpec *spec, int param, int k);
double spsa_gain(const SpsaSpec *spec, int param, int k);

// The two sets to be played in iteration k: floor(x + u) with u drawn for each value, so that the
// mean is x; then kept within min..max. A function of the spec, theta and k alone.
void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus);

// Moves theta, within min..max: result is won minus lost games of the plus set.
void spsa_update(const SpsaSpec *spec, double *theta, int k, double result);

// Adds "name,start,min,max,c[,r]", with OpenBench's type "int" behind the name or without; a name
// alone is a search parameter of our engine, "all" stands for all of them. STATUS_USAGE.
Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err);
Status spsa_read_params(SpsaSpec *spec, const char *path, double r_end, Err *err);

typedef enum SpsaForm {
    SPSA_OPENBENCH = 1, // name, int, value, min, max, c_end, r_end
    SPSA_FISHTEST,      // name,value,min,max,c_end,r_end
} SpsaForm;
// Appends a line for each parameter with its value, NULL: its start.
void spsa_add_lines(const SpsaSpec *spec, SpsaForm form, const double *values, Text *text);

// ---- the player that is tuned -------------------------------------------------------------------

// Completes the parameters by the player they belong to. Options of the player (option.NAME=VALUE)
// become starts; `tell` (NULL: nobody) hears of those that replace a start of --param. Of our own
// engine: checks names and ranges, leaves out parameters of `all` that have no effect under the
// player's limits, and refuses others that have none. STATUS_USAGE.
Status spsa_take_player(SpsaSpec *spec, ContestPlayer *player, FILE *tell, Err *err);
// Appends the text of a player that differs from `player` (a PLAYER of the command line) by the
// rounded values alone: each option stands once.
void spsa_add_player(const SpsaSpec *spec, const char *player, const double *values, Text *text);
// Returns true if the rounded values are the start.
bool spsa_is_start(const SpsaSpec *spec, const double *values);

// ---- by matches ---------------------------------------------------------------------------------
//
// First each parameter plays the start from both ends of its range (a probe): games may not tell
// them apart. An end that is the start is not played: its probe has no games. Then each iteration
// is a small match between two perturbed sets. DIR/spsa.log holds the state after each match.

typedef struct SpsaRow {
    int iteration; // 0: the start; -1 - 2 i: parameter i at min plays the start, -2 - 2 i: at max
    long long wins, losses, draws;
    long long penta[PAIR_OUTCOMES]; // pairs: LL, LD, DD+WL, WD, WW
    double theta[SPSA_PARAMS_MAX];
} SpsaRow;

// All iterations so far, the start first. Zero-initialise; spsa_trace_clear() frees.
typedef struct SpsaTrace {
    SpsaRow *rows;
    size_t count, capacity;
    MatchCounts probes[SPSA_PARAMS_MAX][2]; // of the sets at min and max, by pairs
    int probe_count;                        // that are done, in this order
} SpsaTrace;
void spsa_trace_clear(SpsaTrace *trace);
AUTO_VALUE(SpsaTrace, spsa_trace_clear)

typedef struct SpsaRun {
    SpsaSpec spec;
    ContestSpec match;    // two players alike; its seed is the run's
    uint64_t probe_pairs; // of each probe; 0: none are played
    const char *dir;      // NULL: nothing is kept
    bool resume;          // go on with what the log holds
    FILE *tell;           // says when there is nothing to go on with; may be NULL
    const char *identity; // what the run depends on, as lines: a log of another is refused
} SpsaRun;

typedef void SpsaIterationDone(void *context, const SpsaTrace *trace);

// Calls `done` after each probe and each iteration. The trace holds those of the log, too. The
// result is the same for any number of threads, and whole or resumed, when searches are limited by
// nodes or depth.
Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err);

// Plays a set of values against the start.
Status spsa_play_start(const SpsaRun *run, const double *theta, uint64_t pairs, MatchCounts *counts,
                       bool *interrupted, Err *err);

// How a parameter ended. Neither scatter nor drift is an error: they describe the path.
typedef struct SpsaTail {
    double mean, scatter; // mean and standard deviation over the last quarter of the iterations
    double drift;         // by how much it moved in the last half
    const char
        *verdict; // "still moving", "settled", "games cannot see it"; "-": too few iterations
} SpsaTail;
// Still moving: the drift is more than twice what its steps make at random (the square root of the
// sum of their squares).
SpsaTail spsa_tail(const SpsaTrace *trace, int param);
// Returns true if both probes of a parameter are done and none that was played differs from the
// start by more than its 95 % error.
bool spsa_unseen(const SpsaTrace *trace, int param);

// The values of the last quarter, [spec->count]: the result.
void spsa_result(const SpsaSpec *spec, const SpsaTrace *trace, double *values);

// A page with a picture of each parameter by iteration.
Status spsa_write_page(const SpsaSpec *spec, const SpsaTrace *trace, const char *path, Err *err);

// ---- output -------------------------------------------------------------------------------------

// What is printed, and where.
typedef struct SpsaShow {
    const CommandCall *call;
    const SpsaRun *run;
    const char *player; // the PLAYER of the command line
    bool json, quiet;
    Progress progress;
} SpsaShow;

// A SpsaIterationDone whose context is a SpsaShow: the progress line, the probes when all are done,
// and with --json an object for each iteration.
SpsaIterationDone spsa_show_iteration;
// Prints the parameters as lines of fishtest, with these values (NULL: their starts).
void spsa_print_lines(const SpsaShow *show, const SpsaSpec *spec, const double *values);
// Prints the table of what came out, the line that uses it, and how it becomes permanent.
void spsa_print_result(const SpsaShow *show, const SpsaTrace *trace);
// Prints the match of the result against the start, or that both are the same when rounded.
void spsa_print_check(const SpsaShow *show, const SpsaTrace *trace, const MatchCounts *counts);

// ---- the log ------------------------------------------------------------------------------------

// Begins a log, or reads what is there (STATUS_MISMATCH: of another run, STATUS_USAGE: it is not to
// be resumed). A line that was cut off by a crash is dropped.
Status spsa_log_begin(const SpsaRun *run, SpsaTrace *trace, Err *err);
// Adds a row to the trace alone; and to the file, safely.
void spsa_trace_add(SpsaTrace *trace, const SpsaRow *row);
Status spsa_log_add(const SpsaRun *run, const SpsaRow *row, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation (SPSA): tunes parameters by games between two
// perturbed sets of values.
//
// An iteration draws a sign for each parameter, plays some pairs of games of theta + c_t sign
// against theta - c_t sign, and updates
//     theta += a_t / c_t * result * sign,  c_t = c / t^gamma,  a_t = a / (A + t)^alpha
// (Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998) 817, with his alpha 0.602
// and gamma 0.101). The constants are those of fishtest (server/fishtest/spsa_handler.py): t is the
// number of the first pair of the iteration, counted from 1 over the whole run; n is the number of
// pairs of the run; A is a share of n; result is wins minus losses of the first set over the pairs
// of the iteration. c_end is the perturbation and r_end the ratio a / c^2 at the end of the run:
//     c = c_end n^gamma,  a = r_end c_end^2 (A + n)^alpha.
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "selfplay/contest/contest.h"
#include "selfplay/stats/strength_verdict.h"

enum { SPSA_NAME_SIZE = 64, SPSA_PARAMS_MAX = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE];
    double start, min, max; // min and max are integers, because games use integer values
    double c_end, r_end;
    bool by_all;      // added by `all`: left out if it has no effect under the limits
    bool start_given; // the text of --param has a start
} SpsaParam;

typedef struct SpsaSpec {
    SpsaParam params[SPSA_PARAMS_MAX];
    int count;
    int iterations, pairs; // opening pairs of each iteration
    double a_ratio;        // stability constant A of SPSA, as a share of iterations * pairs
    double alpha, gamma;
    uint64_t seed;
} SpsaSpec;

// spsa_c() returns c_t and spsa_gain() a_t / c_t of a parameter in iteration k = 1, 2, ...
double spsa_c(const SpsaSpec *spec, int param, int k);
double spsa_gain(const SpsaSpec *spec, int param, int k);

// Computes the two sets that play in iteration k. Each value is floor(x + u) with a random u in
// 0..1, so that its mean is x; then it is limited to min..max. The result depends only on spec,
// theta and k.
void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus);

// Updates theta, limited to min..max. `result` is wins minus losses of the plus set.
void spsa_update(const SpsaSpec *spec, double *theta, int k, double result);

// Adds a parameter from "name,start,min,max,c[,r]"; OpenBench's type "int" may follow the name. A
// name alone is a search parameter of Paotai, "all" stands for all of them. Returns STATUS_USAGE if
// the text is wrong.
Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err);
Status spsa_read_params(SpsaSpec *spec, const char *path, double r_end, Err *err);

typedef enum SpsaForm {
    SPSA_OPENBENCH = 1, // name, int, value, min, max, c_end, r_end
    SPSA_FISHTEST,      // name,value,min,max,c_end,r_end
} SpsaForm;
// Appends a line for each parameter with its value, or with its start value if `values` is NULL.
void spsa_add_lines(const SpsaSpec *spec, SpsaForm form, const double *values, Text *text);

// ---- the tuned player ---------------------------------------------------------------------------

// Completes the parameters from their player. Options of the player (option.NAME=VALUE) become
// starts; a message on `tell` (may be NULL) says if they replace a start of --param. For Paotai
// itself it checks names and ranges. Parameters of `all` without effect under the player's limits
// are removed, others without effect are refused. Returns STATUS_USAGE if it refuses a parameter.
Status spsa_take_player(SpsaSpec *spec, PlayerSetup *player, FILE *tell, Err *err);
// Appends the text of `player` (a PLAYER of the command line) with the rounded values as options.
// Each option occurs once.
void spsa_add_player(const SpsaSpec *spec, const char *player, const double *values, Text *text);
// Returns true if the rounded values equal the start.
bool spsa_is_start(const SpsaSpec *spec, const double *values);

// ---- matches ------------------------------------------------------------------------------------
//
// First, both ends of each parameter's range play against the start (a probe), because games may be
// unable to distinguish them. An end that equals the start gets a probe without games. Then each
// iteration is a small match between two perturbed sets. DIR/spsa.log holds the state after each
// match.

typedef struct SpsaRow {
    int iteration; // 0: the start; -1 - 2 i: probe of parameter i at min; -2 - 2 i: at max
    long long wins, losses, draws;
    long long penta[PAIR_OUTCOMES]; // pairs by outcome: LL, LD, DD+WL, WD, WW
    long long alike;                // pairs in which both sets made the same moves
    double theta[SPSA_PARAMS_MAX];
} SpsaRow;

// The start and all iterations so far. Initialise to zero; spsa_trace_clear() frees.
typedef struct SpsaTrace {
    SpsaRow *rows;
    size_t count, capacity;
    MatchCounts probes[SPSA_PARAMS_MAX][2]; // results of min [0] and max [1] against the start
    bool alike[SPSA_PARAMS_MAX][2];         // the probe and the start made the same moves
    int probe_count;                        // number of finished probes, in this order
} SpsaTrace;
void spsa_trace_clear(SpsaTrace *trace);
AUTO_VALUE(SpsaTrace, spsa_trace_clear)

typedef struct SpsaRun {
    SpsaSpec spec;
    ContestSpec match;    // the two players are equal; its seed is ignored
    uint64_t probe_pairs; // pairs of each probe; 0: no probes
    uint64_t check_pairs; // pairs of the match of the result against the start; 0: no match
    const char *dir;      // NULL: nothing is saved
    bool resume;          // continue from the log
    FILE *tell;           // receives a note if there is nothing to resume; may be NULL
    const char *identity; // lines with everything that the run depends on; a log with other lines
                          // is refused
} SpsaRun;

typedef void SpsaIterationDone(void *context, const SpsaTrace *trace);

// Plays the probes and iterations that are missing in the log, and calls `done` after each. The
// trace also holds those of the log. If nodes or depth limit the searches, the result depends
// neither on the number of threads nor on whether the run was resumed.
Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err);

// Writes DIR/spsa.html, a page with a chart of each parameter by iteration, and DIR/params.txt, the
// result as lines of OpenBench.
Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err);

// Plays a set of values against the start.
Status spsa_play_start(const SpsaRun *run, const double *theta, uint64_t pairs, MatchCounts *counts,
                       bool *interrupted, Err *err);

// Describes the path of a parameter. Scatter and drift are not standard errors of the value.
typedef struct SpsaTail {
    double mean, scatter; // mean and standard deviation over the last quarter of the iterations
    double drift;         // change over the last half
    const char
        *verdict; // "still moving", "settled", "games cannot see it"; "-": too few iterations
} SpsaTail;
// Computes the tail. The verdict is "still moving" if the drift exceeds twice the drift of a random
// walk with the same steps, the square root of the sum of their squares.
SpsaTail spsa_tail(const SpsaTrace *trace, int param);
// Compares an end of a parameter's range with the start by its probe: min (0) or max (1). Returns
// false if no games were played.
bool spsa_probe_verdict(const SpsaTrace *trace, int param, int end, StrengthVerdict *verdict);
// Returns true if both probes of a parameter are finished and neither end is stronger or weaker
// than the start.
bool spsa_unseen(const SpsaTrace *trace, int param);

// Sets values [spec->count] to the result, the means over the last quarter.
void spsa_result(const SpsaSpec *spec, const SpsaTrace *trace, double *values);

// ---- output -------------------------------------------------------------------------------------

// The destination and form of the output.
typedef struct SpsaShow {
    const CommandCall *call;
    const SpsaRun *run;
    const char *player; // PLAYER text of the command line
    bool json, quiet;
    Progress progress;
} SpsaShow;

// An SpsaIterationDone whose context is an SpsaShow. It shows progress, prints the probes when all
// are finished, and with --json prints an object for each iteration.
SpsaIterationDone spsa_show_iteration;
// Prints the parameters as lines of fishtest with these values; with their starts if `values` is
// NULL.
void spsa_print_lines(const SpsaShow *show, const SpsaSpec *spec, const double *values);
// Prints the table of results, the PLAYER with the result, and the command that makes it permanent.
void spsa_print_result(const SpsaShow *show, const SpsaTrace *trace);
// Prints the match of the result against the start, or a note if both are equal when rounded.
void spsa_print_check(const SpsaShow *show, const SpsaTrace *trace, const MatchCounts *counts);

// Plays all matches of show->run with a progress line, then prints the result and writes its files.
Status spsa_tune(SpsaShow *show, Err *err);

// ---- the log ------------------------------------------------------------------------------------

// Starts a log, or reads the existing one. Returns STATUS_MISMATCH if it belongs to another run,
// STATUS_USAGE if it exists and --resume is not given. Drops a last line that a crash cut off.
Status spsa_log_begin(const SpsaRun *run, SpsaTrace *trace, Err *err);
// spsa_trace_add() adds a row to the trace; spsa_log_add() writes it to the file and syncs.
void spsa_trace_add(SpsaTrace *trace, const SpsaRow *row);
Status spsa_log_add(const SpsaRun *run, const SpsaRow *row, Err *err);

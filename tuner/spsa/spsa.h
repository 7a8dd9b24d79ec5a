// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation stochastic approximation (SPSA): tunes parameters by games between two
// perturbed sets of values.
//
// An iteration draws a sign (1 or -1) for each parameter, and plays some pairs of games between two
// sets of values: theta + c_t sign, and theta - c_t sign. Then it updates
//     theta += a_t / c_t * result * sign,  c_t = c / t^gamma,  a_t = a / (A + t)^alpha
// (Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998) 817, with his alpha 0.602
// and gamma 0.101). `result` is wins minus losses of the first set in all games of the iteration. t
// is the number of the iteration's first pair, counted from 1 over the whole run of n pairs. A is n
// times SpsaSpec.a_ratio. A parameter has two settings, as in fishtest
// (server/fishtest/spsa_handler.py): c_end is the perturbation c_t at the end of the run, and r_end
// is the ratio a_t / c_t^2 there. They determine the constants
//     c = c_end n^gamma,  a = r_end c_end^2 (A + n)^alpha.
#pragma once

#include "core/command/options.h"
#include "core/command/progress.h"
#include "selfplay/contest/contest.h"
#include "selfplay/stats/strength_verdict.h"

enum { SPSA_NAME_SIZE = 64, SPSA_PARAMS_MAX = 64 };

typedef struct SpsaParam {
    char name[SPSA_NAME_SIZE];
    double start, min, max; // min and max are integers, because games use integer values
    double c_end, r_end;
    // True if the option `--param all` added the parameter. spsa_take_player() then removes it if
    // it has no effect under the limits of the games.
    bool by_all;
    bool start_given; // true if the text of --param contains a start value
} SpsaParam;

typedef struct SpsaSpec {
    SpsaParam params[SPSA_PARAMS_MAX];
    int count;
    int iterations;
    int pairs;      // pairs of games in each iteration; both games of a pair have the same opening
    double a_ratio; // stability constant A of SPSA, as a fraction of iterations * pairs
    double alpha, gamma;
    uint64_t seed;
} SpsaSpec;

// spsa_c() returns c_t and spsa_gain() returns a_t / c_t of a parameter, where t is the number of
// the first pair of iteration k = 1, 2, ... (head of this file).
double spsa_c(const SpsaSpec *spec, int param, int k);
double spsa_gain(const SpsaSpec *spec, int param, int k);

// Computes the two sets of values that play in iteration k. A value is floor(x + u), where x is
// theta + c_t or theta - c_t (head of this file), and u is random in 0..1. The mean of floor(x + u)
// is x. The value is then limited to min..max. The result depends only on spec, theta and k.
void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus);

// Updates the values theta after iteration k and limits them to min..max. `result` is wins minus
// losses of the set `plus` of spsa_perturb().
void spsa_update(const SpsaSpec *spec, double *theta, int k, double result);

// Returns the integer that games use for a parameter with this value.
long long spsa_round(double value);

// Computes the shares of iterations in which both sets of spsa_perturb() have the same value of a
// parameter, or have the two values in reverse order, for the perturbation `c` and an average
// theta. Both are 0 if c is at least 1.
void spsa_shares(double c, double *equal, double *reversed);

// Adds a parameter from the text "name,start,min,max,c[,r]"; after the name the type "int" may
// follow, as in OpenBench. A name alone is a search parameter of Paotai; "all" stands for all
// search parameters. A text without r gets r_end. Returns STATUS_USAGE if the text is wrong, the
// name is given twice, or there are too many parameters.
Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err);
// Adds the parameters of a file, one in each line.
Status spsa_read_params(SpsaSpec *spec, const char *path, double r_end, Err *err);

typedef enum SpsaForm {
    SPSA_OPENBENCH = 1, // line of the form: name, int, value, min, max, c_end, r_end
    SPSA_FISHTEST,      // line of the form: name,value,min,max,c_end,r_end
} SpsaForm;
// Appends a line for each parameter with its value in `values`, or with its start value if `values`
// is NULL. Values keep their fraction, so a run that continues from these lines starts there.
void spsa_add_lines(const SpsaSpec *spec, SpsaForm form, const double *values, Text *text);

// ---- the tuned player ---------------------------------------------------------------------------

// Adapts the parameters to the tuned player. Options of the player (option.NAME=VALUE) become start
// values. If an option replaces a start value of --param, a message on `tell` says so; `tell` may
// be NULL. If the player is Paotai, names and ranges are checked. A parameter of Paotai without
// effect under the player's limits is removed if the option `--param all` added it, and refused
// otherwise. This check is left out if few_nodes is tuned under a node limit: its changing value
// then decides which parameters have an effect. Returns STATUS_USAGE if a parameter is refused.
Status spsa_take_player(SpsaSpec *spec, PlayerSetup *player, FILE *tell, Err *err);
// Appends the text of `player` (a PLAYER of the command line), with the rounded values as options.
// The value of an option that `player` already sets is replaced.
void spsa_add_player(const SpsaSpec *spec, const char *player, const double *values, Text *text);
// Returns true if the rounded values equal the start values.
bool spsa_is_start(const SpsaSpec *spec, const double *values);

// ---- matches ------------------------------------------------------------------------------------
//
// Before the first iteration, two matches are played for each parameter: its smallest and its
// largest value against its start value. These matches are called probes. They show whether the
// parameter has a measurable effect on the strength. A probe has no games if its value equals the
// start value. Then each iteration is a small match between two perturbed sets of values.
// DIR/spsa.log holds the state after each probe and iteration.

typedef struct SpsaRow {
    // Number of the iteration, from 1 to SpsaSpec.iterations; 0: the start values.
    // SpsaSpec.iterations + 1: the last match, in which the tuned values play against the start
    // values; it is not logged. Negative numbers are probes, matches against the start values. In
    // probe -1 - 2 i, parameter i (from 0) has its min, in probe -2 - 2 i it has its max.
    int iteration;
    uint64_t pairs; // number of pairs of games in the last match; 0 for iterations and probes
    long long wins, losses, draws;
    long long penta[PAIR_OUTCOMES]; // pairs of games by outcome: LL, LD, DD+WL, WD, WW
    // number of fault-free pairs of games in which both sets made the same moves
    long long alike;
    double theta[SPSA_PARAMS_MAX];
} SpsaRow;

typedef enum SpsaWord {
    SPSA_UNDECIDED,
    SPSA_SETTLED,   // at most SPSA_SETTLED_ELO are missing
    SPSA_NO_EFFECT, // no match shows an effect of the parameter
    SPSA_EDGE,      // the last value, or the rounded result, is the min or max
    SPSA_WORDS,
} SpsaWord;
#define SPSA_SETTLED_ELO 5.0
#define SPSA_OPEN_ELO    300.0 // larger bounds are printed as "any"

// The verdict on a parameter, from all matches of the run (spsa_judge).
typedef struct SpsaVerdict {
    SpsaWord word;
    // With 95 %, the best value of the range is better by at most missing_high Elo, and the values
    // of the range differ by at most range_high Elo; both are NAN with too few iterations.
    double missing_high, range_high;
    char text[160]; // the verdict in words
} SpsaVerdict;

// The start values, and the results of the finished iterations and probes. A probe is a match at
// one end of a parameter's range. Initialise to zero; spsa_trace_clear() frees the memory.
typedef struct SpsaTrace {
    SpsaRow *rows;
    size_t count, capacity;
    // Results of the probes. In a probe, a player with a parameter at its min [0] or max [1] plays
    // against a player with the start value.
    MatchCounts probes[SPSA_PARAMS_MAX][2];
    // True if the player with the parameter at min [0] or max [1] made the same moves as the player
    // with the start value in all games of their match.
    bool alike[SPSA_PARAMS_MAX][2];
    // Number of finished matches in `probes`. They are played parameter by parameter, first with
    // its min, then with its max.
    int probe_count;
    MatchCounts
        check; // the last match, of the result against the start values; 0 games: not played
    SpsaVerdict verdicts[SPSA_PARAMS_MAX]; // set by spsa_judge()
    size_t stored;     // number of iterations that --resume has read from the log
    int stored_probes; // number of probes that --resume has read from the log
} SpsaTrace;
void spsa_trace_clear(SpsaTrace *trace);
AUTO_VALUE(SpsaTrace, spsa_trace_clear)

typedef struct SpsaRun {
    SpsaSpec spec;
    // Settings that all matches share. Each match has its own parameter values, seed and number of
    // pairs of games.
    const ContestSpec *match;
    // Number of game pairs in each probe, a match before the first iteration. It plays the minimum
    // or the maximum of one parameter against its start value. 0: no probes.
    uint64_t probe_pairs;
    // number of game pairs in the last match, of the tuned against the start values; 0: no match
    uint64_t check_pairs;
    const char *dir; // directory of the log and the results; NULL: nothing is saved
    bool resume;     // continue after the last iteration that the log contains
    FILE *tell;      // receives a note if there is no log to resume; may be NULL
    // Text with all settings on which the tuned values depend, one in each line. A log of a run
    // with other settings is refused.
    const char *identity;
} SpsaRun;

typedef void SpsaIterationDone(void *context, const SpsaTrace *trace);

// Plays the probes and iterations that the log does not contain, and calls `done` after each.
// *trace receives the start values, and the probes and iterations of this run and of the log.
// *interrupted becomes true if a match ended early, for example after Ctrl-C. If nodes or depth
// limit the searches, the result depends neither on the number of threads nor on whether the run
// was resumed.
Status spsa_run(const SpsaRun *run, SpsaIterationDone *done, void *context, SpsaTrace *trace,
                bool *interrupted, Err *err);

// Writes DIR/spsa.html, a page with a chart of each parameter over the iterations, and
// DIR/params.txt, the result as parameter lines of OpenBench.
Status spsa_write_files(const SpsaRun *run, const SpsaTrace *trace, Err *err);

// Plays a match of a set of values against the start values.
Status spsa_play_start(const SpsaRun *run, const double *theta, uint64_t pairs, MatchCounts *counts,
                       bool *interrupted, Err *err);

// Describes how the value of a parameter changed during the run. Scatter and drift are no standard
// errors of the value.
typedef struct SpsaTail {
    double mean, scatter; // mean and standard deviation over the last quarter of the iterations
    double drift;         // change of the value over the last half of the iterations
} SpsaTail;
SpsaTail spsa_tail(const SpsaTrace *trace, int param);

// Sets trace->verdicts. All matches of the run say something about a parameter: the iterations (the
// results of perturbed sets, that is, the slope along the path), both probes, and the last match.
// A regression on all of them estimates the strength of each value of the range as a polynomial of
// degree 3 for each parameter, with the covariance of its coefficients. Random draws from this
// distribution show how many Elo may be missing. The verdict is "settled" if it is at most
// SPSA_SETTLED_ELO with 95 % probability, and "no effect seen, up to +-X Elo" if the coefficients
// do not differ from 0 (chi-squared test at 5 %); X is range_high. A result at the edge of its
// range is called so. Otherwise the verdict is "undecided", with what more games would bring: other
// values are better, or more games may decide. With fewer than ten iterations the verdict is always
// "undecided". In simulations of players whose strength has one peak, at most one of twenty
// verdicts is false (test_spsa_verdicts, E-136, E-191).
void spsa_judge(const SpsaSpec *spec, SpsaTrace *trace);
// Sets *verdict to the result of a probe: the match in which a parameter has its min (`end` 0) or
// its max (`end` 1) against its start value. Returns false if no games were played.
bool spsa_probe_verdict(const SpsaTrace *trace, int param, int end, StrengthVerdict *verdict);

// Sets values [spec->count] to the result of the run, the means over the last quarter of the
// iterations.
void spsa_result(const SpsaSpec *spec, const SpsaTrace *trace, double *values);

// ---- output -------------------------------------------------------------------------------------

// The destination and form of the printed results.
typedef struct SpsaShow {
    const CommandCall *call;
    const SpsaRun *run;
    const char *player; // the player of the command line, as text
    bool json, quiet;
    Progress progress;
} SpsaShow;

// Called after each iteration, and after each probe (a match at one end of a parameter's range).
// The context is an SpsaShow. Shows progress. Prints the results of all probes after the last
// probe. With --json, prints an object for each iteration.
SpsaIterationDone spsa_show_iteration;
// Shows the final state of the probes or iterations, and ends the progress line.
void spsa_finish_progress(SpsaShow *show, const SpsaTrace *trace, const char *detail);
// Prints the parameters as lines of fishtest with these values, or with their start values if
// `values` is NULL.
void spsa_print_lines(const SpsaShow *show, const SpsaSpec *spec, const double *values);
// Prints the table of the parameters, and the tuned values both as lines of fishtest (not with
// --json) and as options of a PLAYER (option.NAME=VALUE,...).
void spsa_print_result(const SpsaShow *show, const SpsaTrace *trace);
// Prints the result of the match of the tuned values against the start values, or a note if both
// are equal after rounding. For Paotai, if the tuned values are stronger, also prints the command
// that makes them the default of the search. Prints nothing if the match was interrupted before its
// first game ended.
void spsa_print_check(const SpsaShow *show, const SpsaTrace *trace, const MatchCounts *counts);

// Plays all matches of show->run with a progress line, then prints the result and writes the files.
Status spsa_tune(SpsaShow *show, Err *err);

// ---- the log ------------------------------------------------------------------------------------

// Starts a log, or reads the existing one. *trace receives the start values and the lines of the
// log. Returns STATUS_MISMATCH if the log belongs to another run, STATUS_USAGE if it exists and
// --resume is not given, STATUS_CORRUPT if a line is damaged. Drops an incomplete last line, which
// a crash leaves.
Status spsa_log_begin(const SpsaRun *run, SpsaTrace *trace, Err *err);
// spsa_trace_add() adds a row to the trace. spsa_log_add() appends it to the log and calls fsync().
void spsa_trace_add(SpsaTrace *trace, const SpsaRow *row);
Status spsa_log_add(const SpsaRun *run, const SpsaRow *row, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential probability ratio test (SPRT) of the hypothesis H1, "A is elo1 stronger than B",
// against H0, "A is elo0 stronger than B".
#pragma once

#include "core/command/options.h"
#include "core/command/progress.h"
#include "selfplay/stats/stats.h"

typedef enum SprtModel {
    SPRT_NORMALIZED, // the hypotheses elo0 and elo1 are normalized Elo
    SPRT_LOGISTIC,   // the hypotheses elo0 and elo1 are logistic Elo
    SPRT_BAYESIAN, // the hypotheses are BayesElo; the test uses single games and estimates the draw
                   // Elo from them
} SprtModel;
#define SPRT_MODEL_WORDS                                                                           \
    "normalized|logistic|bayesian" // names of the models, in the order of SprtModel

typedef enum SprtDecision { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtDecision;

typedef struct SprtSpec {
    SprtModel model;
    double elo0, elo1;  // Elo under H0 and H1: elo0 < elo1, both within +-SPRT_ELO_MAX
    double alpha, beta; // probabilities of a wrong decision under H0 and H1, each in (0, 0.5)
} SprtSpec;
#define SPRT_ELO_MAX 1000.0

// Entries of an option table for the options of an SPRT. `model` is a member of the settings struct
// S of type int, `spec` a member of type SprtSpec.
#define SPRT_ROWS(S, model, spec)                                                                  \
    OPT_CHOICE("model", S, model, "normalized", SPRT_MODEL_WORDS,                                  \
               "kind of Elo in which the hypotheses H0 and H1 are given"),                         \
        OPT_REAL("alpha", S, spec.alpha, 1e-6, 0.49, "0.05", "P",                                  \
                 "probability that the test accepts H1 if H0 is true"),                            \
        OPT_REAL("beta", S, spec.beta, 1e-6, 0.49, "0.05", "P",                                    \
                 "probability that the test accepts H0 if H1 is true")
// Entry of an option table for --sprt, which gives the hypotheses of a match's SPRT.
#define ROW_SPRT(S, M)                                                                             \
    OPT_TEXT("sprt", S, M, NULL, "E0,E1",                                                          \
             "stop the match when an SPRT has decided whether A is stronger than B by E0 Elo "     \
             "(hypothesis H0) or by E1 Elo (H1); --model is the kind of Elo")

typedef struct SprtReport {
    double llr, lower, upper; // log likelihood ratio; lower and upper bound of the test
    SprtDecision decision;
} SprtReport;

// Returns STATUS_USAGE, with the value in the message, if a member of the spec is out of range.
Status sprt_check(const SprtSpec *spec, Err *err);
// Parses "elo0,elo1" into the spec, whose other members must already be set, and checks the spec.
Status sprt_read_elos(const char *text, SprtSpec *spec, Err *err);

// Completes *spec for a command that has ROW_SPRT and SPRT_ROWS: sets the model and parses `elos`,
// the value "E0,E1" of --sprt. If `elos` is NULL, there is no test, and the options of SPRT_ROWS
// are refused.
Status sprt_read_options(const CommandCall *call, const char *elos, int model, SprtSpec *spec,
                         Err *err);

// Return Wald's bounds of the log likelihood ratio: the test accepts H0 at the lower bound and H1
// at the upper bound.
double sprt_lower(const SprtSpec *spec); // lower bound ln(beta/(1-alpha)), below 0
double sprt_upper(const SprtSpec *spec); // upper bound ln((1-beta)/alpha), above 0

// Computes the generalized log likelihood ratio by maximum likelihood, the bounds of the test and
// the decision (Van den Bergh, "Comments on normalized Elo", section 4.1; fishtest's LLRcalc).
// Returns STATUS_USAGE if *spec is invalid, STATUS_BAD_INPUT if the model is SPRT_BAYESIAN and the
// counts of single games are unknown (has_games is not set), STATUS_NUMERIC if sprt_fit() fails for
// elo0 or elo1.
Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err);

// Computes the sample on which the test is based: pairs if they are known, otherwise games. The
// Bayesian model always uses games, and returns STATUS_BAD_INPUT if their counts are unknown.
Status sprt_sample(const SprtSpec *spec, const MatchCounts *counts, Sample *sample, Err *err);

// Finds the maximum likelihood distribution of outcomes for the sample, among all distributions of
// strength `elo` (in the model's kind of Elo). The Bayesian model uses the distribution of
// mle_fit_bayes() instead. Sets ratio[i] to the frequency of outcome i in the sample, divided by
// the probability of outcome i in the distribution. Returns STATUS_NUMERIC if no distribution is
// found.
Status sprt_fit(SprtModel model, const Sample *sample, double elo, double *ratio, Err *err);

// Returns the mean score of a player who is stronger by `elo`, in the model's kind of Elo. The
// normalized model uses the variance of the sample, the Bayesian model its frequencies of wins,
// draws and losses.
double sprt_hypothesis_score(const SprtSpec *spec, const Sample *sample, double elo);

// Returns the expected number of further pairs (games if there are no pairs) until the test
// decides, if the mean score stays as it is. Returns 0 if the test has decided or the number cannot
// be computed. Sets *sd to the standard deviation of the number, unless `sd` is NULL.
double sprt_expected_more(const SprtSpec *spec, const MatchCounts *counts, double *sd);
// Computes mean and standard deviation of the time after which a Brownian motion reaches the
// distance `down` below or `up` above its start. Drift and variance are per unit of time.
void sprt_exit_time(double drift, double variance, double down, double up, double *mean,
                    double *sd);

// Returns "accept_h0", "accept_h1" or "continue".
const char *sprt_decision_text(SprtDecision decision);
// Returns the words for a sentence about a match that has ended. They are those of
// sprt_decision_text(), except "not decided" instead of "continue".
const char *sprt_decision_words(SprtDecision decision);

// Number of significant digits of real numbers in reports.
enum { REPORT_DIGITS = 12 };

// Adds the members `games wins losses draws pentanomial elo elo_error95 nelo nelo_error95 los llr
// lower upper decision pair_ratio draw_ratio` to a record between record_begin() and record_end().
// Unknown values are "-" (null in JSON). If `sprt` is NULL, llr, lower, upper and decision are
// unknown.
void match_report_record(Record *record, const MatchCounts *counts, const SprtReport *sprt);

// ---- strength estimate of a stopped test --------------------------------------------------------

// Estimate of the strength that takes the stopping rule of an SPRT into account. A plain estimate
// would be biased, because the test stops at a moment when the score is extreme.
typedef struct StoppedElo {
    double elo_median; // median-unbiased estimate: logistic Elo for which an outcome worse than the
                       // observed one has probability 1/2
    double ci_low, ci_high; // 95 % confidence interval of the strength in logistic Elo
    double los; // likelihood of superiority: probability that equal players have a worse outcome
                // than the observed one
} StoppedElo;

// Estimates the strength from the counts of a test, which need not have stopped. Treats the log
// likelihood ratio (LLR) as a Brownian motion between the bounds. The estimate follows from the
// probability of an outcome of the test that is worse than the observed one. For this purpose the
// outcomes are ordered from worst to best: H0 accepted early, H0 accepted late, undecided tests by
// their LLR, H1 accepted late, H1 accepted early. All Elo values are limited to +-1000. Source:
// fishtest's stats/sprt.py and stats/brownian.py.
Status stopped_elo_from_counts(const SprtSpec *spec, const MatchCounts *counts, StoppedElo *stopped,
                               Err *err);

// Adds the members `elo_median ci_low ci_high los_stopped` to a record between record_begin() and
// record_end().
void stopped_elo_record(Record *record, const StoppedElo *stopped);

// ---- simulation of tests ------------------------------------------------------------------------

typedef struct PlanSpec {
    SprtSpec sprt;
    double true_elo; // true strength of A in the simulated tests, in the kind of Elo of sprt.model
    // Results of a match from which the distribution of the outcomes is taken. NULL: independent
    // games of equal players, who draw with probability draw_ratio (0..0.999).
    const MatchCounts *pilot;
    double draw_ratio;
    uint64_t seed;
    int runs;           // number of tests to simulate
    uint64_t max_games; // maximum number of games of a test; a test that has not decided by then is
                        // unfinished
    int threads;        // number of threads, at least 1; the report does not depend on it
    MatchCounts *final; // [runs] receives the results of each test; may be NULL
    bool every_pair_exact; // compute the exact LLR after every pair; slow, used by tests of the
                           // program
} PlanSpec;

enum { PLAN_QUANTILE_COUNT = 6 };
extern const int
    plan_quantiles[PLAN_QUANTILE_COUNT]; // percentages of the quantiles in PlanReport.games

typedef struct PlanReport {
    int runs, accepted_h0, accepted_h1, unfinished;
    double mean_games;
    long long games[PLAN_QUANTILE_COUNT]; // quantiles of the number of games per test; for an
                                          // unfinished test, the number of games that it played
    double score; // mean score of the distribution that generates the random results
} PlanReport;

// Simulates SPRTs, to find how many games they need. Each simulated test depends only on the seed
// and its number. It consists of random results of game pairs, or of single games if the test is
// Bayesian or *pilot has only counts of games. The results are drawn from a distribution with the
// strength true_elo. sprt_fit() computes it from *pilot or, if `pilot` is NULL, from the
// distribution for equal players. The test may decide after every pair or game. `progress` may be
// NULL. Returns STATUS_INTERRUPTED after Ctrl-C, STATUS_USAGE if true_elo is out of range, and the
// errors of sprt_check(), sprt_fit() and sprt_report().
Status sprt_plan(const PlanSpec *spec, PlanReport *report, Progress *progress, Err *err);

// Adds the members `true_elo score runs accept_h1 accept_h1_error95 accept_h0 unfinished games_mean
// games_p5 ...` to a record between record_begin() and record_end().
void sprt_plan_record(Record *record, const PlanSpec *spec, const PlanReport *report);

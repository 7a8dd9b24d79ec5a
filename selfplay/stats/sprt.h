// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential probability ratio test (SPRT) of H1, "A is elo1 stronger than B", against H0, "A is
// elo0 stronger than B".
#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "selfplay/stats/stats.h"

typedef enum SprtModel {
    SPRT_NORMALIZED, // elo0 and elo1 are normalized Elo
    SPRT_LOGISTIC,   // elo0 and elo1 are logistic Elo
    SPRT_BAYESIAN,   // elo0 and elo1 are BayesElo; uses single games and their draw Elo
} SprtModel;
#define SPRT_MODEL_WORDS "normalized|logistic|bayesian" // in the order of SprtModel

typedef enum SprtDecision { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtDecision;

typedef struct SprtSpec {
    SprtModel model;
    double elo0, elo1;  // elo0 < elo1, both within +-SPRT_ELO_MAX
    double alpha, beta; // error probabilities under H0 and H1, each in (0, 0.5)
} SprtSpec;
#define SPRT_ELO_MAX 1000.0

// Option rows of a test: the int `model` and the SprtSpec `spec` are members of the settings S.
#define SPRT_ROWS(S, model, spec)                                                                  \
    OPT_CHOICE("model", S, model, "normalized", SPRT_MODEL_WORDS,                                  \
               "kind of Elo of the hypotheses H0 and H1"),                                         \
        OPT_REAL("alpha", S, spec.alpha, 1e-6, 0.49, "0.05", "P",                                  \
                 "probability that the test accepts H1 if H0 is true"),                            \
        OPT_REAL("beta", S, spec.beta, 1e-6, 0.49, "0.05", "P",                                    \
                 "probability that the test accepts H0 if H1 is true")
// Row of the hypotheses of a match.
#define ROW_SPRT(S, M)                                                                             \
    OPT_TEXT("sprt", S, M, NULL, "E0,E1",                                                          \
             "stop the match when an SPRT of H0, Elo E0, against H1, Elo E1, has decided")

typedef struct SprtReport {
    double llr, lower, upper;
    SprtDecision decision;
} SprtReport;

// Returns STATUS_USAGE, with the value in the message, if a member is out of range.
Status sprt_check(const SprtSpec *spec, Err *err);
// Reads "elo0,elo1" into the spec, whose other members must be set, and checks the spec.
Status sprt_read_elos(const char *text, SprtSpec *spec, Err *err);

// Completes the spec of a command with ROW_SPRT and SPRT_ROWS: sets the model and reads "E0,E1". If
// `elos` is NULL there is no test, and the other options are refused.
Status sprt_read_options(const CommandCall *call, const char *elos, int model, SprtSpec *spec,
                         Err *err);

// Return Wald's bounds of the log likelihood ratio.
double sprt_lower(const SprtSpec *spec); // ln(beta/(1-alpha)), < 0
double sprt_upper(const SprtSpec *spec); // ln((1-beta)/alpha), > 0

// Computes the generalized log likelihood ratio by maximum likelihood, its bounds and the decision
// (Van den Bergh, "Comments on normalized Elo", section 4.1; fishtest's LLRcalc). SPRT_BAYESIAN
// needs has_games. Returns STATUS_BAD_INPUT if the model does not fit the counts, or STATUS_NUMERIC
// if no distribution near the sample has the strength elo0 or elo1.
Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err);

// Computes the sample that a test of this model uses. The Bayesian model uses single games even if
// pairs are known.
Status sprt_sample(const SprtSpec *spec, const MatchCounts *counts, Sample *sample, Err *err);

// Finds the most likely distribution of the sample's outcomes that has strength `elo` in the unit
// of the model. Sets ratio[i] to the sample's frequency of outcome i divided by its probability in
// that distribution. Returns STATUS_NUMERIC if there is no such distribution near the sample.
Status sprt_fit(SprtModel model, const Sample *sample, double elo, double *ratio, Err *err);

// Returns the mean score that corresponds to strength `elo` in the unit of the model, given the
// variance of the sample.
double sprt_hypothesis_score(const SprtSpec *spec, const Sample *sample, double elo);

// Returns the expected number of further pairs (games if there are no pairs) until the test
// decides, if the mean score stays as it is. Returns 0 if the test has decided or cannot be
// computed. Sets *sd to the standard deviation of that number, unless `sd` is NULL.
double sprt_expected_more(const SprtSpec *spec, const MatchCounts *counts, double *sd);
// Computes mean and standard deviation of the time after which a Brownian motion with this drift
// and variance per unit of time reaches the distance `down` below or `up` above its start.
void sprt_exit_time(double drift, double variance, double down, double up, double *mean,
                    double *sd);

// Returns "accept_h0", "accept_h1" or "continue".
const char *sprt_decision_text(SprtDecision decision);

// Significant digits of the real numbers in reports.
enum { REPORT_DIGITS = 12 };

// Adds the members `games wins losses draws pentanomial elo elo_error95 nelo nelo_error95 los llr
// lower upper decision pair_ratio draw_ratio` to an open record. Unknown values are "-" (null in
// JSON). If `sprt` is NULL, llr, lower, upper and decision are unknown.
void match_report_record(Record *record, const MatchCounts *counts, const SprtReport *sprt);

// ---- strength estimate of a stopped test --------------------------------------------------------

// Strength estimate that is corrected for the stopping rule. Without the correction the score of a
// stopped test is biased, because the test stops when the score looks good.
typedef struct StoppedElo {
    double elo_median;      // logistic Elo at which a worse outcome has probability 1/2
    double ci_low, ci_high; // 95 % confidence interval of the logistic Elo
    double los;             // probability of a worse outcome at equal strength
} StoppedElo;

// Estimates the strength after a test; the test need not have stopped. Treats the likelihood ratio
// as a Brownian motion between the bounds. Outcomes are ordered from worst to best: fast failures,
// slow failures, running tests by their ratio, slow passes, fast passes. Values are limited to
// +-1000 Elo. Source: fishtest's stats/sprt.py and stats/brownian.py.
Status stopped_elo_from_counts(const SprtSpec *spec, const MatchCounts *counts, StoppedElo *stopped,
                               Err *err);

// Adds the members `elo_median ci_low ci_high los_stopped` to an open record.
void stopped_elo_record(Record *record, const StoppedElo *stopped);

// ---- plans --------------------------------------------------------------------------------------

typedef struct PlanSpec {
    SprtSpec sprt;
    double true_elo; // in the unit of sprt.model
    // Results of a match, from which the distribution of outcomes is taken. NULL: the games are
    // independent, and equal players draw with probability draw_ratio (0..0.999).
    const MatchCounts *pilot;
    double draw_ratio;
    uint64_t seed;
    int runs;              // simulated tests
    uint64_t max_games;    // maximum games of a test; a test without a decision is then unfinished
    int threads;           // number of threads, >= 1; does not change the report
    bool every_pair_exact; // compute the exact ratio after every pair; slow, for tests
} PlanSpec;

enum { PLAN_QUANTILE_COUNT = 6 };
extern const int plan_quantiles[PLAN_QUANTILE_COUNT]; // quantiles of PlanReport.games, in percent

typedef struct PlanReport {
    int runs, accepted_h0, accepted_h1, unfinished;
    double mean_games;
    long long games[PLAN_QUANTILE_COUNT]; // quantiles; an unfinished run counts with the games that
                                          // it played
    double score;                         // mean score of the simulated distribution
} PlanReport;

// Simulates tests. Each run depends only on the seed and its number. Pairs are drawn from the most
// likely distribution near the pilot that has strength true_elo (sprt_fit); a Bayesian test draws
// single games. The test looks at the ratio after every pair or game. `progress` may be NULL.
// Returns STATUS_INTERRUPTED after Ctrl-C.
Status sprt_plan(const PlanSpec *spec, PlanReport *report, Progress *progress, Err *err);

// Adds the members `true_elo score runs accept_h1 accept_h1_error95 accept_h0 unfinished games_mean
// games_p5 ...` to an open record.
void sprt_plan_record(Record *record, const PlanSpec *spec, const PlanReport *report);

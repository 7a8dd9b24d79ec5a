// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential probability ratio test of "A is elo1 stronger" (H1) against "A is elo0 stronger" (H0).
#pragma once

#include "core/base/progress.h"
#include "selfplay/stats/stats.h"

typedef enum SprtModel {
    SPRT_NORMALIZED, // elo0 and elo1 are normalized Elo
    SPRT_LOGISTIC,   // logistic Elo
    SPRT_BAYESIAN,   // BayesElo, draw Elo estimated from the sample; from single games only
} SprtModel;
#define SPRT_MODEL_WORDS "normalized|logistic|bayesian" // in the order of SprtModel

typedef enum SprtDecision { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtDecision;

typedef struct SprtSpec {
    SprtModel model;
    double elo0, elo1;  // elo0 < elo1, both within +-SPRT_ELO_MAX
    double alpha, beta; // error probabilities under H0 and H1, each in (0, 0.5)
} SprtSpec;
#define SPRT_ELO_MAX 1000.0

typedef struct SprtReport {
    double llr, lower, upper;
    SprtDecision decision;
} SprtReport;

// Refuses what is out of range, with the value.
Status sprt_check(const SprtSpec *spec, Err *err);
// Reads "elo0,elo1" into the spec, whose other members are set, and checks all.
Status sprt_read_elos(const char *text, SprtSpec *spec, Err *err);

// Wald's bounds of the log likelihood ratio.
double sprt_lower(const SprtSpec *spec); // ln(beta/(1-alpha)), < 0
double sprt_upper(const SprtSpec *spec); // ln((1-beta)/alpha), > 0

// The generalized log likelihood ratio by maximum likelihood (Van den Bergh, "Comments on
// normalized Elo", section 4.1; fishtest's LLRcalc), the bounds and the decision. SPRT_BAYESIAN
// needs has_games. STATUS_BAD_INPUT when the model does not fit the counts, STATUS_NUMERIC when no
// distribution near the sample has the strength asked for.
Status sprt_report(const SprtSpec *spec, const MatchCounts *counts, SprtReport *report, Err *err);

// The sample that a test of this model looks at: the bayesian one takes games even where there are
// pairs.
Status sprt_sample(const SprtSpec *spec, const MatchCounts *counts, Sample *sample, Err *err);

// The most likely distribution of the sample's outcomes that has strength `elo` in the model's
// unit: ratio[i] is the sample's frequency of outcome i over its probability there
// (selfplay/stats/stats.h). STATUS_NUMERIC when there is none near the sample.
Status sprt_fit(SprtModel model, const Sample *sample, double elo, double *ratio, Err *err);

// The mean score that has strength `elo` in the model's unit, with the spread of the sample.
double sprt_hypothesis_score(const SprtSpec *spec, const Sample *sample, double elo);

// Returns how many more pairs (games where there are no pairs) the test is expected to take if the
// mean score stays where it is; 0 if it has decided.
double sprt_expected_more(const SprtSpec *spec, const MatchCounts *counts);

// "accept_h0", "accept_h1" or "continue".
const char *sprt_decision_text(SprtDecision decision);

// Significant digits of the real numbers in reports.
enum { REPORT_DIGITS = 12 };

// Writes the key-value members `games wins losses draws pentanomial elo elo_error95 nelo
// nelo_error95 los llr lower upper decision pair_ratio draw_ratio` into an open record; what the
// counts do not tell is "-" (null in JSON). sprt may be NULL: a match without a test says "-" for
// llr, lower, upper and decision.
void match_report_record(Record *record, const MatchCounts *counts, const SprtReport *sprt);

// ---- the strength that a stopped test shows -----------------------------------------------------

// A test that stops when it looks good has a biased score; the estimate here corrects for the
// stopping rule.
typedef struct StoppedElo {
    double elo_median; // logistic Elo at which an outcome as good as this one is as likely as not
    double ci_low, ci_high; // 95 % interval
    double los;             // probability of a worse outcome at equal strength
} StoppedElo;

// Works for tests that have not stopped, too. The likelihood ratio is taken as a Brownian motion
// between the bounds, outcomes are ordered: fast failures, slow ones, running tests by their ratio,
// slow passes, fast passes. Values stay within +-1000 Elo. Source: fishtest's stats/sprt.py and
// stats/brownian.py.
Status stopped_elo_from_counts(const SprtSpec *spec, const MatchCounts *counts, StoppedElo *stopped,
                               Err *err);

// Members `elo_median ci_low ci_high los_stopped` of an open record.
void stopped_elo_record(Record *record, const StoppedElo *stopped);

// ---- plans --------------------------------------------------------------------------------------

typedef struct PlanSpec {
    SprtSpec sprt;
    double true_elo; // in the unit of sprt.model
    const MatchCounts
        *pilot;        // results of a match that tell the shape of the outcomes; NULL: draw_ratio
    double draw_ratio; // without a pilot: of even games, independent of each other; 0..0.999
    uint64_t seed;
    int runs;              // simulated tests
    uint64_t max_games;    // a test that goes on for longer is unfinished
    int threads;           // >= 1; the report is the same for any number
    bool every_pair_exact; // the exact ratio after every pair: slow, for comparison
} PlanSpec;

enum { PLAN_QUANTILE_COUNT = 6 };
extern const int plan_quantiles[PLAN_QUANTILE_COUNT]; // of a report, in percent

typedef struct PlanReport {
    int runs, accepted_h0, accepted_h1, unfinished;
    double mean_games;
    long long games[PLAN_QUANTILE_COUNT]; // unfinished runs count with max_games
    double score;                         // the true mean score
} PlanReport;

// Simulates: every run is a function of the seed and its number. Pairs are drawn from the most
// likely distribution of strength true_elo near the pilot (sprt_fit); a bayesian test draws single
// games. The test looks after every pair. progress may be NULL. STATUS_INTERRUPTED when Ctrl-C
// came.
Status sprt_plan(const PlanSpec *spec, PlanReport *report, Progress *progress, Err *err);

// Members `true_elo score runs accept_h1 accept_h1_error95 accept_h0 unfinished games_mean games_p5
// ..`.
void sprt_plan_record(Record *record, const PlanSpec *spec, const PlanReport *report);

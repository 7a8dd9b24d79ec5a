// SPDX-License-Identifier: GPL-3.0-or-later
// The strength of A against B from the results of a match: Elo, normalized Elo, their
// errors, likelihood of superiority. From game pairs (pentanomial) where there are pairs, else from
// single games (trinomial).
#pragma once

#include <stdbool.h>

#include "core/base/json.h"

enum { PAIR_OUTCOMES = 5, GAME_OUTCOMES = 3, OUTCOMES_MAX = 5 };

// No count may be larger: sums stay exact in double and in long long.
#define MATCH_COUNT_MAX 1000000000000000LL

// The results of a match from A's side. Zero-initialise with has_pairs and has_games as it is.
typedef struct MatchCounts {
    bool has_pairs; // penta is known and is what the statistics are made from
    bool has_games; // losses, draws, wins are known (a pentanomial alone does not tell them)
    long long penta[PAIR_OUTCOMES]; // pairs: LL, LD, DD+WL, WD, WW
    long long losses, draws, wins;  // games
} MatchCounts;

// Adds a finished pair: A's half points (0 lost, 1 drawn, 2 won) in its two games. Needs has_pairs
// and has_games.
void match_counts_add_pair(MatchCounts *counts, int first, int second);
long long match_counts_games(const MatchCounts *counts);
// One player won every game: too one-sided for a number of Elo.
bool match_counts_one_sided(const MatchCounts *counts);
long long match_counts_pairs(const MatchCounts *counts); // 0 without has_pairs
// "LL,LD,DD+WL,WD,WW" or "L,D,W": whole numbers from 0 to MATCH_COUNT_MAX.
Status match_counts_parse(const char *text, MatchCounts *counts, Err *err);

// An empirical distribution over the scores 0, 1/(kinds-1), .. 1. Zero counts are replaced by 1e-3,
// as fishtest's LLRcalc.regularize does, so that every outcome has a probability.
typedef struct Sample {
    int kinds;              // PAIR_OUTCOMES or GAME_OUTCOMES
    double size;            // regularised number of pairs or games
    double p[OUTCOMES_MAX]; // frequencies, summing to 1, all > 0
    double mean, variance;  // of the score of one pair or game
    double skewness, excess_kurtosis;
} Sample;

// Pairs where there are pairs, else games.
void sample_from_counts(const MatchCounts *counts, Sample *sample);
// From `kinds` weights, all > 0; size is their sum.
void sample_from_weights(Sample *sample, int kinds, const double *weights);
// The score of outcome i.
double sample_score(const Sample *sample, int i);
// (mean - 1/2)/sigma of the sample's scores that one unit of normalized Elo is.
double sample_t_per_nelo(const Sample *sample);

// Standard deviations of a normal distribution on each side of its middle 95 %.
#define Z95 1.959963984540054

// 800/ln 10: normalized Elo of a mean score one standard deviation (of a game) above 1/2.
#define NELO_PER_SIGMA 347.43558552260146

// Logistic Elo of a mean score, which is kept within [0.001, 0.999] as fishtest does; and back.
double elo_from_score(double score);
double score_from_elo(double elo);

typedef struct Strength {
    double elo, elo_error95; // logistic; half the 95 % interval of the mean score, turned into Elo
    double nelo,
        nelo_error95;  // normalized; the error from the asymptotic variance of a t statistic
    double los;        // likelihood of superiority, 0..1
    double pair_ratio; // pairs won over pairs lost; < 0: no pair was lost
    double draw_ratio; // pairs that ended level (games drawn where there are no pairs) of all
} Strength;

// Every number is finite for every counts, none at all included. Formulas: fishtest's
// stat_util.get_elo and template_helpers.t_conf (Van den Bergh, "Normalized Elo", section 4).
void strength_from_counts(const MatchCounts *counts, Strength *strength);

// The sample from which 95 % intervals of the mean score are made, mean +- Z95 standard errors: the
// results, one pair lost 0-2 and one pair won 2-0. So that few pairs which end alike have an error.
// It covers 94 % or more from 3 pairs on, whatever share of games is drawn and up to 700 Elo, where
// the plain interval covers 10 % to 90 % below 50 pairs (simulated; Agresti and Coull, "Approximate
// is better than exact", 1998, do the like for a proportion).
void sample_for_interval(const MatchCounts *counts, Sample *sample);
// Returns true if the interval of these results is more than 15 % wider than the plain one: the
// plain error is too small.
bool match_counts_few(const MatchCounts *counts);

// With fewer pairs strength_of_match() takes its error from sample_for_interval().
enum { FEW_PAIRS = 20 };
// strength_from_counts() of a match that was played. The Elo error and the likelihood of
// superiority of fewer than FEW_PAIRS pairs are those of sample_for_interval(), if they tell less.
void strength_of_match(const MatchCounts *counts, Strength *strength);

// Returns the Elo difference that a match with these results shows in 80 % of cases, by a 95 %
// interval that excludes 0.
double match_counts_seen_elo(const MatchCounts *counts);

// Standard normal distribution function.
double normal_cdf(double x);

// Mean score `score`, in (0, 1). Source: Van den Bergh, "MLE for multinomial distributions",
// proposition 1.1. False when the score is not inside (0, 1).
bool mle_fit_mean(const Sample *sample, double score, double *ratio);

// (mean - 1/2)/sigma = t. Source: Van den Bergh, "Comments on normalized Elo", section 4.1;
// fishtest's MLE_t_value. False when no such distribution is found: t is beyond what these scores
// allow.
bool mle_fit_t(const Sample *sample, double t, double *ratio);

// The BayesElo model with the sample's own draw Elo, for samples of games (fishtest's LLRlegacy).
void mle_fit_bayes(const Sample *sample, double elo, double *ratio);

// The root of function(x, context) between low and high, to about the last digit, by GSL's Brent
// solver. False when the function does not change its sign there or is not finite.
bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root);

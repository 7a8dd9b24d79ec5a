// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the strength of A against B from the results of a match: Elo, normalized Elo, their
// errors, and the likelihood of superiority. Uses game pairs (pentanomial) if pairs are known, else
// single games (trinomial).
#pragma once

#include <stdbool.h>

#include "core/base/json.h"

enum { PAIR_OUTCOMES = 5, GAME_OUTCOMES = 3, OUTCOMES_MAX = 5 };

// Maximum of a count, so that sums are exact in double and in long long.
#define MATCH_COUNT_MAX 1000000000000000LL

// Results of a match from A's side. Initialise with zeros, and set has_pairs and has_games.
typedef struct MatchCounts {
    bool has_pairs; // penta is known; the statistics then use it
    bool has_games; // losses, draws and wins are known; penta alone does not contain them
    long long penta[PAIR_OUTCOMES]; // pairs: LL, LD, DD+WL, WD, WW
    long long losses, draws, wins;  // games
} MatchCounts;

// Adds a finished pair. `first` and `second` are A's half points in its two games: 0 for a loss, 1
// for a draw, 2 for a win. Needs has_pairs and has_games.
void match_counts_add_pair(MatchCounts *counts, int first, int second);
long long match_counts_games(const MatchCounts *counts);
// Returns true if one player won every game, so that no meaningful Elo can be computed.
bool match_counts_one_sided(const MatchCounts *counts);
long long match_counts_pairs(const MatchCounts *counts); // 0 if has_pairs is false
// Appends the counts of pairs as "LL,LD,DD+WL,WD,WW", or "-" if there are none.
void match_counts_add_pairs(const MatchCounts *counts, Text *text);
// Reads "LL,LD,DD+WL,WD,WW" or "L,D,W". Each count is an integer from 0 to MATCH_COUNT_MAX.
Status match_counts_parse(const char *text, MatchCounts *counts, Err *err);

// Empirical distribution over the scores 0, 1/(kinds-1), .. 1. sample_from_counts() replaces zero
// counts by 1e-3, like fishtest's LLRcalc.regularize, so that every outcome has a probability.
typedef struct Sample {
    int kinds;              // PAIR_OUTCOMES or GAME_OUTCOMES
    double size;            // regularised number of pairs or games
    double p[OUTCOMES_MAX]; // frequencies, summing to 1, all > 0
    double mean, variance;  // mean and variance of the score of one pair or game
    double skewness, excess_kurtosis;
} Sample;

// Computes the sample of the pairs if pairs are known, else of the games.
void sample_from_counts(const MatchCounts *counts, Sample *sample);
// Computes a sample from `kinds` weights, which must be > 0. The size of the sample is the sum of
// the weights.
void sample_from_weights(Sample *sample, int kinds, const double *weights);
// Returns the score of outcome i, 0..1.
double sample_score(const Sample *sample, int i);
// Returns the t value, (mean - 1/2)/sigma of the sample's scores, that equals one unit of
// normalized Elo.
double sample_t_per_nelo(const Sample *sample);

// Half width of the middle 95 % of a normal distribution, in standard deviations.
#define Z95 1.959963984540054

// Normalized Elo of a mean score that is one standard deviation (of a game) above 1/2: 800/ln 10.
#define NELO_PER_SIGMA 347.43558552260146

// Convert between a mean score and logistic Elo. elo_from_score() limits the score to [0.001,
// 0.999], as fishtest does.
double elo_from_score(double score);
double score_from_elo(double elo);

typedef struct Strength {
    // Logistic Elo. The error is half the 95 % interval of the mean score, converted to Elo.
    double elo, elo_error95;
    // Normalized Elo. The error comes from the asymptotic variance of a t statistic.
    double nelo, nelo_error95;
    double los;        // likelihood of superiority, 0..1
    double pair_ratio; // pairs won divided by pairs lost; < 0 if unknown or no pair was lost
    double draw_ratio; // share of level pairs, or of drawn games if there are no pairs
} Strength;

// Computes the strength. All members are finite for any counts, even if all counts are 0. Formulas:
// fishtest's stat_util.get_elo and template_helpers.t_conf (Van den Bergh, "Normalized Elo",
// section 4).
void strength_from_counts(const MatchCounts *counts, Strength *strength);

// Computes the sample for 95 % intervals of the mean score, mean +- Z95 standard errors. It
// contains the results, one pair lost 0-2 and one pair won 2-0. The added pairs give few pairs with
// equal results a positive error. The interval covers at least 94 % from 3 pairs on, for any share
// of draws and up to 700 Elo. The plain interval covers 10 % to 90 % below 50 pairs (simulated).
// Agresti and Coull, "Approximate is better than exact", 1998, use a similar correction for a
// proportion.
void sample_for_interval(const MatchCounts *counts, Sample *sample);
// Returns true if the interval of sample_for_interval() is more than 15 % wider than the plain
// interval. The plain error is then too small.
bool match_counts_few(const MatchCounts *counts);

// strength_of_match() corrects its errors if there are fewer pairs than this.
enum { FEW_PAIRS = 20 };
// Like strength_from_counts(), for a match that was played. With fewer than FEW_PAIRS pairs, the
// Elo error and the likelihood of superiority come from sample_for_interval() if that error is
// larger.
void strength_of_match(const MatchCounts *counts, Strength *strength);

// Returns the standard normal distribution function.
double normal_cdf(double x);

// Finds the most likely distribution with mean score `score`. All mle_fit functions set ratio[i] to
// the sample's frequency of outcome i divided by its probability in the distribution found. Returns
// false if `score` is not inside (0, 1). Source: Van den Bergh, "MLE for multinomial
// distributions", proposition 1.1.
bool mle_fit_mean(const Sample *sample, double score, double *ratio);

// Finds the most likely distribution with (mean - 1/2)/sigma = t. Returns false if none is found,
// because t is too large for these scores. Source: Van den Bergh, "Comments on normalized Elo",
// section 4.1; fishtest's MLE_t_value.
bool mle_fit_t(const Sample *sample, double t, double *ratio);

// Computes the distribution of the BayesElo model with strength `elo` and the sample's own draw
// Elo. The sample must consist of games. Source: fishtest's LLRlegacy.
void mle_fit_bayes(const Sample *sample, double elo, double *ratio);

// Finds the root of function(x, context) between low and high with GSL's Brent solver, to about the
// last digit. Returns false if the function does not change its sign there or is not finite.
bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root);

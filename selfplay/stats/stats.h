// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the strength of A against B from the results of a match: Elo, normalized Elo, their
// errors, and the likelihood of superiority. Uses game pairs (pentanomial) if pairs are known, else
// single games (trinomial).
#pragma once

#include <stdbool.h>

#include "core/base/json.h"

enum { PAIR_OUTCOMES = 5, GAME_OUTCOMES = 3, OUTCOMES_MAX = 5 };

// Maximum value of a count. Sums of such counts are exact in double and in long long.
#define MATCH_COUNT_MAX 1000000000000000LL

// Results of a match from A's point of view. Initialise with zeros, and set has_pairs and
// has_games.
typedef struct MatchCounts {
    bool has_pairs; // the counts of pairs (penta) are known; the statistics then use them
    bool has_games; // the counts of games are known; they do not follow from penta, because DD and
                    // WL are one outcome
    long long penta[PAIR_OUTCOMES]; // number of pairs with each result: LL, LD, DD+WL, WD, WW (W
                                    // win, D draw, L loss of A)
    long long losses, draws, wins;  // number of games with each result
} MatchCounts;

// Adds a finished pair. `first` and `second` are A's half points in the two games of the pair: 0
// for a loss, 1 for a draw, 2 for a win. has_pairs and has_games must be true.
void match_counts_add_pair(MatchCounts *counts, int first, int second);
// Returns the number of games; if only pairs are known, twice the number of pairs.
long long match_counts_games(const MatchCounts *counts);
// Returns true if one player won every game, so that no meaningful Elo can be computed.
bool match_counts_one_sided(const MatchCounts *counts);
// Returns true if all pairs ended alike; if pairs are unknown, all games. The errors of the Elo are
// then only those of the replaced zero counts.
bool match_counts_degenerate(const MatchCounts *counts);
// Returns the number of pairs; 0 if has_pairs is false.
long long match_counts_pairs(const MatchCounts *counts);
// Appends the numbers of pairs as "LL,LD,DD+WL,WD,WW", or "-" if there are no pairs.
void match_counts_add_pairs(const MatchCounts *counts, Text *text);
// Parses the counts of pairs, "LL,LD,DD+WL,WD,WW", or of games, "L,D,W". Each count is an integer
// from 0 to MATCH_COUNT_MAX.
Status match_counts_parse(const char *text, MatchCounts *counts, Err *err);

// Observed distribution of the outcomes of a pair or a game. Their scores are 0, 1/(kinds-1), .. 1.
// sample_from_counts() replaces zero counts by 1e-3, like fishtest's LLRcalc.regularize, so that
// every frequency is above 0.
typedef struct Sample {
    int kinds;   // number of outcomes: PAIR_OUTCOMES or GAME_OUTCOMES
    double size; // number of pairs or games, including what was added: 1e-3 for each zero count by
                 // sample_from_counts(), two pairs or four games by sample_for_interval()
    double p[OUTCOMES_MAX]; // frequency of each outcome, with the sum 1; only a sample that
                            // sample_for_interval() made can have a frequency of 0
    double mean, variance;  // mean and variance of the score of one pair or game
    double skewness, excess_kurtosis;
} Sample;

// Computes the sample from the counts of pairs if they are known, otherwise from the counts of
// games.
void sample_from_counts(const MatchCounts *counts, Sample *sample);
// Fills *sample: the frequencies of `kinds` outcomes, and mean and other moments of their scores.
// weights[i] is the number of times that outcome i occurred; it need not be an integer. weights[0]
// and weights[kinds - 1] must be above 0. sample->size is the sum of the weights.
void sample_from_weights(Sample *sample, int kinds, const double *weights);
// Returns the score of outcome i: i/(kinds - 1), from 0 to 1.
double sample_score(const Sample *sample, int i);
// Returns the t value, (mean - 1/2)/sigma of the scores, that corresponds to one normalized Elo.
double sample_t_per_nelo(const Sample *sample);

// In a normal distribution, 95 % of the values are within this number of standard deviations of the
// mean.
#define Z95 1.959963984540054

// Normalized Elo of a mean score that is one standard deviation (of a game) above 1/2: 800/ln 10.
#define NELO_PER_SIGMA 347.43558552260146

// Convert a mean score into logistic Elo and back. elo_from_score() limits the score to [0.001,
// 0.999], as fishtest does.
double elo_from_score(double score);
double score_from_elo(double elo);

typedef struct Strength {
    // Logistic Elo. The error is half the width of the 95 % interval, which is computed for the
    // mean score and converted to Elo.
    double elo, elo_error95;
    // Normalized Elo. The error is half the width of the 95 % interval, from the asymptotic
    // variance of a t statistic.
    double nelo, nelo_error95;
    double los;        // likelihood of superiority: probability that A is stronger, 0..1
    double pair_ratio; // pairs won divided by pairs lost; < 0 if unknown or no pair was lost
    double draw_ratio; // share of pairs in which each player scored 1 point; if pairs are unknown,
                       // share of drawn games
} Strength;

// Computes Elo, normalized Elo and their errors, and the other members of *strength, from the
// counts of pairs if they are known, otherwise from the counts of games. All members are finite for
// any counts, even if all counts are 0. Formulas: fishtest's stat_util.get_elo and
// template_helpers.t_conf (Van den Bergh, "Normalized Elo", section 4).
void strength_from_counts(const MatchCounts *counts, Strength *strength);

// Computes a sample whose 95 % interval of the mean score, mean +- Z95 standard errors, is valid
// also for few pairs. The sample consists of the results, one pair lost 0-2 and one pair won 2-0
// (two lost and two won games if the pairs are unknown).
// Without the added pairs, the error would be 0 after a few pairs with equal results. From 3 pairs
// on the interval covers the true score with a probability of at least 94 %, for any share of draws
// and up to 700 Elo (simulated). Without the added pairs, this probability can be as low as 16 %
// with 5 pairs and 83 % with 49 pairs. Agresti and Coull, "Approximate is better than exact", 1998,
// use a similar correction for a proportion.
void sample_for_interval(const MatchCounts *counts, Sample *sample);
// Returns true if there are so few pairs or games that the 95 % interval from sample_for_interval()
// is more than 15 % wider than the one from sample_from_counts().
bool match_counts_few(const MatchCounts *counts);

// With fewer pairs than this, strength_of_match() may enlarge the error of the Elo.
enum { FEW_PAIRS = 20 };
// Computes the strength from the results of a match that was played, like strength_from_counts().
// If pairs are known and fewer than FEW_PAIRS, also computes the error of the Elo from
// sample_for_interval(). If this error is larger than that of strength_from_counts(), stores this
// error and the likelihood of superiority from the same sample.
void strength_of_match(const MatchCounts *counts, Strength *strength);

double normal_cdf(double x);

// Finds the most likely distribution of outcomes whose mean score is `score`. All mle_fit functions
// set ratio[i] to the frequency of outcome i in the sample, divided by the probability of outcome i
// in the distribution that was found. mle_fit_mean() and mle_fit_t() need frequencies above 0.
// Returns false if `score` is not between 0 and 1. Source: Van den Bergh, "MLE for multinomial
// distributions", proposition 1.1.
bool mle_fit_mean(const Sample *sample, double score, double *ratio);

// Finds the most likely distribution of outcomes whose t value, (mean - 1/2)/sigma, is t. Returns
// false if t is too large for these outcomes. Source: Van den Bergh, "Comments on normalized Elo",
// section 4.1; fishtest's MLE_t_value.
bool mle_fit_t(const Sample *sample, double t, double *ratio);

// Computes the distribution of outcomes under the BayesElo model with strength `elo` and the draw
// Elo of the sample. The sample must consist of single games, not of pairs. Source: fishtest's
// LLRlegacy.
void mle_fit_bayes(const Sample *sample, double elo, double *ratio);

// Finds the root of function(x, context) between low and high with GSL's Brent solver, to nearly
// full precision. Returns false if the function does not change its sign between low and high, or
// is not finite.
bool root_find(double (*function)(double x, void *context), void *context, double low, double high,
               double *root);

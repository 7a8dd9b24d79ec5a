// SPDX-License-Identifier: GPL-3.0-or-later
// Words that compare the strength of two players: stronger, weaker, level within +-X, not decided.
// All commands that print a comparison use these words.
#pragma once

#include "selfplay/stats/sprt.h"

typedef enum StrengthWord {
    STRENGTH_UNDECIDED,
    STRENGTH_STRONGER, // A is stronger
    STRENGTH_WEAKER,   // A is weaker
    STRENGTH_LEVEL,    // the whole 95 % interval lies within +-margin
} StrengthWord;

// A comparison of A with B. Elo are logistic and from A's side, unless a comment says otherwise.
typedef struct StrengthVerdict {
    StrengthWord word;
    double elo;             // estimate; the median-unbiased one if `stopped`
    double ci_low, ci_high; // 95 % interval, which also holds for few pairs
    bool stopped;           // estimate and interval take the stopping rule of an SPRT into account
    bool one_sided;         // one player won every game, so elo is only a bound
    bool few_pairs;         // too few pairs for the symmetric error of a normal distribution
    double margin;          // X of "level within +-X", in the Elo of the test
    bool margin_normalized; // `margin` is in normalized Elo
    bool has_pairs;         // `more` is a number of pairs, else of games
    double more;            // expected further pairs until a decision; 0 unless undecided
} StrengthVerdict;

// Power of the games of an undecided comparison, and the cost of detecting a small difference.
// All numbers are for a two-sided test at 5 % that detects the difference with 80 % power.
typedef struct StrengthPower {
    double seen_elo;    // smallest difference in Elo that as many games detect
    double small_games; // games that detect SMALL_ELO
    double small_cpu_s; // processor time of these games in seconds; 0 if unknown
} StrengthPower;
#define SMALL_ELO 5

// X of the verdict "level within +-X", unless an SPRT with a positive elo1 was used: then X is
// elo1.
#define LEVEL_MARGIN_ELO 5.0

// Compares the players of at least one game. `sprt` is the test of the match, or NULL. If `stops`
// is set, the test could stop the match, and estimate and interval take that into account. A
// decision of the test counts as a decision about strength if its hypotheses exclude the other
// answer: accept_h1 with elo0 >= 0 is "stronger", accept_h0 with elo1 <= 0 is "weaker". Otherwise
// the 95 % interval decides. The margin is elo1 of the test, if that is positive.
void strength_verdict(const MatchCounts *counts, const SprtSpec *sprt, bool stops,
                      StrengthVerdict *verdict);

// Appends "stronger", "weaker", "level within +-5 Elo" or "not decided".
void strength_word_add(Text *text, const StrengthVerdict *verdict);
// Appends the estimate with its interval: "+53 Elo, -45 to 151". An end beyond 1,000 Elo is
// omitted: "+425 Elo, at least 109". A one-sided result has no estimate: "won every game, at least
// 210 Elo".
void strength_interval_add(Text *text, const StrengthVerdict *verdict);
// Appends "about 340 more pairs would decide"; nothing unless the verdict is undecided.
void strength_more_add(Text *text, const StrengthVerdict *verdict);

// Computes the statistical power of a match with these counts, which contain at least one game.
// `cpu_s_per_game` is the processor time of a game in seconds; 0: unknown.
void strength_power(const MatchCounts *counts, double cpu_s_per_game, StrengthPower *power);
// Appends "these games could have seen 18 Elo; 5 Elo would need about 40000 games and 3 CPU hours
// here (80 % power)". The time is left out if it is unknown.
void strength_power_add(Text *text, const StrengthPower *power);
// Adds the members `seen_elo games_for_5_elo` to an open record, and `seconds_cpu_for_5_elo` if it
// is known. `power` NULL: the comparison is decided, and both members are unknown ("-").
void strength_power_record(Record *record, const StrengthPower *power);

// Adds the members `strength` (the words) and `more_pairs` ("-" unless undecided) to an open
// record. With `interval` also `ci_low ci_high`.
void strength_verdict_record(Record *record, const StrengthVerdict *verdict, bool interval);

// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict about the strength of two players: "stronger", "weaker", "level within +-X" (equal
// within +-X Elo) or "not decided".
#pragma once

#include "selfplay/stats/sprt.h"

typedef enum StrengthWord {
    STRENGTH_UNDECIDED,
    STRENGTH_STRONGER, // A is stronger than B by the SPRT or by the 95 % interval
    STRENGTH_WEAKER,   // A is weaker than B by the SPRT or by the 95 % interval
    STRENGTH_LEVEL,    // the 95 % interval of the strength lies completely within +-margin
} StrengthWord;

// Result of comparing A with B. All Elo values are logistic and from A's point of view, unless a
// comment says otherwise.
typedef struct StrengthVerdict {
    StrengthWord word;
    double elo;             // estimated strength; if `stopped`, StoppedElo.elo_median
    double ci_low, ci_high; // 95 % interval of the strength, which is valid for few pairs too
    bool stopped;   // elo, ci_low and ci_high take the stopping rule of an SPRT into account
    bool one_sided; // one player won every game, so only the sign of `elo` has a meaning
    bool few_pairs; // true if the correction for few pairs makes the interval more than 15 % wider
    double margin; // X of the verdict "level within +-X", in the SPRT's kind of Elo; if there is no
                   // SPRT, in logistic Elo
    bool margin_normalized; // true if `margin` is normalized Elo, false if it is logistic or
                            // Bayesian Elo
    bool has_pairs;         // true if `more` is a number of pairs, false if it is a number of games
    double more; // if `word` is STRENGTH_UNDECIDED: expected number of further pairs or games until
                 // the strength is decided; otherwise 0
} StrengthVerdict;

// Statistical power of a match: the difference that its number of games can detect, and the number
// of games that a small difference needs. All numbers are for a two-sided test at 5 % that detects
// the difference with 80 % power.
typedef struct StrengthPower {
    double seen_elo;    // smallest difference in Elo that the games of the match can detect
    double small_games; // number of games needed to detect a difference of SMALL_ELO
    double small_cpu_s; // processor time of small_games games in seconds; 0 if unknown
} StrengthPower;
#define SMALL_ELO 5

// Default of X in the verdict "level within +-X". If the match has an SPRT with a positive elo1, X
// is elo1.
#define LEVEL_MARGIN_ELO 5.0

// Compares the two players of a match. `sprt` is the SPRT of the match, or NULL. If `stops` is set,
// the SPRT could stop the match. Estimate and interval then take the stopping rule into account,
// unless one player won every game. The SPRT's decision is also the verdict if its hypotheses allow
// that: accept_h1 with elo0 >= 0 is "stronger", accept_h0 with elo1 <= 0 is "weaker". Otherwise the
// 95 % interval decides.
void strength_verdict(const MatchCounts *counts, const SprtSpec *sprt, bool stops,
                      StrengthVerdict *verdict);

// Appends the verdict in words: "stronger", "weaker", "level within +-5 Elo" or "not decided".
void strength_word_add(Text *text, const StrengthVerdict *verdict);
// Appends the estimated strength and its interval: "+53 Elo, -45 to 151". A bound at or beyond
// +-1,000 Elo is omitted: "+425 Elo, at least 109". A bound between -0.5 and 0.5 Elo keeps a digit:
// "+12 Elo, -0.4 to 23". If one player won every game, there is no estimate: "won every game, at
// least 210 Elo".
void strength_interval_add(Text *text, const StrengthVerdict *verdict);
// Appends the interval alone, as strength_interval_add() does: ", -45 to 151", ", at least 109", or
// nothing if both bounds are omitted.
void strength_bounds_add(Text *text, double low, double high);
// Returns true if the interval has no upper end below 1,000 Elo, so it excludes no gain.
bool strength_open_above(const StrengthVerdict *verdict);
// Appends ", the interval contains 0, but the SPRT has found a winner" if the
// verdict is "stronger" or "weaker" only by the SPRT.
void strength_remark_add(Text *text, const StrengthVerdict *verdict);
// Appends how many more games are needed: "about 340 more pairs would decide if the score stays as
// it is". After 20 pairs this number suffices in 30 of 100 matches if the true difference is 10
// Elo, and in 82 of 100 if it is 90 (E-185). Appends nothing unless the verdict is "not decided".
void strength_more_add(Text *text, const StrengthVerdict *verdict);

// Computes the statistical power of a match from its counts. `cpu_s_per_game` is the processor time
// of a game in seconds, or 0 if unknown.
void strength_power(const MatchCounts *counts, double cpu_s_per_game, StrengthPower *power);
// Appends "this number of games can detect differences of at least 18 Elo; 5 Elo would need about
// 40000 games and 3 CPU hours on this machine (80 % power)". Omits the time if it is unknown.
void strength_power_add(Text *text, const StrengthPower *power);
// Adds the members `seen_elo games_for_5_elo` to a record between record_begin() and record_end(),
// and `seconds_cpu_for_5_elo` if the time is known. If `power` is NULL, the first two members are
// "-".
void strength_power_record(Record *record, const StrengthPower *power);

// Adds the member `strength` (the verdict in words) to a record between record_begin() and
// record_end(), and `more_pairs` or `more_games`, which is "-" unless the verdict is "not decided".
// If `interval` is set, also adds `ci_low` and `ci_high`.
void strength_verdict_record(Record *record, const StrengthVerdict *verdict, bool interval);

// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of contests. A match has a live display and a final report. A tournament report has the
// results of each pairing and a table of the players, sorted by rating.
#pragma once

#include "selfplay/contest/contest.h"
#include "selfplay/pages/live_page.h"
#include "selfplay/pages/match_curve.h"
#include "selfplay/stats/strength_verdict.h"

// The live display of a match.
typedef struct MatchShow {
    Progress progress;
    const ContestSpec *spec;
    LivePage *page;   // live HTML page; NULL if no page was requested
    MatchCurve curve; // points of the curves of Elo and LLR on the page
} MatchShow;

// Returns the expected number of further pairs of a match. This is the number of remaining pairs
// or, if smaller, the number that the SPRT needs for a decision at the present mean score. If `sd`
// is not NULL, sets *sd to the standard deviation of the number of pairs that the SPRT needs,
// or to 0 without an SPRT.
double match_pairs_to_go(const ContestSpec *spec, const ContestResult *result, double *sd);

// A callback of type ContestDone whose context is a MatchShow. On a terminal it shows a table:
// pentanomial, Elo with errors, LLR, score of Red, end reasons, and time and depth of each player.
// If the output is no terminal, it prints a short line from time to time. The estimate of the
// remaining time assumes that the mean score does not change until the SPRT decides. The callback
// also updates the HTML page.
ContestDone match_report_pair;
// Prints the final state of the live display, and shows it on the page.
void match_report_finish(MatchShow *show, const ContestResult *result);

// Adds the results of a match to a record between record_begin() and record_end():
// - for each player: name, evaluation, and number of games lost by failing to play
//   (contest_is_fault());
// - the members of match_report_record();
// - the number of pairs in which both players made the same moves;
// - the median-unbiased Elo, if an SPRT may stop the match and neither player won every game;
// - the verdict in words, statistical power, share of drawn games, scores of Red and Black, and end
//   reasons.
// With `all`, also adds:
// - for each player: depth, nodes, time, and number of games with a false claim (that the game is
//   over or that a move is illegal);
// - the cost in processor time, mean game length, and number of different openings unless openings
//   are random.
void match_report(Record *record, const ContestSpec *spec, const ContestResult *result, bool all);
// Adds the member `verdict`, the sentence of match_outcome_add(). Adds nothing if no game was
// counted.
void match_report_verdict(Record *record, const ContestSpec *spec, const ContestResult *result);

// Prints the results of a match as a table of at most 12 lines: score, pentanomial, Elo, LOS, SPRT,
// ends, faults, verdict. For people at a terminal; scripts get the lines of match_report().
void match_table_print(const ContestSpec *spec, const ContestResult *result, FILE *out);

// Results of a match. Pointers are borrowed. match_play() copies this struct to CommandCall.result,
// with NULL pointers.
typedef struct MatchOutcome {
    const char *names[MATCH_PLAYERS];
    MatchCounts counts;
    const SprtSpec *test; // hypotheses of the match's SPRT; NULL if the match had no SPRT
    SprtReport sprt;      // state of the SPRT; all members are 0 if the match had no SPRT
    Strength strength;
    StrengthVerdict verdict;
    bool alike; // both players made the same moves in every opening pair, so nothing was measured
} MatchOutcome;
void match_outcome(const ContestSpec *spec, const ContestResult *result, MatchOutcome *outcome);
// Sets the members `sprt`, `strength`, `verdict` and `alike` of *outcome from its members `counts`
// and `test`. The argument `alike` is the number of pairs in which both players made the same
// moves.
void match_outcome_complete(MatchOutcome *outcome, long long alike);
// Appends the first part of the verdict: "A (NAME) is stronger than B (NAME): +53 Elo, 20 to 90
// (400 games, 95 %)". If both players always made the same moves, says this instead. At least one
// pair must have been counted.
void match_outcome_add_short(const MatchOutcome *outcome, Text *text);
// Appends the whole verdict, which begins with the text of match_outcome_add_short(). If the
// verdict is "not decided", two values follow: the number of further pairs needed for a decision,
// and the statistical power. If the match has an SPRT, its decision follows. Nothing follows if
// both players always made the same moves.
void match_outcome_add(const MatchOutcome *outcome, Text *text);

// Live display of a tournament.
typedef struct TournamentShow {
    Progress progress;
    const ContestSpec *spec;
    LivePage *page; // live HTML page; NULL if no page was requested
    FILE *out;
    bool json;
    int anchor; // index of the player whose rating is fixed at anchor_elo
    double anchor_elo;
} TournamentShow;

// A callback of type ContestDone whose context is a TournamentShow. On a terminal it shows the
// table of results below the progress line. It also updates the live page of the tournament, if
// there is one.
ContestDone tournament_report_game;
// Prints the results of the pairings, the rated players and the verdict. Returns the errors of
// ratings_fit().
Status tournament_print(const TournamentShow *show, const ContestResult *result, Err *err);

// ---- functions shared by contest_report.c and contest_page.c ------------------------------------

// Mean search depth, nodes and milliseconds per move of one player; 0 if unknown.
typedef struct SideMeans {
    double depth, nodes, ms;
} SideMeans;
SideMeans side_means(const SideTally *tally);

// Update the live page with the results so far. Do nothing if there is no page.
void match_page_update(MatchShow *show, const ContestResult *result);
void tournament_page_update(TournamentShow *show, const ContestResult *result);

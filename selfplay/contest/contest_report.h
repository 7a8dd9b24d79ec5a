// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of contests. A match: the live line, and the report at its end. A tournament: the results
// of each pairing, and the players by rating.
#pragma once

#include "selfplay/contest/contest.h"
#include "selfplay/stats/strength_verdict.h"

// The live display of a match.
typedef struct MatchShow {
    Progress progress;
    const ContestSpec *spec;
} MatchShow;

// A ContestDone whose context is a MatchShow: on a terminal a table of pentanomial, Elo with
// errors, LLR, Red's share, ends by reason, time and depth of each side; in a pipe a line of it now
// and then. The time left is that of the test, as its ratio has gone so far.
ContestDone match_report_pair;
// The last state of it.
void match_report_finish(MatchShow *show, const ContestResult *result);

// Adds the members of the report to an open record: who played and failed, the statistics
// (match_report_record(); with an SPRT the median-unbiased Elo), Red's share, ends by reason; with
// `all` also claims, depth, nodes and time of each player, plies and openings.
void match_report(Record *record, const ContestSpec *spec, const ContestResult *result, bool all);
// Adds `verdict`, a sentence with the words of selfplay/stats/strength_verdict.h. Adds nothing if
// no pair was counted.
void match_report_verdict(Record *record, const ContestSpec *spec, const ContestResult *result);

// The results of a tournament.
typedef struct TournamentShow {
    Progress progress;
    const Contest *contest;
    FILE *out;
    bool json;
    int anchor; // player whose rating is given, from 0
    double anchor_elo;
} TournamentShow;

// A ContestDone whose context is a TournamentShow: on a terminal the standings stand below the
// progress line.
ContestDone tournament_report_game;
// STATUS_NUMERIC when the games do not tie all players to the anchor.
Status tournament_print(const TournamentShow *show, const ContestResult *result, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a match as `paotai match` does: makes the players from texts or from revisions, plays the
// games, and prints the report.
#pragma once

#include "core/command/options.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"
#include "selfplay/engines/revision.h"

typedef struct MatchOptions {
    const char *a, *b, *elos;
    OptionTexts revs;
    RevisionBuild build;
    uint64_t pairs;
    int model;
    SprtSpec sprt;
    ContestOptions contest;
} MatchOptions;

// Plays the match of a call whose settings are MatchOptions. Then prints its report and fills the
// MatchOutcome in call->result, unless call->result is NULL. After a failure, prints and fills only
// if the error is STATUS_ENGINE and a pair was counted. `page` is the live HTML page of the match;
// it may be NULL.
Status match_play(const CommandCall *call, LivePage *page, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// A match as `paotai match` plays it: players by text or by revision, the games, and the report.
#pragma once

#include "core/base/options.h"
#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"
#include "selfplay/engines/revision.h"

// The options of `paotai match`.
typedef struct MatchOptions {
    const char *a, *b, *elos;
    OptionTexts revs;
    RevisionBuild build;
    uint64_t pairs;
    int model;
    SprtSpec sprt;
    ContestOptions contest;
} MatchOptions;

// Plays the match of a call whose settings are MatchOptions, and prints its report. Fills the
// MatchOutcome in call->result, unless that is NULL. `page` shows the match; it may be NULL.
Status match_play(const CommandCall *call, LivePage *page, Err *err);

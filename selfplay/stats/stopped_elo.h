// SPDX-License-Identifier: GPL-3.0-or-later
// The strength that a stopped sequential test shows. A test that stops when it looks good has a
// biased score; the estimate here corrects for the stopping rule.
#pragma once

#include "selfplay/stats/sprt.h"

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

// SPDX-License-Identifier: GPL-3.0-or-later
// How many games a sequential test will need, and how often it will be wrong, when A's true
// strength is given: by simulation.
#pragma once

#include "core/base/progress.h"
#include "selfplay/stats/sprt.h"

typedef struct PlanSpec {
    SprtSpec sprt;
    double true_elo; // in the unit of sprt.model
    const MatchCounts
        *pilot;        // results of a match that tell the shape of the outcomes; NULL: draw_ratio
    double draw_ratio; // without a pilot: of even games, independent of each other; 0..0.999
    uint64_t seed;
    int runs;              // simulated tests
    long long max_games;   // a test that goes on for longer is unfinished
    int threads;           // >= 1; the report is the same for any number
    bool every_pair_exact; // the exact ratio after every pair: slow, for comparison
} PlanSpec;

// The quantiles of a report, in percent.
#define PLAN_QUANTILES                                                                             \
    { 5, 25, 50, 75, 95, 99 }
enum { PLAN_QUANTILE_COUNT = 6 };

typedef struct PlanReport {
    int runs, accepted_h0, accepted_h1, unfinished;
    double mean_games;
    long long games[PLAN_QUANTILE_COUNT]; // unfinished runs count with max_games
    double score;                         // the true mean score
} PlanReport;

// Simulates: every run is a function of the seed and its number. Pairs are drawn from the most
// likely distribution of strength true_elo near the pilot (sprt_fit); a bayesian test draws single
// games. The test looks after every pair. progress may be NULL. STATUS_INTERRUPTED when Ctrl-C
// came.
Status sprt_plan(const PlanSpec *spec, PlanReport *report, Progress *progress, Err *err);

// Members `true_elo score runs accept_h1 accept_h1_error95 accept_h0 unfinished games_mean games_p5
// ..`.
void sprt_plan_record(Record *record, const PlanSpec *spec, const PlanReport *report);

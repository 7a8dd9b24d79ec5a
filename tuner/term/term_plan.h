// SPDX-License-Identifier: GPL-3.0-or-later
// Price and power of the match of `paotai term`, found by simulated matches before it is played.
#pragma once

#include "tuner/term/term.h"

// Verdicts of simulated matches in which the true strength of the term is known.
typedef struct TermOutcomes {
    int runs, keep, drop, undecided;
    double mean_games;
    long long games_p95; // 95 % of the matches have at most this number of games
} TermOutcomes;

// Simulates `runs` matches that the SPRT (normalized model) stops after at most `pairs` pairs, for
// a term that is truly worth `elo` logistic Elo and whose values differ from 0. The pairs are drawn
// from results of such a match at 200 nodes (E-139). The result depends only on the arguments
// before `threads`. Returns STATUS_INTERRUPTED after Ctrl-C.
Status term_plan_simulate(const SprtSpec *sprt, uint64_t pairs, double elo, int runs, int threads,
                          TermOutcomes *outcomes, Err *err);

// Appends how often the match keeps a term of +5 Elo and a worthless term, how many games it
// needs, and, unless `game_cpu_s` is 0 (unknown), the processor time.
Status term_plan_describe(const SprtSpec *sprt, uint64_t pairs, int threads, double game_cpu_s,
                          Text *text, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_plan.h"

#include <math.h>

#include "core/base/memory.h"
#include "tuner/term/term_verdict.h"

// Results of a match of 4,000 pairs at 200 nodes between the default weights with and without a
// group of terms (E-139).
static const MatchCounts typical = {.has_pairs = true, .penta = {457, 354, 2205, 413, 571}};

Status term_plan_simulate(const SprtSpec *sprt, uint64_t pairs, double elo, int runs, int threads,
                          TermOutcomes *outcomes, Err *err) {
    AUTO_FREE MatchCounts *final = memory_alloc((size_t)runs, sizeof *final);
    Sample sample;
    PlanReport report;
    sample_from_counts(&typical, &sample);
    const double t = (score_from_elo(elo) - 0.5) / sqrt(sample.variance);
    const PlanSpec spec = {.sprt = *sprt,
                           .true_elo = t / sample_t_per_nelo(&sample),
                           .pilot = &typical,
                           .seed = 1,
                           .runs = runs,
                           .max_games = 2 * pairs,
                           .threads = threads,
                           .final = final};
    *outcomes = (TermOutcomes){.runs = runs};
    TRY(sprt_plan(&spec, &report, NULL, err));
    for (int i = 0; i < runs; i++) {
        const WeightsMatch match = weights_match_of(&final[i], sprt);
        const TermVerdict verdict = term_verdict_of_match(&match);
        outcomes->keep += verdict == TERM_KEEP;
        outcomes->drop += verdict == TERM_DROP;
        outcomes->undecided += verdict == TERM_UNDECIDED;
    }
    outcomes->mean_games = report.mean_games;
    for (int i = 0; i < PLAN_QUANTILE_COUNT; i++) {
        if (plan_quantiles[i] == 95) outcomes->games_p95 = report.games[i];
    }
    return STATUS_OK;
}

// Appends a number with two significant digits and a comma before the thousands.
static void add_rounded(Text *text, double number) {
    const double unit = pow(10, fmax(0, floor(log10(fmax(1, number))) - 1));
    const long long whole = llround(round(number / unit) * unit);
    if (whole >= 1000) {
        text_add(text, "%lld,%03lld", whole / 1000, whole % 1000);
    } else {
        text_add(text, "%lld", whole);
    }
}

static void add_time(Text *text, double time) {
    text_add(text, time < 10 ? "%.2g" : "%.0f", time);
}

Status term_plan_describe(const SprtSpec *sprt, uint64_t pairs, int threads, double game_cpu_s,
                          Text *text, Err *err) {
    enum { RUNS = 2000 };
    TermOutcomes good, nothing;
    TRY(term_plan_simulate(sprt, pairs, SMALL_ELO, RUNS, threads, &good, err));
    TRY(term_plan_simulate(sprt, pairs, 0, RUNS, threads, &nothing, err));
    const double percent = 100.0 / RUNS, late = (double)nothing.games_p95;
    text_add(text,
             "the match keeps a term of +%d Elo in %.0f of 100 cases and a worthless one in %.0f; "
             "about ",
             SMALL_ELO, percent * good.keep, percent * nothing.keep);
    add_rounded(text, good.mean_games);
    text_add(text, " games, ");
    add_rounded(text, nothing.mean_games);
    text_add(text, " if it is worth nothing, in one of twenty matches ");
    const bool all = nothing.games_p95 == 2 * (long long)pairs;
    text_add(text, all ? "all " : "above ");
    if (all) {
        text_add(text, "%lld", nothing.games_p95);
    } else {
        add_rounded(text, late);
    }
    if (!(game_cpu_s > 0)) return STATUS_OK;
    const double first = game_cpu_s * good.mean_games;
    const bool minutes = game_cpu_s * late >= 90;
    const double unit = minutes ? 60 : 1;
    text_add(text, ": ");
    add_time(text, first / unit);
    text_add(text, " to ");
    add_time(text, game_cpu_s * late / unit);
    text_add(text, " %s of processor time", minutes ? "minutes" : "seconds");
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a match as a short table for people (match_table_print()).
#include <math.h>

#include "selfplay/contest/contest_report.h"

// Adds the ends of the games, the most frequent first.
static void add_ends(const ContestResult *result, Text *text) {
    bool shown[END_REASON_COUNT] = {false};
    for (;;) {
        int most = 0;
        for (int i = 1; i < END_REASON_COUNT; i++) {
            if (!shown[i] && result->reasons[i] > (most ? result->reasons[most] : 0)) most = i;
        }
        if (!most) return;
        shown[most] = true;
        text_add(text, "%s%s %lu", text->length ? ", " : "", end_reason_name((EndReason)most),
                 result->reasons[most]);
    }
}

// Prints the sentences about a match that decided nothing: how many games would decide.
static void print_power(const MatchOutcome *outcome, FILE *out) {
    StrengthPower power;
    strength_power(&outcome->counts, 0, &power);
    const double unit = pow(10, fmax(0, floor(log10(power.small_games)) - 1));
    fprintf(out,
            "If the score stays as it is, about %.0f more pairs would decide which player is "
            "stronger.\nTo detect a difference of 5 Elo, about %.0f games would be needed.\n",
            ceil(outcome->verdict.more), ceil(power.small_games / unit) * unit);
}

void match_table_print(const ContestSpec *spec, const ContestResult *result, FILE *out) {
    MatchOutcome outcome;
    AUTO(Text) ends = {0};
    AUTO(Text) verdict = {0};
    match_outcome(spec, result, &outcome);
    const MatchCounts *counts = &outcome.counts;
    const Strength *strength = &outcome.strength;
    const double games = (double)match_counts_games(counts);
    if (games == 0) return;
    add_ends(result, &ends);
    match_outcome_add_short(&outcome, &verdict);
    fprintf(out, "games %.0f\n", games);
    fprintf(out, "players      A %s, B %s\n", spec->players[0].spec.name,
            spec->players[1].spec.name);
    fprintf(out, "score        A wins %lld, draws %lld, loses %lld: %.1f %%\n",
            (long long)counts->wins, (long long)counts->draws, (long long)counts->losses,
            100 * ((double)counts->wins + (double)counts->draws / 2) / games);
    fprintf(out, "pairs        0-2 %lld, 1/2 %lld, 1-1 %lld, 3/2 %lld, 2-0 %lld (pentanomial)\n",
            (long long)counts->penta[0], (long long)counts->penta[1], (long long)counts->penta[2],
            (long long)counts->penta[3], (long long)counts->penta[4]);
    if (match_counts_one_sided(counts)) {
        fprintf(out, "Elo          unknown, because one player won every game\n");
    } else {
        fprintf(out, "Elo          %+.1f +- %.1f; normalized %+.1f +- %.1f\n", strength->elo,
                strength->elo_error95, strength->nelo, strength->nelo_error95);
    }
    fprintf(out, "LOS          %.1f %% (probability that A is stronger)\n", 100 * strength->los);
    if (outcome.test) {
        fprintf(out, "SPRT %g,%g     LLR %.2f (%.2f to %.2f): %s\n", outcome.test->elo0,
                outcome.test->elo1, outcome.sprt.llr, outcome.sprt.lower, outcome.sprt.upper,
                sprt_decision_words(outcome.sprt.decision));
    }
    fprintf(out, "ended by     %s\n", text_get(&ends));
    fprintf(out, "faults       A %lu, B %lu\n", result->tallies[0].faults,
            result->tallies[1].faults);
    fprintf(out, "verdict      %s\n", verdict.data);
    if (!outcome.alike && outcome.verdict.word == STRENGTH_UNDECIDED) print_power(&outcome, out);
}

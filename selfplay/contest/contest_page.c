// SPDX-License-Identifier: GPL-3.0-or-later
// Content of the live HTML page of a match or tournament.
#include <math.h>

#include "core/base/memory.h"
#include "core/command/page.h"
#include "selfplay/contest/contest_report.h"
#include "selfplay/pages/standings.h"

static void add_ends(const ContestResult *result, Html *html) {
    LiveBar bars[END_REASON_COUNT];
    int count = 0;
    for (int i = 1; i < END_REASON_COUNT; i++) {
        if (!result->reasons[i]) continue;
        bars[count++] = (LiveBar){.name = end_reason_name((EndReason)i),
                                  .count = (double)result->reasons[i],
                                  .meaning = end_reason_meaning((EndReason)i)};
    }
    live_add_bars(html, "Ends of the games", "The number of games that ended for each reason.",
                  bars, count);
}

// Appends the mean depth, nodes and time of each player. Games that were stored before --resume
// have no times.
static void add_players(const ContestSpec *spec, const ContestResult *result, Html *html) {
    page_add(html, "<figure><h2>Players</h2><table class='wrap'><thead><tr><th>player</th>"
                   "<th>depth</th><th>nodes</th><th>ms</th><th>failures</th></tr>"
                   "</thead><tbody>\n");
    for (int i = 0; i < spec->player_count; i++) {
        const ContestTally *tally = &result->tallies[i];
        const SideMeans mean = side_means(&tally->side);
        page_add(html, "<tr><td>");
        standings_add_name(html, spec->players[i].spec.name);
        page_add(html, "</td><td>%.1f</td><td>%.0f</td><td>", mean.depth, mean.nodes);
        page_add_number(html, tally->side.timed ? mean.ms : NAN, 1, false);
        page_add(html, "</td><td>%llu</td></tr>\n", (unsigned long long)tally->faults);
    }
    page_add(html, "</tbody></table><figcaption>Depth, nodes and milliseconds are means "
                   "per move. Failures are games that a player lost by a crash, "
                   "an illegal move, its clock or a fault in its protocol.");
    for (int i = 0; i < spec->player_count; i++) {
        const NodeRatios *ratios = &result->tallies[i].ratios;
        AUTO(Text) text = {0};
        if (!node_ratios_differ(ratios)) continue;
        page_add(html, " ");
        standings_add_name(html, spec->players[i].spec.name);
        node_ratios_describe(ratios, spec->players[i].spec.limits.nodes, &text);
        page_add(html, " %s.", text.data);
    }
    page_add(html, "</figcaption></figure>\n");
}

// ---- page of a match ----------------------------------------------------------------------------

// Shows the Elo of A and its 95 % interval, which are the same as in the verdict.
static void add_elo(const MatchOutcome *outcome, LiveFacts *facts) {
    AUTO(Text) elo = {0}, note = {0};
    strength_interval_add(&elo, &outcome->verdict);
    char *interval = strchr(elo.data, ',');
    if (interval) *interval++ = 0;
    text_add(&note, "95 %%%s%s", interval ? ":" : "", interval ? interval : "");
    live_add_card(facts, "Elo of A", note.data, "%s", elo.data);
}

static void add_match_cards(const MatchShow *show, const ContestResult *result,
                            const MatchOutcome *outcome, LiveFacts *facts) {
    const MatchCounts *counts = &result->counts;
    const double games = (double)match_counts_games(counts);
    char note[96];
    const double likely = 100 * outcome->strength.los;
    add_elo(outcome, facts);
    if (show->spec->has_sprt) {
        snprintf(note, sizeof note, "bounds %.2f and %.2f", result->sprt.lower, result->sprt.upper);
        live_add_card(facts, "LLR", note, "%.2f", result->sprt.llr);
    }
    snprintf(note, sizeof note, "+%lld =%lld \xe2\x88\x92%lld", counts->wins, counts->draws,
             counts->losses);
    live_add_card(facts, "points of A", note, "%.1f %%",
                  100 * ((double)counts->wins + 0.5 * (double)counts->draws) / games);
    live_add_detail(facts, "likelihood that A is stronger", NULL, "%s%.1f %%",
                    likely > 99.9  ? ">"
                    : likely < 0.1 ? "<"
                                   : "",
                    fmin(fmax(likely, 0.1), 99.9));
    live_add_detail(facts, "points of Red", NULL, "%.1f %%",
                    50 + 50 * ((double)result->red_wins - (double)result->black_wins) / games);
    live_add_detail(facts, "plies a game", "mean", "%.0f", (double)result->plies / games);
}

static void add_match_body(const MatchShow *show, const ContestResult *result, Html *html) {
    static const char *const names[PAIR_OUTCOMES] = {"lost both (LL)", "lost and drew (LD)",
                                                     "level (DD, WL)", "won and drew (WD)",
                                                     "won both (WW)"};
    const ContestSpec *spec = show->spec;
    LiveBar pairs[PAIR_OUTCOMES];
    AUTO(Html) heading = {0};
    for (int i = 0; i < PAIR_OUTCOMES; i++) {
        pairs[i] = (LiveBar){.name = names[i], .count = (double)result->counts.penta[i]};
    }
    page_add(&heading, "Elo of ");
    standings_add_name(&heading, spec->players[0].spec.name);
    page_add(&heading, " against ");
    standings_add_name(&heading, spec->players[1].spec.name);
    live_begin_row(html);
    match_curve_draw_elo(&show->curve, &result->counts, &heading, html);
    if (spec->has_sprt) {
        match_curve_draw_llr(&show->curve, &result->counts, &spec->sprt, html);
        live_end_row(html);
        live_begin_row(html);
    }
    live_add_bars(html, "Opening pairs (pentanomial)",
                  "The two games from an opening count together, as one of five results "
                  "(pentanomial), from A's side.",
                  pairs, PAIR_OUTCOMES);
    if (!spec->has_sprt) {
        live_end_row(html);
        live_begin_row(html);
    }
    add_ends(result, html);
    add_players(spec, result, html);
    live_end_row(html);
    live_add_games(html, spec->schedule.run.dir);
}

void match_page_update(MatchShow *show, const ContestResult *result) {
    const ContestSpec *spec = show->spec;
    const double pairs = (double)match_counts_pairs(&result->counts);
    LiveFacts facts = {.done = 2 * pairs,
                       .before = (double)result->already,
                       .seconds = progress_elapsed_s(&show->progress),
                       .unit = "games",
                       .rate_s = 60};
    MatchOutcome outcome;
    if (!show->page) return;
    text_add(&facts.title, "Match: %s against %s", spec->players[0].spec.name,
             spec->players[1].spec.name);
    if (pairs > 0) {
        const double left = match_pairs_to_go(spec, result, NULL);
        facts.end = 2 * (pairs + left);
        facts.estimated = spec->has_sprt && left > 0;
        match_outcome(spec, result, &outcome);
        match_outcome_add_short(&outcome, &facts.verdict);
        add_match_cards(show, result, &outcome, &facts);
        add_match_body(show, result, &facts.body);
    } else if (!spec->has_sprt) {
        facts.end = 2 * (double)spec->rounds;
    }
    live_page_update(show->page, &facts);
}

// ---- page of a tournament -----------------------------------------------------------------------

// Appends a table with the result of each pairing. If there are more than 12 pairings, the table is
// hidden until the reader unfolds it.
static void add_pairings(const ContestSpec *spec, const ContestResult *result, Html *html) {
    enum { FOLDED = 12 };
    const bool folded = result->pairing_count > FOLDED;
    page_add(html, "<figure><h2>Pairings</h2>");
    if (folded) page_add(html, "<details><summary>Results of all pairings</summary>");
    page_add(html, "<table class='facts wrap'><thead><tr><th>players</th>"
                   "<th>results</th><th>the first is</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < result->pairing_count; i++) {
        const PairingCounts *p = &result->pairings[i];
        StrengthVerdict verdict;
        MatchCounts counts;
        AUTO(Text) words = {0};
        pairing_match_counts(p, &counts);
        const long long games = match_counts_games(&counts);
        if (games == 0) continue;
        strength_verdict(&counts, NULL, false, &verdict);
        if (2 * p->alike == games) {
            text_add(&words, "nothing was measured: both made the same moves in all games");
        } else {
            strength_word_add(&words, &verdict);
            text_add(&words, ": ");
            strength_interval_add(&words, &verdict);
        }
        page_add(html, "<tr><td>");
        standings_add_name(html, spec->players[p->first].spec.name);
        page_add(html, " \xe2\x80\x93 ");
        standings_add_name(html, spec->players[p->second].spec.name);
        page_add(html, "</td><td>+%lld&#160;=%lld&#160;\xe2\x88\x92%lld</td><td>", p->wins,
                 p->draws, p->losses);
        page_add_prose(html, words.data);
        page_add(html, "</td></tr>\n");
    }
    page_add(html, "</tbody></table>");
    if (folded) page_add(html, "</details>");
    page_add(html, "<figcaption>The results are from the side of the first player: won, "
                   "drawn, lost. Each 95&#160;%% interval uses only the games of its pairing."
                   "</figcaption></figure>\n");
}

// Shows the player that has the highest rating, and its points. Shows nothing if the ratings cannot
// be computed yet.
static void add_leader(const TournamentShow *show, const ContestResult *result, LiveFacts *facts) {
    const ContestSpec *spec = show->spec;
    const int players = spec->player_count;
    AUTO_FREE Rating *ratings = memory_alloc((size_t)players, sizeof *ratings);
    AUTO_FREE int *order = memory_alloc((size_t)players, sizeof *order);
    AUTO(Text) note = {0};
    int unconnected = -1;
    if (ratings_fit(result->pairings, result->pairing_count, players, show->anchor, 0, ratings,
                    &unconnected, NULL) != STATUS_OK) {
        return;
    }
    ratings_order(ratings, players, order);
    const Rating *first = &ratings[order[0]];
    text_add(&note, "%s: %.1f of %lld", spec->players[order[0]].spec.name, first->points,
             first->games);
    live_add_card(facts, "points of the top-rated player", note.data, "%.1f %%",
                  first->games ? 100 * first->points / (double)first->games : 0.0);
}

void tournament_page_update(TournamentShow *show, const ContestResult *result) {
    const ContestSpec *spec = show->spec;
    LiveFacts facts = {.done = (double)result->games,
                       .before = (double)result->already,
                       .end = (double)contest_games(spec),
                       .seconds = progress_elapsed_s(&show->progress),
                       .unit = "games",
                       .rate_s = 60};
    if (!show->page) return;
    text_add(&facts.title, "Tournament of %d players", spec->player_count);
    if (result->games > 0) {
        AUTO_FREE const char **names = memory_alloc((size_t)spec->player_count, sizeof *names);
        for (int i = 0; i < spec->player_count; i++) names[i] = spec->players[i].spec.name;
        standings_verdict_add(names, spec->player_count, result->pairings, result->pairing_count,
                              &facts.verdict);
        add_leader(show, result, &facts);
        live_begin_row(&facts.body);
        standings_add(&facts.body, names, spec->player_count, result->pairings,
                      result->pairing_count, show->anchor, show->anchor_elo);
        add_pairings(spec, result, &facts.body);
        live_end_row(&facts.body);
        live_begin_row(&facts.body);
        add_ends(result, &facts.body);
        add_players(spec, result, &facts.body);
        live_end_row(&facts.body);
        live_add_games(&facts.body, spec->schedule.run.dir);
    }
    live_page_update(show->page, &facts);
}

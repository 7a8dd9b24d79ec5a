// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_view.h"

#include "core/base/memory.h"
#include "core/command/page.h"
#include "datasets/exchange/games_read.h"
#include "selfplay/contest/stored_contest.h"
#include "selfplay/pages/match_curve.h"
#include "selfplay/pages/standings.h"

static void add_match(Html *html, const StoredContest *contest) {
    const SprtSpec *test = contest->has_sprt ? &contest->sprt : NULL;
    const char *halves = contest->pairs.data;
    AUTO_FREE MatchCurve *curve = memory_alloc(1, sizeof *curve);
    AUTO(Html) heading = {0};
    MatchCounts counts = {.has_pairs = true, .has_games = true};
    if (contest->pairs.length == 0) return;
    for (size_t i = 0; i < contest->pairs.length; i += 2) {
        match_counts_add_pair(&counts, halves[i], halves[i + 1]);
        match_curve_add(curve, &counts, test);
    }
    page_add(&heading, "Elo of ");
    standings_add_name(&heading, contest->names[0]);
    page_add(&heading, " against ");
    standings_add_name(&heading, contest->names[1]);
    match_curve_draw_elo(curve, &counts, &heading, html);
    if (test) match_curve_draw_llr(curve, &counts, test, html);
}

static void add_verdict(Html *html, const StoredContest *contest, const char *const *names) {
    AUTO(Text) verdict = {0};
    if (!contest->match) {
        standings_verdict_add(names, contest->player_count, contest->counts, contest->count,
                              &verdict);
    } else if (contest->pairs.length > 0) {
        MatchOutcome outcome;
        stored_match_outcome(contest, &outcome);
        match_outcome_add_short(&outcome, &verdict);
    }
    if (verdict.length == 0) return;
    page_add(html, "<p class='verdict'>");
    page_add_prose(html, verdict.data);
    page_add(html, "</p>\n");
}

// Appends the section about a match or tournament. Appends nothing for another run.
static Status add_contest(const char *run, Html *html, Err *err) {
    AUTO(StoredContest) contest = {0};
    TRY(stored_contest_read(run, &contest, err));
    if (contest.player_count < 2) return STATUS_OK;
    AUTO_FREE const char **names = memory_alloc((size_t)contest.player_count, sizeof *names);
    for (int i = 0; i < contest.player_count; i++) names[i] = contest.names[i];
    add_verdict(html, &contest, names);
    page_add(html, "<div class='pictures'>\n");
    standings_add(html, names, contest.player_count, contest.counts, contest.count, contest.anchor,
                  contest.anchor_elo);
    if (contest.match) add_match(html, &contest);
    page_add(html, "</div>\n");
    return STATUS_OK;
}

Status contest_view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err) {
    AUTO(Html) section = {0};
    ViewSpec view = *spec;
    if (games_are_stored(spec->path)) TRY(add_contest(spec->path, &section, err));
    view.section = &section;
    return view_write(&view, progress, counts, err);
}

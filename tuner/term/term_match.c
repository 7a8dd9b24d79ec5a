// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_match.h"

#include "selfplay/contest/contest_options.h"

// The options of a match that no caller sets: their defaults are those of `paotai match`.
typedef struct MatchDefaults {
    ContestOptions contest;
} MatchDefaults;

static const OptionRow match_default_rows[] = {CONTEST_PLAY_ROWS(MatchDefaults), OPTION_END};

// The rule that stops the match.
static const SprtSpec test = {
    .model = SPRT_NORMALIZED, .elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};

TermMatch term_match_of(const MatchCounts *counts) {
    TermMatch match = {.counts = {.has_pairs = true, .has_games = true}};
    if (!counts) return match;
    match.counts = *counts;
    if (match_counts_pairs(counts) > 0) strength_verdict(counts, &test, true, &match.verdict);
    return match;
}

static void add_player(Text *text, const char *path, const char *name) {
    text_add(text, "weights=");
    player_spec_add_value(text, path);
    text_add(text, ",name=%s", name);
}

Status term_match_play(const CommandCall *call, const TermMatchSpec *spec, TermMatch *match,
                       Err *err) {
    MatchDefaults settings;
    AUTO(Text) with = {0}, without = {0};
    AUTO(ContestSpec) contest = {.kind = MATCH, .rounds = spec->pairs, .has_sprt = true};
    AUTO(ContestResult) result = {0};
    *match = term_match_of(NULL);
    contest.sprt = test;
    TRY(options_defaults(match_default_rows, &settings, sizeof settings, err));
    settings.contest.search.nodes = spec->nodes;
    settings.contest.seed = spec->seed;
    settings.contest.threads = spec->threads;
    add_player(&with, spec->with, "with");
    add_player(&without, spec->without, "without");
    const char *const texts[] = {with.data, without.data};
    static const char *const whats[] = {"the fit with them", "the fit without them"};
    TRY(contest_options_resolve(call, &settings.contest, texts, whats, MATCH_PLAYERS,
                                &contest.contest, err));
    contest.schedule = (Schedule){.threads = spec->threads, .shard_games = 2};
    TRY(contest_run(&contest, NULL, NULL, &result, err));
    if (result.interrupted) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    *match = term_match_of(&result.counts);
    return STATUS_OK;
}

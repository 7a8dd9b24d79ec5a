// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/weights_match.h"

#include <time.h>

#include "selfplay/contest/contest_options.h"
#include "selfplay/contest/contest_report.h"

// Options of `paotai match`. fill() sets nodes, seed, threads, shard_games, out and resume, and
// keeps the defaults of all other options.
typedef struct MatchDefaults {
    ContestOptions contest;
} MatchDefaults;

static const OptionRow match_default_rows[] = {CONTEST_PLAY_ROWS(MatchDefaults), OPTION_END};

const SprtSpec weights_match_sprt = {
    .model = SPRT_NORMALIZED, .elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};

WeightsMatch weights_match_of(const MatchCounts *counts, const SprtSpec *sprt) {
    WeightsMatch match = {.counts = {.has_pairs = true, .has_games = true}};
    SprtReport report = {.decision = SPRT_CONTINUE};
    if (!counts) return match;
    match.counts = *counts;
    if (match_counts_pairs(counts) == 0) return match;
    strength_verdict(counts, sprt, true, &match.verdict);
    if (sprt && sprt_report(sprt, counts, &report, NULL) == STATUS_OK) {
        match.decision = report.decision;
    }
    return match;
}

void weights_match_record(const WeightsMatch *match, Record *record) {
    StrengthPower power;
    if (match->verdict.one_sided) {
        record_unknown(record, "elo");
    } else {
        record_add(record, "elo %.1f", match->verdict.elo);
    }
    strength_verdict_record(record, &match->verdict, true);
    strength_power(&match->counts, match->game_cpu_s, &power);
    strength_power_record(record, match->verdict.word == STRENGTH_UNDECIDED ? &power : NULL);
}

void weights_match_add(const WeightsMatch *match, Text *text) {
    strength_interval_add(text, &match->verdict);
    text_add(text, " (%lld games, 95 %%", weights_match_games(match));
    strength_remark_add(text, &match->verdict);
    text_add(text, ")");
}

// Shows progress: the number of pairs, the log-likelihood ratio with its bounds, and the number of
// pairs that the test still needs. `context` is a ContestSpec.
static void show(void *context, const ContestResult *result) {
    const ContestSpec *spec = context;
    Progress *progress = spec->progress;
    const long long pairs = match_counts_pairs(&result->counts);
    char detail[120] = "";
    double sd;
    if (!progress) return;
    progress->before = result->already / 2;
    if (pairs == 0 || !progress_is_due(progress)) return;
    const double more = match_pairs_to_go(spec, result, &sd);
    if (spec->has_sprt) {
        snprintf(detail, sizeof detail,
                 "LLR %.2f [%.2f, %.2f], about %.0f pairs to go "
                 "(standard deviation %.0f)",
                 result->sprt.llr, result->sprt.lower, result->sprt.upper, more, sd);
    }
    progress->expected = (uint64_t)((double)pairs + more + 0.5);
    progress_update(progress, (uint64_t)pairs, detail);
}

static void add_player(Text *text, const char *path, const char *name) {
    text_add(text, "weights=");
    player_spec_add_value(text, path);
    text_add(text, ",name=%s", name);
}

static Status fill(const CommandCall *call, const WeightsMatchSpec *spec, MatchDefaults *settings,
                   ContestSpec *contest, Err *err) {
    AUTO(Text) with = {0}, without = {0};
    TRY(options_defaults(match_default_rows, settings, sizeof *settings, err));
    settings->contest.search.limits.nodes = spec->nodes;
    settings->contest.seed = spec->seed;
    settings->contest.threads = spec->threads;
    settings->contest.shard_games = 16;
    settings->contest.out = spec->out;
    settings->contest.resume = spec->out != NULL;
    add_player(&with, spec->with, "with");
    add_player(&without, spec->without, "without");
    const char *const texts[] = {with.data, without.data};
    static const char *const whats[] = {"the player 'with'", "the player 'without'"};
    *contest = (ContestSpec){.kind = MATCH, .rounds = spec->pairs, .has_sprt = spec->sprt != NULL};
    if (spec->sprt) contest->sprt = *spec->sprt;
    return contest_options_resolve(call, &settings->contest, texts, whats, MATCH_PLAYERS, contest,
                                   err);
}

Status weights_match_play(const CommandCall *call, const WeightsMatchSpec *spec,
                          WeightsMatch *match, Err *err) {
    MatchDefaults settings;
    AUTO(ContestSpec) contest = {.kind = MATCH};
    AUTO(ContestResult) result = {0};
    *match = weights_match_of(NULL, spec->sprt);
    TRY(fill(call, spec, &settings, &contest, err));
    const clock_t begun = clock();
    TRY(contest_options_run(call, &settings.contest, &contest, spec->progress, show, &contest,
                            &result, err));
    const double cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (result.interrupted) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    *match = weights_match_of(&result.counts, spec->sprt);
    const uint64_t played = result.games - result.already;
    if (played > 0) match->game_cpu_s = cpu_s / (double)played;
    return STATUS_OK;
}

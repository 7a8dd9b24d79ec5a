// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant match: compares two players of a game other than xiangqi.
#include <math.h>

#include "selfplay/contest/contest_report.h"
#include "selfplay/variants/variant_command.h"

static const OptionRow match_rows[] = {
    OPT_TEXT("a", VariantSettings, a, "weights=default", "PLAYER",
             "player A: 'weights=NAME|FILE,nodes=N,depth=N,name=NAME'; each key is optional"),
    OPT_TEXT("b", VariantSettings, b, "weights=classic", "PLAYER",
             "player B, with the same keys as --a"),
    OPT_ROW("pairs", OPTION_U64, VariantSettings, pairs, 1, 1000000, "100", "N",
            "play at most this number of pairs of games; with --sprt the default is 1000000"),
    ROW_SPRT(VariantSettings, sprt_elos),
    SPRT_ROWS(VariantSettings, model, sprt),
    VARIANT_RUN_ROWS,
    OPTION_END,
};

typedef struct Match {
    VariantPlan plan;
    VariantPlayer players[2];
    MatchOutcome outcome;
    // Sums of x, y, x*x, y*y and x*y over all pairs of games. x and y are the half points of the
    // game's player 0 (VariantGame.points) in the first and the second game of a pair.
    double sums[5];
    uint64_t plies;
} Match;

static Status read_player(const CommandCall *call, const VariantPlan *plan, const char *text,
                          const char *what, VariantPlayer *player, PlayerSpec *spec, Err *err) {
    TRY(player_spec_parse(text, what, spec, err));
    if (spec->program || spec->threads || spec->hash_mb > 0 || spec->has_margin ||
        spec->option_count || timecontrol_is_used(&spec->limits.control)) {
        return err_set(err, STATUS_USAGE,
                       "%s: only weights=, nodes=, depth= and name= are possible here", what);
    }
    const char *weights = spec->weights ? spec->weights : "default";
    if (variant_command_player(call, plan, weights, player, err) != STATUS_OK) {
        return err_prefix(err, "%s", what);
    }
    if (spec->limits.nodes || spec->limits.depth) {
        player->limits = (VariantLimits){.nodes = spec->limits.nodes, .depth = spec->limits.depth};
    }
    return STATUS_OK;
}

// Counts a pair. Returns STATUS_ENDED when the SPRT has reached a decision.
static Status count_pair(void *context, const VariantGame *games, Err *err) {
    Match *match = context;
    MatchOutcome *outcome = &match->outcome;
    const double x = games[0].points, y = games[1].points, terms[5] = {x, y, x * x, y * y, x * y};
    match_counts_add_pair(&outcome->counts, games[0].points, 2 - games[1].points);
    for (int i = 0; i < 5; i++) match->sums[i] += terms[i];
    match->plies += games[0].plies + games[1].plies;
    if (!outcome->test) return STATUS_OK;
    TRY(sprt_report(outcome->test, &outcome->counts, &outcome->sprt, err));
    return outcome->sprt.decision == SPRT_CONTINUE ? STATUS_OK : STATUS_ENDED;
}

// Adds the correlation between the points of player 0 in the first and the second game of a pair.
// The correlation shows how much of the result the start position decides. Its standard error is
// (1 - r^2)/sqrt(n), the approximation for many pairs.
static void add_correlation(Record *record, const Match *match) {
    const double n = (double)match_counts_pairs(&match->outcome.counts), *s = match->sums;
    const double xx = s[2] - s[0] * s[0] / n, yy = s[3] - s[1] * s[1] / n;
    const double r = (s[4] - s[0] * s[1] / n) / sqrt(xx * yy);
    record_add(record, "first_share %.4f", (s[0] + s[1]) / (4 * n));
    if (isfinite(r)) {
        record_add(record, "start_correlation %.4f start_correlation_error95 %.4f", r,
                   Z95 * (1 - r * r) / sqrt(n));
    } else {
        // The correlation is undefined, for example if all games have the same result.
        record_unknown(record, "start_correlation");
    }
}

static void report_match(const CommandCall *call, Match *match) {
    MatchOutcome *outcome = &match->outcome;
    Record record;
    AUTO(Text) text = {0};
    record_begin(&record, call->out, ((const VariantSettings *)call->settings)->json);
    record_add(&record, "a %s b %s", outcome->names[0], outcome->names[1]);
    match_report_record(&record, &outcome->counts, outcome->test ? &outcome->sprt : NULL);
    add_correlation(&record, match);
    record_add(&record, "plies_mean %.1f",
               (double)match->plies / (double)match_counts_games(&outcome->counts));
    match_outcome_complete(outcome, 0);
    strength_verdict_record(&record, &outcome->verdict, true);
    match_outcome_add(outcome, &text);
    record_add(&record, "verdict %s", text.data);
    record_end(&record);
}

static Status run_match(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    SprtSpec sprt = settings->sprt;
    Progress progress;
    AUTO(PlayerSpec) a = {.program = false}, b = {.program = false};
    Match match = {
        .outcome = {.names = {a.name, b.name}, .counts = {.has_pairs = true, .has_games = true}}};
    TRY(sprt_read_options(call, settings->sprt_elos, settings->model, &sprt, err));
    if (settings->sprt_elos) match.outcome.test = &sprt;
    TRY(variant_command_plan(call, &match.plan, err));
    TRY(read_player(call, &match.plan, settings->a, "--a", &match.players[0], &a, err));
    TRY(read_player(call, &match.plan, settings->b, "--b", &match.players[1], &b, err));
    // With an SPRT but without --pairs, the match ends when the SPRT has decided, and after
    // 1,000,000 pairs at the latest.
    const bool endless = match.outcome.test && !command_given(call, "pairs");
    const OptionRange range = {0, 2 * (endless ? 1000000 : settings->pairs)};
    progress_init(&progress, call->err, settings->quiet, "games", range.end);
    const Status status = variant_games_play(&match.plan, match.players, true, range,
                                             settings->threads, &progress, count_pair, &match, err);
    progress_finish(&progress, (uint64_t)match_counts_games(&match.outcome.counts), "");
    if (match_counts_pairs(&match.outcome.counts) > 0) report_match(call, &match);
    return status == STATUS_ENDED ? STATUS_OK : status;
}

const Command command_variant_match = {
    VARIANT_COMMAND,
    .name = "variant match",
    .summary = "find the stronger of two players of another game",
    .details = VARIANT_GAMES
    "Both games of a pair have the same start: the same shuffled board in banqi, the same "
    "random turns in supply chess. In the second game the players exchange seats. Results are "
    "from A's point of view. first_share is the share of the points that the player with the "
    "first turn scored. start_correlation is the correlation of the first-turn player's results in "
    "the two games of a pair. " VARIANT_LIMITS "\n\n"
    "paotai variant match banqi --a weights=banqi.tsv --b weights=classic --nodes 200 --pairs "
    "5000 --sprt 0,10 --threads 2\n"
    "paotai variant match banqi --a depth=4 --b weights=random --pairs 50",
    .rows = match_rows,
    .reads_weights = true,
    .run = run_match,
};

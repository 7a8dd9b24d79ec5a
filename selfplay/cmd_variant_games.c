// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant selfplay, match: games of the engine against itself, and of two players.
#include <math.h>

#include "core/base/version.h"
#include "core/eval/weights.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/stats/strength_verdict.h"
#include "selfplay/variants/variant_command.h"
#include "selfplay/variants/variant_store.h"

// ---- selfplay -----------------------------------------------------------------------------------

static const OptionRow selfplay_rows[] = {
    OPT_RANGE(
        "games", VariantSettings, games, "1000", "N|A:B",
        "games to play: N games, or the games A to B - 1, so that several machines can share a run",
        OPTION_NEUTRAL),
    OPT_TEXT("out", VariantSettings, out, NULL, "DIR",
             "write games.txt and rows.h5 to this directory", OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("resume", VariantSettings, resume,
             "continue the run in --out: play the games that are missing", OPTION_NEUTRAL),
    VARIANT_WEIGHTS_ROW,
    VARIANT_RUN_ROWS,
    OPTION_END,
};

typedef struct Selfplay {
    VariantPlan plan;
    VariantPlayer player;
    VariantStore store;
    uint64_t nodes;
} Selfplay;

static Status take_game(void *context, const VariantGame *game, Err *err) {
    Selfplay *run = context;
    run->nodes += game->nodes;
    return variant_store_add(&run->store, game, err);
}

// Adds all settings that determine the games (game, options, weights), as lines "# name=value".
static void add_identity(const CommandCall *call, const Selfplay *run, Text *head) {
    const Variant *game = run->plan.game;
    AUTO(Text) lines = {0};
    text_add(&lines, "game=%s\n", game->name);
    command_options_text(call, false, &lines);
    for (int i = 0; i < game->term_count; i++) {
        text_add(&lines, "%s%s=", i ? " " : "weights ", game->terms[i].name);
        text_add_real(&lines, run->player.weights.value[i]);
    }
    text_add(&lines, "\n");
    weights_format_comment(lines.data, head);
}

static Status play_run(const CommandCall *call, Selfplay *run, const char *head, Err *err) {
    const VariantSettings *settings = call->settings;
    const VariantPlayer *players[2] = {&run->player, &run->player};
    const OptionRange missing = {run->store.next, settings->games.end};
    Progress progress;
    VariantSums sums;
    AUTO(Text) path = {0};
    AUTO(Text) provenance = {0};
    const uint64_t count = missing.end > missing.first ? missing.end - missing.first : 0;
    progress_init(&progress, call->err, settings->quiet, "games", count);
    const Status played = variant_games_play(&run->plan, players, false, missing, settings->threads,
                                             &progress, take_game, run, err);
    progress_finish(&progress, run->store.next - missing.first, "");
    TRY(variant_store_flush(&run->store, played == STATUS_OK ? err : NULL));
    record_print(call->out, settings->json, "stored %lu wanted %lu", run->store.next,
                 settings->games.end);
    if (played == STATUS_INTERRUPTED) {
        return err_remedy(err, "repeat the command with --resume to play the missing games");
    }
    TRY(played);
    const double seconds = progress_elapsed_s(&progress);
    text_add(&path, "%s/rows.h5", settings->out);
    text_add(&provenance, "program=paotai %s %s\n%s", PAOTAI_VERSION, version_revision(), head);
    TRY(variant_store_rows(&run->store, &run->plan, text_get(&path), text_get(&provenance), &sums,
                           err));
    const double games = sums.games ? (double)sums.games : 1;
    record_print(call->out, settings->json,
                 "games %lu first_share %.4f draws %lu plies_mean %.1f rows %lu played %lu seconds "
                 "%.1f nodes %lu",
                 sums.games, (double)sums.points / (2 * games), sums.draws,
                 (double)sums.plies / games, sums.rows, count, seconds, run->nodes);
    return STATUS_OK;
}

static Status run_selfplay(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    Selfplay run = {.nodes = 0};
    AUTO(Text) head = {0};
    TRY(variant_command_plan(call, &run.plan, err));
    TRY(variant_command_player(call, &run.plan, settings->weights, &run.player, err));
    add_identity(call, &run, &head);
    Status status = variant_store_open(&run.store, settings->out, text_get(&head), settings->resume,
                                       settings->games.first, call->err, err);
    if (status == STATUS_OK) status = play_run(call, &run, text_get(&head), err);
    variant_store_close(&run.store);
    return status;
}

const Command command_variant_selfplay = {
    .name = "variant selfplay",
    .summary =
        "let the engine play another game against itself; write games, and rows for 'tune --rows'",
    .usage = "GAME",
    .details =
        "The game with number i depends only on the seed, i, the options and the weights. "
        "games.txt and rows.h5 have the same bytes for any number of threads, and after an "
        "interruption and --resume. A line of games.txt has the number, the start, the turns (each "
        "with the uncovered piece and the score of the search), the first player's result, and the "
        "reason for the end. A search always completes its first iteration, even if --nodes is "
        "smaller.\n\n"
        "paotai variant selfplay banqi --games 20000 --nodes 200 --threads 2 --out build/banqi\n"
        "paotai tune --rows build/banqi/rows.h5 --lambda 1 --out build/banqi.tsv",
    .rows = selfplay_rows,
    .settings_size = sizeof(VariantSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_selfplay,
};

// ---- match --------------------------------------------------------------------------------------

static const OptionRow match_rows[] = {
    OPT_TEXT("a", VariantSettings, a, "weights=default", "PLAYER",
             "player A: 'weights=NAME|FILE,nodes=N,depth=N,name=NAME', all optional"),
    OPT_TEXT("b", VariantSettings, b, "weights=classic", "PLAYER",
             "player B, with the same keys as --a"),
    OPT_ROW("pairs", OPTION_U64, VariantSettings, pairs, 1, 1000000, "100", "N",
            "play at most this number of pairs of games, two games each; with --sprt there is no "
            "limit by default"),
    ROW_SPRT(VariantSettings, sprt_elos),
    SPRT_ROWS(VariantSettings, model, sprt),
    VARIANT_RUN_ROWS,
    OPTION_END,
};

typedef struct Match {
    VariantPlan plan;
    VariantPlayer players[2];
    const SprtSpec *sprt; // SPRT that ends the match; NULL: no SPRT
    MatchCounts counts;
    SprtReport report;
    // Sums over the pairs of x, y, x*x, y*y and x*y. x and y are the half points of the game's
    // player 0 (VariantGame.points) in the first and the second game of a pair.
    double sums[5];
    uint64_t plies;
} Match;

static Status read_player(const CommandCall *call, const VariantPlan *plan, const char *text,
                          const char *what, VariantPlayer *player, PlayerSpec *spec, Err *err) {
    TRY(player_spec_parse(text, what, spec, err));
    if (spec->program || spec->threads || spec->hash_mb > 0 || spec->has_margin ||
        spec->control.base_ns || spec->control.move_ns) {
        return err_set(
            err, STATUS_USAGE,
            "%s: a player of 'variant match' has only the keys weights, nodes, depth and name",
            what);
    }
    const char *weights = spec->weights ? spec->weights : "default";
    if (variant_command_player(call, plan, weights, player, err) != STATUS_OK) {
        return err_prefix(err, "%s", what);
    }
    if (spec->nodes || spec->depth) {
        player->limits = (VariantLimits){.nodes = spec->nodes, .depth = spec->depth};
    }
    if (spec->name[0]) snprintf(player->name, sizeof player->name, "%.60s", spec->name);
    return STATUS_OK;
}

// Counts a pair. Returns STATUS_ENDED when the SPRT has reached a decision.
static Status count_pair(void *context, const VariantGame *games, Err *err) {
    Match *match = context;
    const double x = games[0].points, y = games[1].points, terms[5] = {x, y, x * x, y * y, x * y};
    match_counts_add_pair(&match->counts, games[0].points, 2 - games[1].points);
    for (int i = 0; i < 5; i++) match->sums[i] += terms[i];
    match->plies += games[0].plies + games[1].plies;
    if (!match->sprt) return STATUS_OK;
    TRY(sprt_report(match->sprt, &match->counts, &match->report, err));
    return match->report.decision == SPRT_CONTINUE ? STATUS_OK : STATUS_ENDED;
}

// Adds the correlation between the points of player 0 in the first and the second game of a pair.
// The correlation shows how much of the result the start position decides. Its standard error is
// (1 - r^2)/sqrt(n), the approximation for many pairs.
static void add_correlation(Record *record, const Match *match) {
    const double n = (double)match_counts_pairs(&match->counts), *s = match->sums;
    const double xx = s[2] - s[0] * s[0] / n, yy = s[3] - s[1] * s[1] / n;
    const double r = (s[4] - s[0] * s[1] / n) / sqrt(xx * yy);
    record_add(record, "first_share %.4f", (s[0] + s[1]) / (4 * n));
    if (isfinite(r)) {
        record_add(record, "start_correlation %.4f start_correlation_error95 %.4f", r,
                   Z95 * (1 - r * r) / sqrt(n));
    } else {
        record_unknown(record, "start_correlation"); // undefined, because all results are equal
    }
}

static void report_match(const CommandCall *call, Match *match) {
    const bool json = ((const VariantSettings *)call->settings)->json;
    const long long games = match_counts_games(&match->counts);
    StrengthVerdict verdict;
    Record record;
    AUTO(Text) text = {0};
    record_begin(&record, call->out, json);
    record_add(&record, "a %s b %s", match->players[0].name, match->players[1].name);
    match_report_record(&record, &match->counts, match->sprt ? &match->report : NULL);
    add_correlation(&record, match);
    record_add(&record, "plies_mean %.1f", (double)match->plies / (double)games);
    strength_verdict(&match->counts, match->sprt, match->sprt != NULL, &verdict);
    strength_verdict_record(&record, &verdict, true);
    text_add(&text, "A (%s) against B (%s): ", match->players[0].name, match->players[1].name);
    strength_word_add(&text, &verdict);
    text_add(&text, ", ");
    strength_interval_add(&text, &verdict);
    record_add(&record, "verdict %s", text.data);
    record_end(&record);
}

static Status run_match(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    SprtSpec sprt = settings->sprt;
    Match match = {.counts = {.has_pairs = true, .has_games = true}};
    const VariantPlayer *players[2] = {&match.players[0], &match.players[1]};
    Progress progress;
    AUTO(PlayerSpec) a = {.nodes = 0};
    AUTO(PlayerSpec) b = {.nodes = 0};
    TRY(sprt_read_options(call, settings->sprt_elos, settings->model, &sprt, err));
    if (settings->sprt_elos) match.sprt = &sprt;
    TRY(variant_command_plan(call, &match.plan, err));
    TRY(read_player(call, &match.plan, settings->a, "--a", &match.players[0], &a, err));
    TRY(read_player(call, &match.plan, settings->b, "--b", &match.players[1], &b, err));
    // With an SPRT but without --pairs, the match ends when the SPRT has decided, and after
    // 1,000,000 pairs at the latest.
    const bool endless = match.sprt && !command_given(call, "pairs");
    const OptionRange range = {0, 2 * (endless ? 1000000 : settings->pairs)};
    progress_init(&progress, call->err, settings->quiet, "games", range.end);
    const Status status = variant_games_play(&match.plan, players, true, range, settings->threads,
                                             &progress, count_pair, &match, err);
    progress_finish(&progress, (uint64_t)match_counts_games(&match.counts), "");
    if (match_counts_pairs(&match.counts) > 0) report_match(call, &match);
    return status == STATUS_ENDED ? STATUS_OK : status;
}

const Command command_variant_match = {
    .name = "variant match",
    .summary = "find which of two players of another game is stronger, with error bars and SPRT",
    .usage = "GAME",
    .details =
        "Both games of a pair have the same start, and the players exchange seats: in banqi the "
        "start "
        "is a shuffled board, in supply chess random turns. Results are from A's point of view. "
        "start_correlation is the correlation of the first player's results in the two games of a "
        "pair. It shows how much of the result the start decides.\n\n"
        "paotai variant match banqi --a weights=banqi.tsv --b weights=classic --nodes 200 --pairs "
        "5000 --sprt 0,10 --threads 2\n"
        "paotai variant match banqi --a depth=4 --b weights=random --pairs 50",
    .rows = match_rows,
    .settings_size = sizeof(VariantSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_match,
};

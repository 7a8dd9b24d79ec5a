// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant selfplay: the engine plays a game other than xiangqi against itself.
#include "core/base/json.h"
#include "core/eval/weights.h"
#include "core/system/version.h"
#include "selfplay/run/scheduler.h"
#include "selfplay/variants/variant_command.h"
#include "selfplay/variants/variant_store.h"

static const OptionRow selfplay_rows[] = {
    OPT_RANGE("games", VariantSettings, games, "1000", "N|A:B",
              "games to play: N games, or the games A to B - 1, so that several machines can play "
              "parts of a run",
              OPTION_NEUTRAL),
    OPT_TEXT("out", VariantSettings, out, NULL, "DIR",
             "write games.txt and rows.h5 to this directory", OPTION_REQUIRED | OPTION_NEUTRAL),
    OPT_FLAG("resume", VariantSettings, resume,
             "continue the run in --out: play the games that are missing", OPTION_NEUTRAL),
    VARIANT_WEIGHTS_ROW,
    VARIANT_RUN_ROWS,
    OPTION_END,
};

// Adds all settings that determine the games (game, options, weights), as lines "# name=value".
static void add_identity(const CommandCall *call, const Variant *game, const VariantPlayer *player,
                         Text *head) {
    const VariantSettings *settings = call->settings;
    const VariantWeights *weights = &player->weights;
    AUTO(Text) lines = {0};
    text_add(&lines, "game=%s\n", game->name);
    command_options_text(call, false, &lines);
    if (player->limits.nodes != settings->player.limits.nodes) text_add(&lines, "nodes=0\n");
    for (int i = 0; i < game->term_count; i++) {
        text_add(&lines, "%s%s=", i ? " " : "weights ", game->terms[i].name);
        text_add_real(&lines, weights->value[i]);
    }
    text_add(&lines, "\n");
    weights_format_comment(lines.data, head);
}

static Status run_selfplay(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantPlan plan;
    VariantPlayer players[2];
    Progress progress;
    VariantSums sums;
    AUTO(VariantStore) store = {.lock = NULL};
    AUTO(Text) head = {0}, path = {0}, provenance = {0};
    TRY(schedule_check_games(&settings->games, err));
    TRY(variant_command_plan(call, &plan, err));
    TRY(variant_command_player(call, &plan, settings->weights, &players[0], err));
    players[1] = players[0];
    add_identity(call, plan.game, &players[0], &head);
    TRY(variant_store_open(&store, settings->out, text_get(&head), settings->resume,
                           settings->games.first, call->err, err));
    const OptionRange missing = {store.next, settings->games.end};
    const uint64_t count = missing.end > missing.first ? missing.end - missing.first : 0;
    progress_init(&progress, call->err, settings->quiet, "games", count);
    const Status played = variant_games_play(&plan, players, false, missing, settings->threads,
                                             &progress, variant_store_add, &store, err);
    progress_finish(&progress, store.next - missing.first, "");
    if (played == STATUS_INTERRUPTED) {
        return err_remedy(err, "repeat the command with --resume to play the missing games");
    }
    TRY(played);
    text_add(&path, "%s/rows.h5", settings->out);
    text_add(&provenance, "program=paotai %s %s\n%s", PAOTAI_VERSION, version_revision(),
             text_get(&head));
    TRY(variant_store_rows(&store, &plan, path.data, provenance.data, &sums, err));
    const double games = sums.games ? (double)sums.games : 1;
    record_print(call->out, settings->json,
                 "games %lu first_share %.4f draws %lu plies_mean %.1f rows %lu played %lu",
                 sums.games, (double)sums.points / (2 * games), sums.draws,
                 (double)sums.plies / games, sums.rows, count);
    return STATUS_OK;
}

const Command command_variant_selfplay = {
    VARIANT_COMMAND,
    .name = "variant selfplay",
    .summary = "let the engine play another game against itself",
    .details = VARIANT_GAMES
    "The game with number i depends only on the seed, i, the options and the weights. "
    "games.txt and rows.h5 have the same bytes for any number of threads, and after an "
    "interruption and --resume. A line of games.txt has the number, the start, the turns (each "
    "with the uncovered piece and the score of the search), the first player's result, and the "
    "reason for the end. A search always completes its first iteration, even if --nodes is "
    "smaller. " VARIANT_LIMITS "\n\n"
    "paotai variant selfplay banqi --games 20000 --nodes 200 --threads 2 --out build/banqi\n"
    "paotai tune --rows build/banqi/rows.h5 --lambda 1 --out build/banqi.tsv",
    .rows = selfplay_rows,
    .reads_weights = true,
    .run = run_selfplay,
};

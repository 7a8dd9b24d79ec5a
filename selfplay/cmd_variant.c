// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant list, show: lists the games other than xiangqi, or shows a position of one of them
// with its evaluation.
#include <math.h>

#include "core/base/json.h"
#include "selfplay/variants/variant_command.h"

static const OptionRow list_rows[] = {ROW_JSON(VariantSettings), OPTION_END};

static Status run_list(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    (void)err;
    for (int i = 0; variant_at(i); i++) {
        const Variant *game = variant_at(i);
        record_row(call->out, settings->json, "{game}%-8s {rules}%-16s {summary}%s\n", game->name,
                   game->choices ? game->choices : "-", game->summary);
    }
    return STATUS_OK;
}

const Command command_variant_list = {
    .name = "variant list",
    .summary = "list the games other than xiangqi: supply chess, banqi",
    .usage = "",
    .rows = list_rows,
    .settings_size = sizeof(VariantSettings),
    .run = run_list,
};

// ---- show ---------------------------------------------------------------------------------------

static const OptionRow show_rows[] = {
    VARIANT_START_ROWS,        VARIANT_WEIGHTS_ROW, VARIANT_PIECES_ROW,
    ROW_JSON(VariantSettings), OPTION_END,
};

static Status run_show(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    const bool json = settings->json;
    VariantPlan plan;
    VariantWeights weights;
    int counts[VARIANT_MAX_TERMS];
    AUTO(Text) text = {0};
    TRY(variant_command_plan(call, &plan, err));
    const Variant *game = plan.game;
    TRY(variant_weights_load(game, plan.choice, settings->weights, &weights, err));
    variant_counts(game, &plan.state, counts);
    if (!json) {
        text_add_wrapped(&text, game->rules);
        text_add(&text, "\n");
        game->draw(&plan.state, settings->pieces == 1, &text);
        game->write(&plan.state, &text);
        fprintf(call->out, "%s\n%s\n\n%-18s  classic %19.19s  count\n", game->summary, text.data,
                "term", settings->weights);
    }
    for (int i = 0; i < game->term_count; i++) {
        record_row(call->out, json,
                   "{term}%-18s {classic}%8.1f {value}%9.1f +- {value_error95}%6.1f {count}%6d  "
                   "{meaning}%s\n",
                   game->terms[i].name, game->terms[i].classic, weights.value[i],
                   weights.se[i] > 0 ? Z95 * weights.se[i] : NAN, counts[i],
                   game->terms[i].meaning);
    }
    const int score = variant_evaluate(game, weights.value, &plan.state);
    record_print(call->out, json, "score_first_team %d", plan.state.team ? -score : score);
    return STATUS_OK;
}

const Command command_variant_show = {
    VARIANT_COMMAND,
    .name = "variant show",
    .summary = "show the rules of a game, a position, and its evaluation",
    .details = VARIANT_GAMES
    "For each term, count says how often it occurs for Red (in banqi) or team one (in supply "
    "chess), minus how often for the opponents. score_first_team is the score of Red or of team "
    "one.\n\n"
    "paotai variant show banqi --rules taiwan",
    .rows = show_rows,
    .reads_weights = true,
    .run = run_show,
};

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_command.h"

Status variant_command_plan(const CommandCall *call, VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    const Variant *game = variant_by_name(call->args[0], err);
    VariantState state = {.key = 0};
    if (!game) return STATUS_USAGE;
    *plan = (VariantPlan){.game = game,
                          .draws = {settings->max_plies, settings->no_capture},
                          .opening_plies = settings->opening_plies < 0 ? game->opening_plies
                                                                       : settings->opening_plies,
                          .seed = settings->seed,
                          .start = settings->fen ? settings->fen : game->start};
    if (!game->choices) TRY(command_refuse(call, "rules", "this game has one set of rules", err));
    if (settings->rules) plan->choice = option_choice_index(game->choices, settings->rules);
    if (plan->choice < 0) {
        return err_set(err, STATUS_USAGE, "--rules: '%.40s' is none of %s", settings->rules,
                       game->choices);
    }
    for (const OptionRow *row = call->command->rows; row->name && !game->no_capture; row++) {
        plan->draws.no_capture = 0;
        if (strcmp(row->name, "no-capture") != 0) continue;
        TRY(command_refuse(call, "no-capture", "this game has no such draw", err));
    }
    const Status status = game->read(plan->start, plan->choice, &state, err);
    return status == STATUS_OK ? status : err_usage(err, "fen");
}

Status variant_command_weights(const CommandCall *call, const Variant *game, const char *name,
                               VariantWeights *weights, Err *err) {
    TRY(variant_weights_load(game, name, weights, err));
    if (weights->missing) {
        fprintf(call->err, "%s: the term %s is missing: it counts as 0\n", name, weights->missing);
    }
    return STATUS_OK;
}

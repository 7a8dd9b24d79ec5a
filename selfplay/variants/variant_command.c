// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_command.h"

#include "core/base/memory.h"

Status variant_command_plan(const CommandCall *call, VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    const Variant *game = variant_by_name(call->args[0], err);
    if (!game) return STATUS_USAGE;
    *plan = settings->plan;
    plan->game = game;
    if (!plan->start) plan->start = game->start;
    if (plan->opening_plies < 0) plan->opening_plies = game->opening_plies;
    if (plan->draws.max_plies && plan->opening_plies >= plan->draws.max_plies) {
        return err_set(err, STATUS_USAGE,
                       "--max-plies %d: the %d random plies of the opening would end each game; "
                       "give a larger number, or fewer --opening-plies",
                       plan->draws.max_plies, plan->opening_plies);
    }
    if (!game->choices) TRY(command_refuse(call, "rules", "this game has only one rule set", err));
    if (settings->rules) plan->choice = option_choice_index(game->choices, settings->rules);
    if (plan->choice < 0) {
        return err_set(err, STATUS_USAGE, "--rules: '%.40s' is not one of %s", settings->rules,
                       game->choices);
    }
    if (!game->no_capture) {
        TRY(command_refuse_change(call, "no-capture",
                                  "this game has no draw by plies without a capture", err));
        plan->draws.no_capture = 0;
    }
    const Status status = game->read(plan->start, plan->choice, &plan->state, err);
    return status == STATUS_OK ? status : err_usage(err, "fen");
}

Status variant_command_player(const CommandCall *call, const VariantPlan *plan, const char *weights,
                              VariantPlayer *player, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantLimits *limits = &player->limits;
    *player = settings->player;
    limits->seed = plan->seed;
    // The default of --nodes applies only if neither --depth nor --movetime is given.
    const bool other = limits->depth || limits->movetime_ms;
    if (other && !command_given(call, "nodes")) limits->nodes = 0;
    if (!other && !limits->nodes) {
        return err_set(
            err, STATUS_USAGE,
            "--nodes 0: a search must have a limit; give another limit, such as --depth");
    }
    if (memory_check(player->hash_mb, err) != STATUS_OK) return err_prefix(err, "--hash");
    return variant_weights_load(plan->game, plan->choice, weights, &player->weights, err);
}

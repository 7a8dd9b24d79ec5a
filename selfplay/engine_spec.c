// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engine_spec.h"

#include <string.h>

Status engine_spec_from_player(const PlayerSpec *player, EngineSpec *spec, Err *err) {
    memset(spec, 0, sizeof *spec);
    if (player->program) {
        return err_set(err, STATUS_USAGE, "'%s' is a program; here our engine in process is wanted",
                       player->name);
    }
    if (player->control.base_ns || player->control.move_ns || player->threads > 1) {
        return err_set(err, STATUS_USAGE,
                       "st, tc and threads are for programs; give nodes or depth");
    }
    if (player->depth > MAX_PLY - 8) {
        return err_set(err, STATUS_USAGE, "depth: %d is more than %d", player->depth, MAX_PLY - 8);
    }
    const char *weights = player->weights ? player->weights : "default";
    if (strlen(weights) >= sizeof spec->weights_name) {
        return err_set(err, STATUS_USAGE, "weights: the path is too long");
    }
    strcpy(spec->weights_name, weights);
    strcpy(spec->name, player->name);
    spec->params = search_params_default();
    spec->limits = (SearchLimits){.nodes = player->nodes, .depth = player->depth};
    spec->hash_mb = player->hash_mb;
    Status status = weights_load(weights, &spec->weights, err);
    for (int i = 0; i < player->option_count && status == STATUS_OK; i++) {
        status = search_params_set(&spec->params, player->options[i].name, player->options[i].value,
                                   err);
    }
    return status;
}

Status engine_spec_parse(const char *text, const char *what, EngineSpec *spec, Err *err) {
    PlayerSpec player;
    Status status = player_spec_parse(text, what, &player, err);
    if (status != STATUS_OK) return status;
    status = engine_spec_from_player(&player, spec, err);
    if (status != STATUS_OK) err_prefix(err, "%s", what);
    // A number out of range is wrong usage; a weight file that cannot be read is not.
    if (status == STATUS_BAD_INPUT || status == STATUS_NOT_FOUND) status = STATUS_USAGE;
    if (err && status != STATUS_OK) err->status = status;
    player_spec_clear(&player);
    return status;
}

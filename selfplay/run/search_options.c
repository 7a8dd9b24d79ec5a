// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/search_options.h"

static bool is_limited(const PlayerSpec *spec) {
    return spec->nodes || spec->depth || spec->control.move_ns || spec->control.base_ns;
}

// Limits that were not asked for give way to those that were.
static Status limit_player(const CommandCall *call, const SearchOptions *options,
                           PlayerSpec *player, Err *err) {
    if (is_limited(player)) return STATUS_OK;
    const bool other = options->depth || options->movetime_ms;
    player->nodes = other && !command_given(call, "nodes") ? 0 : options->nodes;
    player->depth = options->depth;
    player->control.move_ns = options->movetime_ms * MS_NS;
    if (is_limited(player)) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--nodes 0 wants a --depth or a --movetime: a search must end");
}

static void describe(Searcher *searcher, const char *weights) {
    const PlayerSpec *player = &searcher->player;
    Text *limits = &searcher->limits;
    if (player->nodes) text_add(limits, "nodes=%llu ", (unsigned long long)player->nodes);
    if (player->depth) text_add(limits, "depth=%d ", player->depth);
    if (player->control.move_ns) {
        text_add(limits, "movetime_ms=%lld ", (long long)(player->control.move_ns / MS_NS));
    }
    if (player->control.base_ns) text_add(limits, "tc ");
    limits->data[--limits->length] = '\0';
    if (player->program) {
        text_add(&searcher->weights, "%s (%s), openings by ", player->name, player->profile.name);
    }
    text_add(&searcher->weights, "%s %s", weights, searcher->engine.weights_hash);
}

Status searcher_resolve(const CommandCall *call, const SearchOptions *options, Searcher *searcher,
                        Err *err) {
    *searcher = (Searcher){.limits = {0}};
    PlayerSpec *player = &searcher->player;
    Status status =
        player_spec_parse(options->player ? options->player : "", "--player", player, err);
    if (status == STATUS_OK) status = limit_player(call, options, player, err);
    if (status != STATUS_OK) return status;
    const bool own = !player->program && player->weights;
    const char *weights = own ? player->weights : options->weights;
    PlayerSpec engine = player->program ? (PlayerSpec){.nodes = 0} : *player;
    engine.weights = (char *)weights; // borrowed
    snprintf(engine.name, sizeof engine.name, "%s", own ? "--player" : "--weights");
    status = engine_config(&engine, options->hash_mb, &searcher->engine, err);
    searcher->control = player->control;
    if (status == STATUS_OK) describe(searcher, weights);
    return status;
}

void searcher_clear(Searcher *searcher) {
    player_spec_clear(&searcher->player);
    text_clear(&searcher->limits);
    text_clear(&searcher->weights);
}

Status searcher_open(const Searcher *searcher, const Rules *rules, Player **player, Err *err) {
    if (searcher->player.program) return player_open_program(&searcher->player, player, err);
    *player = player_open_engine(&searcher->engine, rules);
    return STATUS_OK;
}

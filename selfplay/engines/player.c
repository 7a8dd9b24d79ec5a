// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/player.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/search/smp.h"
#include "core/search/time_budget.h"
#include "core/system/interrupt.h"
#include "selfplay/engines/player_setup.h"

const char *player_fault_name(PlayerFault fault) {
    static const char *const names[] = {
#define PLAYER_FAULT(id, name, end, meaning) name,
#include "selfplay/engines/player_faults.def"
    };
    return names[fault];
}

Status player_new_game(Player *player, const TimeControl *control, Err *err) {
    return player->ops->new_game(player, control, err);
}

void player_go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    *reply = (PlayerReply){0};
    player->ops->go(player, turn, reply);
}

void player_ponder(Player *player, const PlayerTurn *turn) {
    if (player->ops->ponder) player->ops->ponder(player, turn);
}

void player_close(Player *player) {
    if (player) player->ops->close(player);
}

// ---- our engine --------------------------------------------------------------------------------

typedef struct EnginePlayer {
    Player player;
    SearchLimits limits;
    Smp *smp;
} EnginePlayer;

static Status engine_new_game(Player *player, const TimeControl *control, Err *err) {
    (void)control;
    (void)err;
    smp_clear(((EnginePlayer *)player)->smp);
    return STATUS_OK;
}

// Milliseconds of the clock that each search leaves unused. Our engine runs in this process, so
// only the scheduler of the operating system can delay its moves.
enum { OVERHEAD_MS = 2 };

// Sets the time limits of a search. A fixed time per move is a hard limit. A game clock sets a hard
// limit, too. It also sets a soft limit unless the player has a limit of nodes or depth, which then
// decides when the search ends.
static void limit_by_clock(const Clock *clock, SearchLimits *limits) {
    if (clock->control.move_ns) {
        limits->hard_ms = clock->left_ns > MS_NS ? clock->left_ns / MS_NS : 1;
        return;
    }
    if (!clock_is_used(clock)) return;
    const TimeLeft left = {.time_ms = clock->left_ns / MS_NS,
                           .increment_ms = clock->control.inc_ns / MS_NS,
                           .moves_to_go = clock->moves_left,
                           .overhead_ms = OVERHEAD_MS};
    const TimeBudget budget = time_budget(&left);
    if (!limits->nodes && !limits->depth) limits->soft_ms = budget.soft_ms;
    limits->hard_ms = budget.hard_ms;
}

static void engine_go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    EnginePlayer *self = (EnginePlayer *)player;
    SearchLimits limits = self->limits;
    limits.odds = turn->odds;
    limits.multi_pv = turn->multi_pv;
    limit_by_clock(&turn->clocks[turn->game->now.stm], &limits);
    SearchResult result;
    smp_run(self->smp, turn->game, &limits, &result);
    reply->move = result.best;
    reply->interrupted = result.abandoned;
    const int mate = score_mate_plies(result.line.score);
    reply->info = (SearchInfo){.has_score = true,
                               .score_cp = mate ? 0 : result.line.score,
                               .mate = mate,
                               .depth = result.line.depth,
                               .nodes = result.nodes};
    reply->time_ns = result.time_ns;
    for (int i = 0; i < result.line.count && i < PLAYER_EXPECTED_MAX; i++) {
        reply->expected[reply->expected_count++] = result.line.moves[i];
    }
    const Search *search = smp_first(self->smp);
    const int count = search_line_count(search);
    for (int i = 0; i < count && i < PLAYER_LINES_MAX; i++) {
        const SearchLine *line = search_line(search, i);
        reply->lines[reply->line_count++] = (PlayerLine){line->moves[0], line->score};
    }
}

static void engine_close(Player *player) {
    EnginePlayer *self = (EnginePlayer *)player;
    smp_free(self->smp);
    free(self);
}

Player *player_open_engine(const PlayerSetup *setup, const Rules *rules) {
    static const PlayerOps ops = {engine_new_game, engine_go, NULL, engine_close};
    EnginePlayer *self = memory_alloc(1, sizeof *self);
    self->player.ops = &ops;
    self->limits.nodes = setup->spec.limits.nodes;
    self->limits.depth = setup->spec.limits.depth;
    if (!setup->stop) self->limits.ending = interrupt_flag();
    self->smp = smp_new(setup->weights, setup->hash_mb, setup->threads);
    smp_set_network(self->smp, setup->network);
    smp_set_params(self->smp, &setup->params);
    smp_set_rules(self->smp, rules);
    smp_set_stop(self->smp, setup->stop);
    return &self->player;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/match.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef struct MatchRun {
    const MatchSpec *spec;
    MatchPairDone *done;
    void *done_context;
    MatchResult *result;
    PlayedGame first;      // what is remembered of the first game of the pair being counted:
    int first_half_points; // A's half points in it
    Status status;
    Err err;
} MatchRun;

typedef struct MatchWorker {
    Search *openings, *players[MATCH_PLAYERS];
    Game game;
} MatchWorker;

static void *worker_new(void *context) {
    const MatchSpec *spec = ((const MatchRun *)context)->spec;
    MatchWorker *worker = memory_alloc(1, sizeof *worker);
    worker->openings = search_new(&spec->opening_weights, 1, NULL);
    search_set_rules(worker->openings, &spec->play.rules);
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        const EngineSpec *player = &spec->players[i];
        worker->players[i] = search_new(&player->weights, player->hash_mb, NULL);
        search_set_params(worker->players[i], &player->params);
        search_set_rules(worker->players[i], &spec->play.rules);
    }
    Position start;
    position_init_start(&start);
    game_init(&worker->game, &start);
    return worker;
}

static void worker_free(void *memory) {
    MatchWorker *worker = memory;
    search_free(worker->openings);
    for (int i = 0; i < MATCH_PLAYERS; i++) search_free(worker->players[i]);
    game_clear(&worker->game);
    free(worker);
}

// Who plays Red in a game: A in even ones.
static int red_player(uint64_t index) {
    return (int)(index % 2);
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const MatchSpec *spec = ((const MatchRun *)context)->spec;
    MatchWorker *worker = memory;
    Status status = opening_make(&spec->openings, spec->seed, index / 2, &spec->play.rules,
                                 worker->openings, &worker->game, err);
    if (status != STATUS_OK) {
        err_prefix(err, "pair %llu", (unsigned long long)(index / 2));
        return status;
    }
    Search *players[SIDE_COUNT];
    PlaySpec play_spec = spec->play;
    for (int side = RED; side <= BLACK; side++) {
        const int who = side == RED ? red_player(index) : 1 - red_player(index);
        players[side] = worker->players[who];
        search_clear(players[side]);
        play_spec.limits[side] = spec->players[who].limits;
    }
    status = play_game(&play_spec, players, &worker->game, played, NULL, err);
    played->record.index = index;
    return status;
}

// Adds what is known of a game of a counted pair.
static void count_game(MatchResult *result, const PlayedGame *played) {
    const GameRecord *record = &played->record;
    result->red_wins += record->result > 0;
    result->black_wins += record->result < 0;
    result->reasons[record->reason]++;
    result->plies += record->ply_count;
    for (uint32_t i = record->opening_plies; i < record->ply_count; i++) {
        const bool red_moves = (record->start.stm == RED) == (i % 2 == 0);
        const int who = red_moves ? red_player(record->index) : 1 - red_player(record->index);
        result->nodes[who] += played->plies[i].nodes;
        result->depth_sum[who] += played->plies[i].depth;
        result->moves[who]++;
    }
}

static bool accept(void *context, const PlayedGame *played) {
    MatchRun *run = context;
    const GameRecord *record = &played->record;
    const int a_result = red_player(record->index) == 0 ? record->result : -record->result;
    if (record->index % 2 == 0) {
        run->first_half_points = a_result + 1;
        // Its statistics are counted with the pair: keep a copy of what that needs.
        PlyRecord *plies = memory_resize(run->first.plies, record->ply_count, sizeof *plies);
        for (uint32_t i = 0; i < record->ply_count; i++) plies[i] = played->plies[i];
        run->first = (PlayedGame){.record = *record, .plies = plies};
        return true;
    }
    match_counts_add_pair(&run->result->counts, run->first_half_points, a_result + 1);
    count_game(run->result, &run->first);
    count_game(run->result, played);
    bool more = true;
    if (run->spec->has_sprt) {
        run->status =
            sprt_report(&run->spec->sprt, &run->result->counts, &run->result->sprt, &run->err);
        more = run->status == STATUS_OK && run->result->sprt.decision == SPRT_CONTINUE;
    }
    if (run->done) run->done(run->done_context, run->result);
    return more;
}

Status match_run(const MatchSpec *spec, MatchPairDone *done, void *context, MatchResult *result,
                 Err *err) {
    *result = (MatchResult){.counts = {.has_pairs = true, .has_games = true}};
    Status status = STATUS_OK;
    if (spec->has_sprt) {
        status = sprt_report(&spec->sprt, &result->counts, &result->sprt, err);
    }
    if (status == STATUS_OK && spec->out) status = run_directory_prepare(spec->out, err);
    if (status != STATUS_OK) return status;
    MatchRun run = {.spec = spec, .done = done, .done_context = context, .result = result};
    const OptionRange games = {0, 2 * spec->pairs};
    const Schedule schedule = {.ranges = &games,
                               .range_count = 1,
                               .threads = spec->threads,
                               .out = spec->out,
                               .shard_games = spec->shard_games,
                               .provenance = &spec->provenance};
    const GameSource source = {&run, worker_new, worker_free, play, accept, NULL};
    status = schedule_run(&schedule, &source, err);
    if (status == STATUS_OK && run.status != STATUS_OK) {
        status = run.status;
        if (err) *err = run.err;
    }
    played_game_clear(&run.first);
    result->interrupted = interrupt_requested();
    return status;
}

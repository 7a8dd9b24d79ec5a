// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef struct SelfplayRun {
    const SelfplaySpec *spec;
    Progress *progress;
    SelfplaySummary *summary;
} SelfplayRun;

typedef struct SelfplayWorker {
    const SelfplayRun *run;
    int64_t opening_ns;
    Search *openings;
    Player *player;
    OddsGame game;
} SelfplayWorker;

static void *worker_new(void *context) {
    const SelfplayRun *run = context;
    const SelfplaySpec *spec = run->spec;
    SelfplayWorker *worker = memory_alloc(1, sizeof *worker);
    worker->run = run;
    const EngineConfig *engine = &spec->searcher->engine;
    worker->openings = search_new(&engine->weights, engine->hash_mb, NULL);
    search_set_rules(worker->openings, &spec->play.rules);
    odds_game_init(&worker->game);
    return worker;
}

static void worker_free(void *memory) {
    SelfplayWorker *worker = memory;
    SelfplaySummary *summary = worker->run->summary;
#pragma omp atomic
    summary->opening_ns += worker->opening_ns;
    search_free(worker->openings);
    player_close(worker->player);
    odds_game_clear(&worker->game);
    free(worker);
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    SelfplayWorker *worker = memory;
    const int64_t begun_ns = clock_now_ns();
    Status status = opening_make(&spec->openings, spec->seed, index, &spec->play.rules,
                                 worker->openings, &worker->game, err);
    worker->opening_ns += clock_now_ns() - begun_ns;
    if (status == STATUS_OK) {
        status = searcher_ready(spec->searcher, &spec->play.rules, &worker->player, err);
    }
    if (status != STATUS_OK) {
        err_prefix(err, "game %llu", (unsigned long long)index);
        return status;
    }
    // A stream of its own, so that the opening's draws do not decide the game's.
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    Player *const players[SIDE_COUNT] = {worker->player, worker->player};
    play_game(&spec->play, players, &worker->game, &random, played);
    played->record.index = index;
    return STATUS_OK;
}

static void count_adjudication(SelfplaySummary *summary, const GameRecord *record) {
    if (!record->adjudicated_ply) return;
    summary->adjudicated++;
    if (record->reason == END_RESIGN_ADJUDICATION || record->reason == END_DRAW_ADJUDICATION)
        return;
    summary->played_on++;
    summary->wrong += record->result != record->adjudicated_result;
}

static bool accept(void *context, const PlayedGame *played) {
    const SelfplayRun *run = context;
    SelfplaySummary *summary = run->summary;
    summary->games++;
    summary->plies += played->record.ply_count;
    for (int side = RED; side <= BLACK; side++) {
        summary->nodes += played->tally[side].nodes;
        summary->search_ns += played->tally[side].time_ns;
    }
    count_adjudication(summary, &played->record);
    for (uint32_t i = 0; i < played->record.ply_count; i++) {
        summary->positions += played->plies[i].sampled;
    }
    schedule_show_rate(run->progress, summary->games, summary->positions, "positions");
    return true;
}

Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplaySummary *summary,
                    Err *err) {
    *summary = (SelfplaySummary){0};
    SelfplayRun run = {spec, progress, summary};
    Schedule schedule = spec->schedule;
    schedule.run.wanted = &spec->games;
    schedule.run.wanted_count = 1;
    const GameSource source = {.context = &run,
                               .worker_new = worker_new,
                               .worker_free = worker_free,
                               .play = play,
                               .accept = accept};
    Run opened;
    Status status = run_open(&schedule.run, &opened, err);
    summary->already = opened.present_games;
    progress->total = opened.missing_games;
    if (status == STATUS_OK) status = schedule_play(&schedule, &opened, &source, err);
    run_close(&opened);
    summary->interrupted = interrupt_requested();
    return status;
}

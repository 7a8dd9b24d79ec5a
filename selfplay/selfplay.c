// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/selfplay.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef struct SelfplayRun {
    const SelfplaySpec *spec;
    Progress *progress;
    SelfplayShardDone *done;
    void *done_context;
    SelfplaySummary *summary;
} SelfplayRun;

typedef struct SelfplayWorker {
    Search *search;
    Game game;
} SelfplayWorker;

static void *worker_new(void *context) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    SelfplayWorker *worker = memory_alloc(1, sizeof *worker);
    worker->search = search_new(&spec->weights, spec->hash_mb, NULL);
    search_set_params(worker->search, &spec->params);
    search_set_rules(worker->search, &spec->play.rules);
    Position start;
    position_init_start(&start);
    game_init(&worker->game, &start);
    return worker;
}

static void worker_free(void *memory) {
    SelfplayWorker *worker = memory;
    search_free(worker->search);
    game_clear(&worker->game);
    free(worker);
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    SelfplayWorker *worker = memory;
    Status status = opening_make(&spec->openings, spec->seed, index, &spec->play.rules,
                                 worker->search, &worker->game, err);
    if (status != STATUS_OK) {
        err_prefix(err, "game %llu", (unsigned long long)index);
        return status;
    }
    search_clear(worker->search);
    Search *const players[SIDE_COUNT] = {worker->search, worker->search};
    status = play_game(&spec->play, players, &worker->game, played, NULL, err);
    played->record.index = index;
    return status;
}

static bool accept(void *context, const PlayedGame *played) {
    const SelfplayRun *run = context;
    SelfplaySummary *summary = run->summary;
    summary->games++;
    summary->plies += played->record.ply_count;
    summary->nodes += played->nodes;
    for (uint32_t i = 0; i < played->record.ply_count; i++) {
        summary->positions += played->plies[i].sampled;
    }
    char detail[64];
    const double elapsed = progress_elapsed_s(run->progress);
    snprintf(detail, sizeof detail, "%.0f positions/s",
             (double)summary->positions / (elapsed > 1e-9 ? elapsed : 1e-9));
    progress_update(run->progress, summary->games, detail);
    return true;
}

static void shard_done(void *context, const char *name, OptionRange range) {
    const SelfplayRun *run = context;
    if (run->done) run->done(run->done_context, name, range);
}

Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplayShardDone *done,
                    void *context, SelfplaySummary *summary, Err *err) {
    *summary = (SelfplaySummary){0};
    OptionRange *missing = NULL;
    size_t count = 0;
    Status status = run_directory_prepare(spec->out, err);
    if (status == STATUS_OK)
        status = run_missing_ranges(spec->out, spec->games, &missing, &count, err);
    if (status != STATUS_OK) return status;
    uint64_t wanted = 0;
    for (size_t i = 0; i < count; i++) wanted += missing[i].end - missing[i].first;
    summary->already = spec->games.end - spec->games.first - wanted;
    progress->total = wanted;
    SelfplayRun run = {spec, progress, done, context, summary};
    const Schedule schedule = {.ranges = missing,
                               .range_count = count,
                               .threads = spec->threads,
                               .out = spec->out,
                               .shard_games = spec->shard_games,
                               .provenance = &spec->provenance};
    const GameSource source = {&run, worker_new, worker_free, play, accept, shard_done};
    status = schedule_run(&schedule, &source, err);
    summary->interrupted = interrupt_requested();
    free(missing);
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"

typedef struct SelfplayRun {
    const SelfplaySpec *spec;
    Progress *progress;
    SelfplaySummary *summary;
} SelfplayRun;

typedef struct SelfplayThread {
    const SelfplayRun *run;
    Player *player; // NULL until needed
    Search *openings;
    OddsGame game;
} SelfplayThread;

// The summary begins with the sums of PlayedGame.
enum { SUMS = offsetof(SelfplaySummary, already) / sizeof(uint64_t) };
_Static_assert((int)SUMS <= PLAYED_SUMS, "PLAYED_SUMS is too small");

static void *thread_new(void *context) {
    const SelfplayRun *run = context;
    const EngineConfig *engine = &run->spec->searcher->engine;
    SelfplayThread *thread = memory_alloc(1, sizeof *thread);
    thread->run = run;
    odds_game_init(&thread->game);
    thread->openings = search_new(&engine->weights, engine->hash_mb, NULL);
    search_set_rules(thread->openings, &run->spec->play.rules);
    return thread;
}

static void thread_free(void *memory) {
    SelfplayThread *thread = memory;
    search_free(thread->openings);
    player_close(thread->player);
    odds_game_clear(&thread->game);
    free(thread);
}

static void add_sums(const PlayedGame *played, SelfplaySummary *sums) {
    sums->games++;
    sums->plies += played->record.ply_count;
    for (int side = RED; side <= BLACK; side++) {
        sums->nodes += played->tally[side].nodes;
        sums->search_ns += (uint64_t)played->tally[side].time_ns;
    }
    sums->adjudicated += played->record.adjudicated_ply > 0;
    for (uint32_t i = 0; i < played->record.ply_count; i++) {
        sums->positions += played->plies[i].sampled;
    }
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    SelfplayThread *thread = memory;
    const int64_t begun_ns = clock_now_ns();
    Status status = opening_make(&spec->openings, spec->seed, index, &spec->play.rules,
                                 thread->openings, &thread->game, err);
    SelfplaySummary sums = {.opening_ns = (uint64_t)(clock_now_ns() - begun_ns)};
    if (status == STATUS_OK) {
        status = searcher_ready(spec->searcher, &spec->play.rules, &thread->player, err);
    }
    if (status != STATUS_OK) return err_prefix(err, "game %lu", index);
    // A stream of its own, so that the opening's draws do not decide the game's.
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    Player *const players[SIDE_COUNT] = {thread->player, thread->player};
    play_game(&spec->play, players, &thread->game, &random, played);
    played->record.index = index;
    add_sums(played, &sums);
    memcpy(played->sums, &sums, SUMS * sizeof *played->sums);
    return STATUS_OK;
}

static bool accept(void *context, const PlayedGame *played) {
    const SelfplayRun *run = context;
    uint64_t *to = (uint64_t *)run->summary;
    for (int i = 0; i < SUMS; i++) to[i] += played->sums[i];
    schedule_show_rate(run->progress, run->summary->games, run->summary->positions, "positions");
    return true;
}

Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplaySummary *summary,
                    Err *err) {
    *summary = (SelfplaySummary){0};
    SelfplayRun run = {spec, progress, summary};
    const GameSource source = {.context = &run,
                               .worker_new = thread_new,
                               .worker_free = thread_free,
                               .play = play,
                               .accept = accept,
                               .only_sums = true};
    Schedule schedule = spec->schedule;
    schedule.run.wanted = &spec->games;
    schedule.run.wanted_count = 1;
    const Status status = schedule_run(&schedule, &source, progress, &summary->already, err);
    summary->interrupted = interrupt_requested();
    return status;
}

void selfplay_record(Record *record, const SelfplaySpec *spec, const SelfplaySummary *summary,
                     double seconds) {
    const Adjudication *adjudication = &spec->play.adjudication;
    const double thread_s = seconds * spec->schedule.threads * rank_count() + 1e-9;
    // Openings are found by searching: both together are what a run is for.
    const double opening_s = (double)summary->opening_ns * 1e-9;
    const double search_s = (double)summary->search_ns * 1e-9;
    record_add(record, "games %lld plies %lld positions %lld nodes %lld already %lld",
               (long long)summary->games, (long long)summary->plies, (long long)summary->positions,
               (long long)summary->nodes, (long long)summary->already);
    if (adjudication->resign_score || adjudication->draw_score) {
        record_add(record, "adjudicated %lld", (long long)summary->adjudicated);
    }
    record_add(record, "seconds %.2f search_share %.4f opening_share %.4f plies_per_second %.1f",
               seconds, (search_s + opening_s) / thread_s, opening_s / thread_s,
               (double)summary->plies / (seconds > 1e-9 ? seconds : 1e-9));
}

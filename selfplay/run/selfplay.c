// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/ranks.h"

typedef struct SelfplaySummary {
    uint64_t games, plies, positions, nodes; // of this call
    uint64_t adjudicated;                    // games that adjudication ended
    uint64_t search_ns, opening_ns;          // in searches of moves and of openings, all threads
    uint64_t already;                        // games that were there before
} SelfplaySummary;

// The summary begins with the sums of PlayedGame.
enum {
    SUMS = offsetof(SelfplaySummary, already) / sizeof(uint64_t),
    POSITIONS = offsetof(SelfplaySummary, positions) / sizeof(uint64_t)
};
_Static_assert((int)SUMS <= PLAYED_SUMS, "PLAYED_SUMS is too small");

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

static Status play(void *context, GameWorker *worker, uint64_t index, PlayedGame *played,
                   Err *err) {
    const SelfplaySpec *spec = context;
    const Rules *rules = &spec->play.rules;
    const int64_t begun_ns = clock_now_ns();
    Status status = opening_make(spec->openings, spec->seed, index, rules, worker->openings,
                                 &worker->game, err);
    SelfplaySummary sums = {.opening_ns = (uint64_t)(clock_now_ns() - begun_ns)};
    if (status == STATUS_OK) status = searcher_ready(spec->searcher, rules, worker->players, err);
    if (status != STATUS_OK) return err_prefix(err, "game %lu", index);
    // A stream of its own, so that the opening's draws do not decide the game's.
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    Player *const players[SIDE_COUNT] = {worker->players[0], worker->players[0]};
    TRY(play_game(&spec->play, players, &worker->game, &random, played));
    played->record.index = index;
    add_sums(played, &sums);
    memcpy(played->sums, &sums, SUMS * sizeof *played->sums);
    return STATUS_OK;
}

static void print_summary(const SelfplaySpec *spec, const SelfplaySummary *summary,
                          double seconds) {
    const Adjudication *adjudication = &spec->play.adjudication;
    const double thread_s = seconds * spec->schedule.threads * mpi_size() + 1e-9;
    // Openings are found by searching: both together are what a run is for.
    const double opening_s = (double)summary->opening_ns * 1e-9;
    const double search_s = (double)summary->search_ns * 1e-9;
    Record record;
    record_begin(&record, spec->schedule.lines->out, spec->schedule.lines->json);
    record_add(&record, "games %lu plies %lu positions %lu nodes %lu already %lu", summary->games,
               summary->plies, summary->positions, summary->nodes, summary->already);
    if (adjudication->resign_score || adjudication->draw_score) {
        record_add(&record, "adjudicated %lu", summary->adjudicated);
    }
    record_add(&record, "seconds %.2f search_share %.4f opening_share %.4f plies_per_second %.1f",
               seconds, (search_s + opening_s) / thread_s, opening_s / thread_s,
               (double)summary->plies / (seconds > 1e-9 ? seconds : 1e-9));
    record_end(&record);
}

Status selfplay_run(SelfplaySpec *spec, Progress *progress, Err *err) {
    const EngineConfig *engine = &spec->searcher->engine;
    SelfplaySummary summary = {0};
    double seconds = 0;
    const GameSource source = {.context = spec,
                               .player_count = 1,
                               .opening_weights = engine->weights,
                               .opening_hash_mb = engine->hash_mb,
                               .rules = &spec->play.rules,
                               .play = play,
                               .sums = &summary.games,
                               .sum_count = SUMS,
                               .progress = progress,
                               .rate = POSITIONS,
                               .rate_name = "positions"};
    TRY(schedule_run(&spec->schedule, &source, &summary.already, &seconds, err));
    print_summary(spec, &summary, seconds);
    return STATUS_OK;
}

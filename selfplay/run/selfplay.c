// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include "core/base/json.h"
#include "core/base/ranks.h"

static void add_sums(const PlayedGame *played, PlayedSums *sums) {
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
    played->sums = (PlayedSums){.opening_ns = (uint64_t)(clock_now_ns() - begun_ns)};
    if (status == STATUS_OK) status = searcher_ready(spec->searcher, rules, worker->players, err);
    if (status != STATUS_OK) return err_prefix(err, "game %lu", index);
    // A stream of its own, so that the opening's draws do not decide the game's.
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    Player *const players[SIDE_COUNT] = {worker->players[0], worker->players[0]};
    TRY(play_game(&spec->play, players, &worker->game, &random, played));
    played->record.index = index;
    add_sums(played, &played->sums);
    return STATUS_OK;
}

static void print_summary(const SelfplaySpec *spec, const PlayedSums *sums, uint64_t already,
                          double seconds) {
    const Adjudication *adjudication = &spec->play.adjudication;
    const double thread_s = seconds * spec->schedule.threads * mpi_size() + 1e-9;
    // Openings are found by searching: both together are what a run is for.
    const double opening_s = (double)sums->opening_ns * 1e-9;
    const double search_s = (double)sums->search_ns * 1e-9;
    Record record;
    record_begin(&record, spec->schedule.lines->out, spec->schedule.lines->json);
    record_add(&record, "games %lu plies %lu positions %lu nodes %lu already %lu", sums->games,
               sums->plies, sums->positions, sums->nodes, already);
    if (adjudication->resign_score || adjudication->draw_score) {
        record_add(&record, "adjudicated %lu", sums->adjudicated);
    }
    record_add(&record, "seconds %.2f search_share %.4f opening_share %.4f plies_per_second %.1f",
               seconds, (search_s + opening_s) / thread_s, opening_s / thread_s,
               (double)sums->plies / (seconds > 1e-9 ? seconds : 1e-9));
    record_end(&record);
}

Status selfplay_run(SelfplaySpec *spec, Progress *progress, Err *err) {
    const EngineConfig *engine = &spec->searcher->engine;
    PlayedSums sums = {0};
    uint64_t already = 0; // games that the run had before
    double seconds = 0;
    const GameSource source = {.context = spec,
                               .player_count = 1,
                               .opening_weights = engine->weights,
                               .opening_hash_mb = engine->hash_mb,
                               .rules = &spec->play.rules,
                               .play = play,
                               .sums = &sums,
                               .progress = progress,
                               .rate = &sums.positions,
                               .rate_name = "positions"};
    TRY(schedule_run(&spec->schedule, &source, &already, &seconds, err));
    print_summary(spec, &sums, already, seconds);
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"

typedef struct SelfplayRun {
    const SelfplaySpec *spec;
    GameStream *stream; // of the source
    Progress *progress;
    SelfplaySummary *summary;
} SelfplayRun;

typedef struct Worker {
    const SelfplayRun *run;
    Player *player;   // NULL until needed
    Search *openings; // self-play
    OddsGame game;
    SelfplaySummary sums; // not yet added to the run's
} Worker;

enum { COUNTERS = offsetof(SelfplaySummary, interrupted) / sizeof(uint64_t) };

// Leaves alone what accept() counts, under a lock of its own: that is 0 here.
static void add_sums(Worker *worker) {
    uint64_t *from = (uint64_t *)&worker->sums, *to = (uint64_t *)worker->run->summary;
    for (int i = 0; i < COUNTERS; i++) {
        if (from[i] == 0) continue;
#pragma omp atomic
        to[i] += from[i];
    }
    worker->sums = (SelfplaySummary){0};
}

static void *worker_new(void *context) {
    const SelfplayRun *run = context;
    const EngineConfig *engine = &run->spec->searcher->engine;
    Worker *worker = memory_alloc(1, sizeof *worker);
    worker->run = run;
    odds_game_init(&worker->game);
    if (run->spec->source) return worker;
    worker->openings = search_new(&engine->weights, engine->hash_mb, NULL);
    search_set_rules(worker->openings, &run->spec->play.rules);
    return worker;
}

static void worker_free(void *memory) {
    Worker *worker = memory;
    add_sums(worker);
    search_free(worker->openings);
    player_close(worker->player);
    odds_game_clear(&worker->game);
    free(worker);
}

static Status ready_player(Worker *worker, Err *err) {
    const SelfplaySpec *spec = worker->run->spec;
    return searcher_ready(spec->searcher, &spec->play.rules, &worker->player, err);
}

// ---- self-play ----------------------------------------------------------------------------------

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    Worker *worker = memory;
    const int64_t begun_ns = clock_now_ns();
    Status status = opening_make(&spec->openings, spec->seed, index, &spec->play.rules,
                                 worker->openings, &worker->game, err);
    worker->sums.opening_ns += clock_now_ns() - begun_ns;
    if (status == STATUS_OK) status = ready_player(worker, err);
    if (status != STATUS_OK) return err_prefix(err, "game %lu", index);
    // A stream of its own, so that the opening's draws do not decide the game's.
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    Player *const players[SIDE_COUNT] = {worker->player, worker->player};
    play_game(&spec->play, players, &worker->game, &random, played);
    played->record.index = index;
    return STATUS_OK;
}

// ---- rescoring ----------------------------------------------------------------------------------

static bool is_wanted(RescorePlies plies, const GameRecord *game, uint32_t ply, bool sampled) {
    if (ply < game->extra_plies || ply >= game->end_ply) return false;
    return plies == RESCORE_ALL || (plies == RESCORE_PLAYED && ply >= game->opening_plies) ||
           (plies == RESCORE_SAMPLED && sampled);
}

static void count_answer(SelfplaySummary *sums, const PlyRecord *before, const PlyRecord *after,
                         const PlayerReply *reply) {
    sums->searched++;
    sums->nodes += reply->info.nodes;
    sums->search_ns += reply->time_ns;
    sums->agreed += reply->move == after->move;
    if (before->score_red == SCORE_UNKNOWN || before->mate_red) return;
    if (after->score_red == SCORE_UNKNOWN || after->mate_red) return;
    sums->compared++;
    sums->changed += (uint64_t)abs(after->score_red - before->score_red);
}

// Fills *ply, which has its move, but no score yet.
static Status rescore_ply(Worker *worker, const PlyRecord *before, PlyRecord *ply, Err *err) {
    PlayerReply reply;
    const SelfplaySpec *spec = worker->run->spec;
    const Status status = searcher_ask(spec->searcher, &spec->play.rules, &worker->game,
                                       &worker->player, &reply, err);
    if (status != STATUS_OK) return status;
    if (reply.fault != PLAYER_NONE) {
        worker->sums.unanswered++;
        err_set(err, STATUS_ENGINE, "%s (%s)", player_fault_name(reply.fault), reply.note);
        return ready_player(worker, err);
    }
    ply_take_reply(ply, &reply, (Side)worker->game.game.now.stm);
    count_answer(&worker->sums, before, ply, &reply);
    return STATUS_OK;
}

static Status begin_game(Worker *worker, const GameRecord *game, Odds *odds, Err *err) {
    odds_game_reset(&worker->game, &game->start, NULL);
    if (!game->odds[0]) return STATUS_OK;
    const Status status = odds_by_name(game->odds, odds, err);
    if (status == STATUS_OK) odds_game_reset(&worker->game, NULL, odds);
    return status;
}

static Status search_again(void *context, void *memory, uint64_t index, PlayedGame *played,
                           Err *err) {
    const SelfplaySpec *spec = ((const SelfplayRun *)context)->spec;
    Worker *worker = memory;
    const GameRecord *game = &played->record;
    Odds odds;
    Status status = begin_game(worker, game, &odds, err);
    if (status == STATUS_OK) status = ready_player(worker, err);
    for (uint32_t i = 0; i < game->ply_count && status == STATUS_OK; i++) {
        PlyRecord *ply = &played->plies[i];
        if (!odds_game_allows(&worker->game, ply->move)) {
            status = err_set(err, STATUS_CORRUPT,
                             "ply %u cannot be played: 'paotai data verify' tells more", i + 1);
            break;
        }
        const PlyRecord before = *ply;
        *ply =
            (PlyRecord){.move = before.move, .score_red = SCORE_UNKNOWN, .sampled = before.sampled};
        if (is_wanted(spec->plies, game, i, before.sampled)) {
            status = rescore_ply(worker, &before, ply, err);
        }
        odds_game_push(&worker->game, ply->move);
    }
    if (status == STATUS_OK && worker->sums.unanswered > 0 && worker->sums.searched == 0) {
        status = STATUS_ENGINE; // err tells of the last failure
        err_prefix(err, "%s answers nowhere in it", spec->searcher->player.name);
    }
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)index);
    add_sums(worker);
    return status;
}

// Gives the game of the source to search_again().
static Status fetch(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err) {
    const SelfplayRun *run = context;
    const GameRecord *game = NULL;
    const PlyRecord *plies = NULL;
    const Status status = game_stream_find(run->stream, index, &game, &plies, err);
    *present = status == STATUS_OK && game;
    if (!*present) return status;
    played->record = *game;
    played->capacity = game->ply_count;
    played->plies = memory_alloc(game->ply_count, sizeof *plies);
    memcpy(played->plies, plies, game->ply_count * sizeof *plies);
    played->tags = memory_alloc(game->tag_count, sizeof *played->tags);
    if (game->tag_count) {
        memcpy(played->tags, game_stream_tags(run->stream), game->tag_count * sizeof *played->tags);
    }
    return STATUS_OK;
}

// The ranges that the source answers for, cut to those asked for; [shards of the source].
static size_t find_ranges(const SelfplaySpec *spec, OptionRange *ranges) {
    size_t count = 0;
    for (size_t i = 0; i < store_shard_count(spec->source); i++) {
        OptionRange range = store_shard_range(spec->source, i);
        if (range.first < spec->games.first) range.first = spec->games.first;
        if (range.end > spec->games.end) range.end = spec->games.end;
        if (range.first >= range.end) continue;
        if (count && ranges[count - 1].end == range.first) {
            ranges[count - 1].end = range.end;
        } else {
            ranges[count++] = range;
        }
    }
    return count;
}

// ---- what it did --------------------------------------------------------------------------------

static void add_searches(Record *record, const SelfplaySummary *summary) {
    const double searched = summary->searched ? (double)summary->searched : 1;
    record_add(record, "searched %lld unanswered %lld nodes %lld already %lld move_agreement %.4f",
               (long long)summary->searched, (long long)summary->unanswered,
               (long long)summary->nodes, (long long)summary->already,
               (double)summary->agreed / searched);
    if (!summary->compared) return;
    record_add(record, "mean_change %.2f", (double)summary->changed / (double)summary->compared);
}

void selfplay_record(Record *record, const SelfplaySpec *spec, const SelfplaySummary *summary,
                     double seconds) {
    const Adjudication *adjudication = &spec->play.adjudication;
    const double worker_s = seconds * spec->schedule.threads * rank_count() + 1e-9;
    // Openings are found by searching: both together are what a run is for.
    const double opening_s = (double)summary->opening_ns * 1e-9;
    const double share = ((double)summary->search_ns * 1e-9 + opening_s) / worker_s;
    const double wall_s = seconds > 1e-9 ? seconds : 1e-9;
    record_add(record, "games %lld plies %lld", (long long)summary->games,
               (long long)summary->plies);
    if (spec->source) {
        add_searches(record, summary);
        record_add(record, "seconds %.2f search_share %.4f searches_per_second %.1f", seconds,
                   share, (double)summary->searched / wall_s);
        return;
    }
    record_add(record, "positions %lld nodes %lld already %lld", (long long)summary->positions,
               (long long)summary->nodes, (long long)summary->already);
    if (adjudication->resign_score || adjudication->draw_score) {
        record_add(record, "adjudicated %lld", (long long)summary->adjudicated);
    }
    record_add(record, "seconds %.2f search_share %.4f opening_share %.4f plies_per_second %.1f",
               seconds, share, opening_s / worker_s, (double)summary->plies / wall_s);
}

// ---- the run ------------------------------------------------------------------------------------

static void show(void *context) {
    const SelfplayRun *run = context;
    const SelfplaySummary *summary = run->summary;
    const bool again = run->spec->source != NULL;
    schedule_show_rate(run->progress, summary->games, again ? summary->plies : summary->positions,
                       again ? "plies" : "positions");
}

static bool accept(void *context, const PlayedGame *played) {
    const SelfplayRun *run = context;
    SelfplaySummary *summary = run->summary;
    summary->games++;
    summary->plies += played->record.ply_count;
    if (!run->spec->source) {
        for (int side = RED; side <= BLACK; side++) {
            summary->nodes += played->tally[side].nodes;
            summary->search_ns += played->tally[side].time_ns;
        }
        summary->adjudicated += played->record.adjudicated_ply > 0;
        for (uint32_t i = 0; i < played->record.ply_count; i++) {
            summary->positions += played->plies[i].sampled;
        }
    }
    show(context);
    return true;
}

Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplaySummary *summary,
                    Err *err) {
    *summary = (SelfplaySummary){0};
    SelfplayRun run = {spec, NULL, progress, summary};
    const size_t most = spec->source ? store_shard_count(spec->source) : 1;
    OptionRange *ranges = memory_alloc(most, sizeof *ranges);
    Schedule schedule = spec->schedule;
    schedule.run.wanted = ranges;
    schedule.run.wanted_count = 1;
    GameSource source = {.context = &run,
                         .worker_new = worker_new,
                         .worker_free = worker_free,
                         .play = play,
                         .accept = accept,
                         .counters = (uint64_t *)summary,
                         .counter_count = COUNTERS,
                         .show = show};
    if (spec->source) {
        run.stream = game_stream_open(spec->source);
        schedule.run.wanted_count = find_ranges(spec, ranges);
        source.play = search_again;
        source.fetch = fetch;
    } else {
        ranges[0] = spec->games;
    }
    Run opened;
    Status status = run_open(&schedule.run, &opened, err);
    summary->already = opened.present_games;
    progress->total = opened.missing_games;
    if (status == STATUS_OK) status = schedule_play(&schedule, &opened, &source, err);
    run_close(&opened);
    summary->interrupted = interrupt_requested();
    game_stream_close(run.stream);
    free(ranges);
    return status;
}

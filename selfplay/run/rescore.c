// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/rescore.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef struct RescoreRun {
    const RescoreSpec *spec;
    GameStream *stream;
    Progress *progress;
    RescoreShardDone *done;
    void *done_context;
    RescoreSummary *summary;
} RescoreRun;

typedef struct RescoreWorker {
    RescoreRun *run;
    Player *player; // NULL until needed
    OddsGame game;
    RescoreSummary sums; // of this worker's searches
} RescoreWorker;

static void *worker_new(void *context) {
    RescoreWorker *worker = memory_alloc(1, sizeof *worker);
    worker->run = context;
    odds_game_init(&worker->game);
    return worker;
}

static void worker_free(void *memory) {
    RescoreWorker *worker = memory;
    const RescoreSummary *sums = &worker->sums;
    RescoreSummary *all = worker->run->summary;
#pragma omp critical(rescore_sums)
    {
        all->searched += sums->searched;
        all->nodes += sums->nodes;
        all->unanswered += sums->unanswered;
        all->compared += sums->compared;
        all->changed += sums->changed;
        all->agreed += sums->agreed;
        all->search_ns += sums->search_ns;
    }
    player_close(worker->player);
    odds_game_clear(&worker->game);
    free(worker);
}

// ---- one game
// ------------------------------------------------------------------------------------

static bool is_wanted(RescorePlies plies, const GameRecord *game, uint32_t ply, bool sampled) {
    if (ply < game->extra_plies || ply >= game->end_ply) return false;
    return plies == RESCORE_ALL || (plies == RESCORE_PLAYED && ply >= game->opening_plies) ||
           (plies == RESCORE_SAMPLED && sampled);
}

// Makes the player ready for a game, also again after it failed.
static Status ready_player(RescoreWorker *worker, Err *err) {
    const RescoreSpec *spec = worker->run->spec;
    Status status = STATUS_OK;
    if (!worker->player) {
        status = searcher_open(spec->searcher, &spec->rules, &worker->player, err);
    }
    if (status == STATUS_OK) {
        status = player_new_game(worker->player, &spec->searcher->control, err);
    }
    return status;
}

// Searches the position the worker's game has reached: twice when the first answer is none.
static Status search(RescoreWorker *worker, PlayerReply *reply, Err *err) {
    const RescoreSpec *spec = worker->run->spec;
    const OddsGame *og = &worker->game;
    PlayerTurn turn = {.game = &og->game, .odds = odds_game_state(og)};
    Clock *clock = &turn.clocks[og->game.now.stm];
    clock_start(clock, &spec->searcher->control);
    turn.patience_ns =
        clock_is_used(clock) ? clock->left_ns + spec->patience_ns : spec->patience_ns;
    player_go(worker->player, &turn, reply);
    if (reply->fault == PLAYER_NONE) return STATUS_OK;
    const Status status = ready_player(worker, err);
    if (status == STATUS_OK) player_go(worker->player, &turn, reply);
    return status;
}

static void count_answer(RescoreSummary *sums, const PlyRecord *before, const PlyRecord *after,
                         const PlayerReply *reply) {
    sums->searched++;
    sums->nodes += reply->nodes;
    sums->search_ns += reply->time_ns;
    sums->agreed += reply->move == after->move;
    if (before->score_red == SCORE_UNKNOWN || before->mate_red) return;
    if (after->score_red == SCORE_UNKNOWN || after->mate_red) return;
    sums->compared++;
    sums->changed += (uint64_t)abs(after->score_red - before->score_red);
}

// Fills *ply, which has its move, but no score yet.
static Status rescore_ply(RescoreWorker *worker, const PlyRecord *before, PlyRecord *ply,
                          Err *err) {
    PlayerReply reply;
    const Status status = search(worker, &reply, err);
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

static Status begin_game(RescoreWorker *worker, const GameRecord *game, Odds *odds, Err *err) {
    odds_game_reset(&worker->game, &game->start, NULL);
    if (!game->odds[0]) return STATUS_OK;
    const Status status = odds_by_name(game->odds, odds, err);
    if (status == STATUS_OK) odds_game_reset(&worker->game, NULL, odds);
    return status;
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const RescoreSpec *spec = ((const RescoreRun *)context)->spec;
    RescoreWorker *worker = memory;
    const GameRecord *game = &played->record;
    const uint64_t searched = worker->sums.searched, unanswered = worker->sums.unanswered;
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
    if (status == STATUS_OK && worker->sums.unanswered > unanswered &&
        worker->sums.searched == searched) {
        status = STATUS_ENGINE; // err tells of the last failure
        err_prefix(err, "%s answers nowhere in it", spec->searcher->player.name);
    }
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)index);
    return status;
}

// ---- the run
// -------------------------------------------------------------------------------------

static Status fetch(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err) {
    const RescoreRun *run = context;
    const GameRecord *game = NULL;
    const PlyRecord *plies = NULL;
    const Status status = game_stream_find(run->stream, index, &game, &plies, err);
    *present = status == STATUS_OK && game;
    if (!*present) return status;
    played->record = *game;
    played->capacity = game->ply_count;
    played->plies = memory_alloc(game->ply_count, sizeof *plies);
    memcpy(played->plies, plies, game->ply_count * sizeof *plies);
    return STATUS_OK;
}

static bool accept(void *context, const PlayedGame *played) {
    const RescoreRun *run = context;
    RescoreSummary *summary = run->summary;
    summary->games++;
    summary->plies += played->record.ply_count;
    char detail[64];
    const double elapsed = progress_elapsed_s(run->progress);
    snprintf(detail, sizeof detail, "%.0f plies/s",
             (double)summary->plies / (elapsed > 1e-9 ? elapsed : 1e-9));
    progress_update(run->progress, summary->games, detail);
    return true;
}

static void shard_done(void *context, const char *name, OptionRange range) {
    const RescoreRun *run = context;
    if (run->done) run->done(run->done_context, name, range);
}

typedef struct Ranges {
    OptionRange *list;
    size_t count;
    uint64_t wanted, missing; // games' numbers
} Ranges;

static Status add_missing(const RescoreSpec *spec, OptionRange wanted, Ranges *ranges, Err *err) {
    OptionRange *missing = NULL;
    size_t count = 0;
    if (wanted.first < spec->games.first) wanted.first = spec->games.first;
    if (wanted.end > spec->games.end) wanted.end = spec->games.end;
    if (wanted.first >= wanted.end) return STATUS_OK;
    const Status status = run_missing_ranges(spec->out, wanted, &missing, &count, err);
    if (status != STATUS_OK) return status;
    ranges->list = memory_resize(ranges->list, ranges->count + count, sizeof *ranges->list);
    ranges->wanted += wanted.end - wanted.first;
    for (size_t i = 0; i < count; i++) {
        ranges->list[ranges->count++] = missing[i];
        ranges->missing += missing[i].end - missing[i].first;
    }
    free(missing);
    return STATUS_OK;
}

// What the source answers for and the run directory does not.
static Status find_ranges(const RescoreSpec *spec, Ranges *ranges, Err *err) {
    const size_t shards = store_shard_count(spec->source);
    Status status = STATUS_OK;
    for (size_t i = 0; i < shards && status == STATUS_OK;) {
        OptionRange range = store_shard_range(spec->source, i);
        for (i++; i < shards && store_shard_range(spec->source, i).first == range.end; i++) {
            range.end = store_shard_range(spec->source, i).end;
        }
        status = add_missing(spec, range, ranges, err);
    }
    return status;
}

Status rescore_run(const RescoreSpec *spec, Progress *progress, RescoreShardDone *done,
                   void *context, RescoreSummary *summary, Err *err) {
    *summary = (RescoreSummary){0};
    Ranges ranges = {0};
    Status status = run_directory_prepare(spec->out, err);
    if (status == STATUS_OK) status = find_ranges(spec, &ranges, err);
    if (status == STATUS_OK) {
        RescoreRun run = {spec, game_stream_open(spec->source), progress, done, context, summary};
        summary->already = ranges.wanted - ranges.missing;
        progress->total = ranges.missing;
        const Schedule schedule = {.ranges = ranges.list,
                                   .range_count = ranges.count,
                                   .threads = spec->threads,
                                   .out = spec->out,
                                   .shard_games = spec->shard_games,
                                   .shard_seconds = SHARD_SECONDS,
                                   .provenance = &spec->provenance};
        const GameSource source = {.context = &run,
                                   .worker_new = worker_new,
                                   .worker_free = worker_free,
                                   .play = play,
                                   .accept = accept,
                                   .shard_done = shard_done,
                                   .fetch = fetch};
        status = schedule_run(&schedule, &source, err);
        summary->interrupted = interrupt_requested();
        game_stream_close(run.stream);
    }
    free(ranges.list);
    return status;
}

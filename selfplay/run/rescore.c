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
    RescoreSummary *summary;
} RescoreRun;

typedef struct RescoreWorker {
    RescoreRun *run;
    Player *player; // NULL until needed
    OddsGame game;
    uint64_t answered, unanswered; // searches in the running game
} RescoreWorker;

static void *worker_new(void *context) {
    RescoreWorker *worker = memory_alloc(1, sizeof *worker);
    worker->run = context;
    odds_game_init(&worker->game);
    return worker;
}

static void worker_free(void *memory) {
    RescoreWorker *worker = memory;
    player_close(worker->player);
    odds_game_clear(&worker->game);
    free(worker);
}

// ---- one game -----------------------------------------------------------------------------------

static bool is_wanted(RescorePlies plies, const GameRecord *game, uint32_t ply, bool sampled) {
    if (ply < game->extra_plies || ply >= game->end_ply) return false;
    return plies == RESCORE_ALL || (plies == RESCORE_PLAYED && ply >= game->opening_plies) ||
           (plies == RESCORE_SAMPLED && sampled);
}

static Status ready_player(RescoreWorker *worker, Err *err) {
    const RescoreSpec *spec = worker->run->spec;
    return searcher_ready(spec->searcher, &spec->rules, &worker->player, err);
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
    sums->nodes += reply->info.nodes;
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
        worker->unanswered++;
#pragma omp atomic
        worker->run->summary->unanswered++;
        err_set(err, STATUS_ENGINE, "%s (%s)", player_fault_name(reply.fault), reply.note);
        return ready_player(worker, err);
    }
    ply_take_reply(ply, &reply, (Side)worker->game.game.now.stm);
    worker->answered++;
#pragma omp critical(rescore_sums)
    count_answer(worker->run->summary, before, ply, &reply);
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
    Odds odds;
    worker->answered = worker->unanswered = 0;
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
    if (status == STATUS_OK && worker->unanswered > 0 && worker->answered == 0) {
        status = STATUS_ENGINE; // err tells of the last failure
        err_prefix(err, "%s answers nowhere in it", spec->searcher->player.name);
    }
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)index);
    return status;
}

// ---- the run ------------------------------------------------------------------------------------

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
    schedule_show_rate(run->progress, summary->games, summary->plies, "plies");
    return true;
}

// The ranges that the source answers for, cut to those asked for; [shards of the source].
static size_t find_ranges(const RescoreSpec *spec, OptionRange *ranges) {
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

Status rescore_run(const RescoreSpec *spec, Progress *progress, RescoreSummary *summary, Err *err) {
    *summary = (RescoreSummary){0};
    RescoreRun run = {spec, game_stream_open(spec->source), progress, summary};
    OptionRange *ranges = memory_alloc(store_shard_count(spec->source), sizeof *ranges);
    Schedule schedule = spec->schedule;
    schedule.run.wanted = ranges;
    schedule.run.wanted_count = find_ranges(spec, ranges);
    const GameSource source = {.context = &run,
                               .worker_new = worker_new,
                               .worker_free = worker_free,
                               .play = play,
                               .accept = accept,
                               .fetch = fetch};
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/rescore.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/ranks.h"

typedef struct RescoreContext {
    const RescoreSpec *spec;
    GameStream *stream; // reads the games of the source run
    RunTotals totals;
} RescoreContext;

static bool is_wanted(RescorePlies plies, const GameRecord *game, uint32_t ply, bool sampled) {
    if (ply < game->extra_plies || ply >= game->end_ply) return false;
    return plies == RESCORE_ALL || (plies == RESCORE_PLAYED && ply >= game->opening_plies) ||
           (plies == RESCORE_SAMPLED && sampled);
}

static void count_answer(PlayedSums *sums, const PlyRecord *before, const PlyRecord *after,
                         const PlayerReply *reply) {
    sums->searched++;
    sums->nodes += reply->info.nodes;
    sums->search_ns += (uint64_t)reply->time_ns;
    sums->agreed += reply->move == after->move;
    sums->bounds += !reply->info.has_score && reply->info.ends_with_bound;
    sums->unread_scores += reply->info.unread_score;
    if (before->score_red == SCORE_UNKNOWN || before->mate_red) return;
    if (after->score_red == SCORE_UNKNOWN || after->mate_red) return;
    sums->compared++;
    sums->changed += (uint64_t)abs(after->score_red - before->score_red);
}

// Searches the current position of worker->game and stores the answer in *ply. ply->move is already
// set to the move that was played. `before` is the old record of the ply. A search that fails twice
// is counted and leaves *ply without a score.
static Status rescore_ply(const RescoreSpec *spec, GameWorker *worker, const PlyRecord *before,
                          PlyRecord *ply, PlayedSums *sums, Err *err) {
    PlayerReply reply;
    TRY(player_search(spec->player, &spec->rules, &worker->game, worker->players, &reply, err));
    if (reply.fault != PLAYER_NONE) {
        sums->unanswered++;
        err_set(err, STATUS_ENGINE, "%s (%s)", player_fault_name(reply.fault), reply.note);
        return player_ready(spec->player, &spec->rules, worker->players, err);
    }
    ply_take_reply(ply, &reply, (Side)worker->game.game.now.stm);
    count_answer(sums, before, ply, &reply);
    return STATUS_OK;
}

static Status rescore_game(const RescoreSpec *spec, GameWorker *worker, const GameRecord *game,
                           PlyRecord *plies, PlayedSums *sums, Err *err) {
    OddsGame *og = &worker->game;
    Odds odds;
    if (game->odds[0]) TRY(odds_by_name(game->odds, &odds, err));
    odds_game_reset(og, &game->start, game->odds[0] ? &odds : NULL);
    TRY(player_ready(spec->player, &spec->rules, worker->players, err));
    for (uint32_t i = 0; i < game->ply_count; i++) {
        PlyRecord *ply = &plies[i];
        if (!odds_game_allows(og, ply->move)) {
            return err_set(err, STATUS_CORRUPT,
                           "ply %u is an illegal move; 'paotai data verify' reports the details",
                           i + 1);
        }
        const PlyRecord before = *ply;
        *ply =
            (PlyRecord){.move = before.move, .score_red = SCORE_UNKNOWN, .sampled = before.sampled};
        if (is_wanted(spec->plies, game, i, before.sampled)) {
            TRY(rescore_ply(spec, worker, &before, ply, sums, err));
        }
        odds_game_push(og, ply->move);
    }
    if (sums->unanswered == 0 || sums->searched > 0) return STATUS_OK;
    return err_prefix(err, "%s failed in every search of this game", spec->player->spec.name);
}

static Status rescore_stored_game(void *context, GameWorker *worker, uint64_t index,
                                  PlayedGame *played, Err *err) {
    const RescoreSpec *spec = ((const RescoreContext *)context)->spec;
    played->sums = (PlayedSums){.games = 1, .plies = played->record.ply_count};
    const Status status =
        rescore_game(spec, worker, &played->record, played->plies, &played->sums, err);
    if (status == STATUS_OK && spec->player->spec.program) {
        score_signs_count(&played->sums.signs, &played->record, played->plies,
                          (const bool[SIDE_COUNT]){true, true}, spec->player->weights);
    }
    return status == STATUS_OK ? status : err_prefix(err, "game %llu", (unsigned long long)index);
}

// Copies game `index` of the source run to *played, in which rescore_stored_game() replaces the
// scores.
static Status fetch(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err) {
    const RescoreContext *rescore = context;
    const GameRecord *game = NULL;
    const PlyRecord *plies = NULL;
    const Status status = game_stream_find(rescore->stream, index, &game, &plies, err);
    *present = status == STATUS_OK && game;
    if (!*present) return status;
    played->record = *game;
    played->capacity = game->ply_count;
    played->plies = memory_alloc(game->ply_count, sizeof *plies);
    memcpy(played->plies, plies, game->ply_count * sizeof *plies);
    played->tags = memory_alloc(game->tag_count, sizeof *played->tags);
    if (game->tag_count) {
        memcpy(played->tags, game_stream_tags(rescore->stream),
               game->tag_count * sizeof *played->tags);
    }
    return STATUS_OK;
}

// Finds which of the requested game numbers the shards of the source run cover. Writes their ranges
// to `ranges`, which has an element per shard of the source, and returns the number of ranges.
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

static bool count_rescored_game(void *context, const PlayedGame *played) {
    run_totals_add(&((RescoreContext *)context)->totals, played);
    return true;
}

static void print_summary(const Schedule *schedule, const RunTotals *totals) {
    const PlayedSums *sums = &totals->sums;
    const double seconds = totals->seconds;
    const double thread_s = seconds * schedule->threads * mpi_size() + 1e-9;
    const double searched = sums->searched ? (double)sums->searched : 1;
    Record record;
    record_begin(&record, schedule->out, schedule->json);
    record_add(&record,
               "games %lu plies %lu searched %lu unanswered %lu nodes %lu already %lu "
               "move_agreement %.4f",
               sums->games, sums->plies, sums->searched, sums->unanswered, sums->nodes,
               totals->present, (double)sums->agreed / searched);
    if (sums->compared) {
        record_add(&record, "mean_change %.2f", (double)sums->changed / (double)sums->compared);
    }
    played_sums_record(&record, totals->player, sums);
    record_add(&record, "seconds %.2f search_share %.4f searches_per_second %.1f", seconds,
               (double)sums->search_ns * 1e-9 / thread_s,
               (double)sums->searched / (seconds > 1e-9 ? seconds : 1e-9));
    record_end(&record);
}

Status rescore_run(const RescoreSpec *spec, const Schedule *schedule, Progress *progress,
                   Err *err) {
    TRY(player_setup_check_memory(spec->player, 1, 0, schedule->threads, err));
    AUTO_POINTER(GameStream) stream = game_stream_open(spec->source);
    RescoreContext context = {.spec = spec, .stream = stream};
    context.totals = (RunTotals){.player = &spec->player->spec,
                                 .progress = progress,
                                 .total = &context.totals.sums.plies,
                                 .total_name = "plies"};
    const GameSource source = {.context = &context,
                               .player_count = 1,
                               .fetch = fetch,
                               .play = rescore_stored_game,
                               .accept = count_rescored_game,
                               .only_sums = true,
                               .progress = progress};
    AUTO_FREE OptionRange *ranges = memory_alloc(store_shard_count(spec->source), sizeof *ranges);
    Schedule wanted = *schedule;
    wanted.run.wanted = ranges;
    wanted.run.wanted_count = find_ranges(spec, ranges);
    TRY(schedule_run(&wanted, &source, NULL, &context.totals, err));
    print_summary(schedule, &context.totals);
    return context.totals.sums.unanswered ? STATUS_REPORTED : STATUS_OK;
}

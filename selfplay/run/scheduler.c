// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/scheduler.h"

#include <omp.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "selfplay/run/playing.h"

Block *playing_add_block(Playing *playing, OptionRange range) {
    playing->blocks = memory_room(playing->blocks, &playing->block_capacity,
                                  playing->block_count + 1, sizeof *playing->blocks);
    Block *block = memory_alloc(1, sizeof *block);
    block->range = range;
    return playing->blocks[playing->block_count++] = block;
}

bool playing_take_range(Playing *playing, uint64_t most, OptionRange *range) {
    const Run *opened = playing->opened;
    while (playing->missing_range < opened->missing_count) {
        const OptionRange missing = opened->missing[playing->missing_range];
        if (playing->missing_next < missing.first) playing->missing_next = missing.first;
        if (playing->missing_next < missing.end) {
            const uint64_t games = playing->schedule->shard_games;
            uint64_t end = (playing->missing_next / games + 1) * games;
            if (end > missing.end) end = missing.end;
            if (end - playing->missing_next > most) end = playing->missing_next + most;
            *range = (OptionRange){playing->missing_next, end};
            playing->missing_left -= end - playing->missing_next;
            playing->missing_next = end;
            return true;
        }
        playing->missing_range++;
    }
    return false;
}

static void free_slots(Block *block) {
    if (!block->slots) return;
    for (uint64_t i = 0; i < block_size(block); i++) played_game_clear(&block->slots[i].played);
    free(block->slots);
    block->slots = NULL;
}

void playing_fail(Playing *playing, Status status, const Err *err) {
    if (playing->status != STATUS_OK) return;
    playing->status = status;
    playing->err = *err;
    ranks_stop();
}

Status playing_write_shard(const Playing *playing, const Block *block, StoredShard *shard,
                           Err *err) {
    const Schedule *schedule = playing->schedule;
    if (!schedule->run.dir) return STATUS_OK;
    AUTO(GameBatch) batch = {0};
    for (uint64_t i = block->stored; i < block->accepted; i++) {
        const PlayedGame *played = &block->slots[i].played;
        if (block->slots[i].skipped) continue;
        played_sums_add(&shard->sums, &played->sums);
        game_batch_append(&batch, &played->record, played->plies, played->tags);
    }
    return shard_write(schedule->run.dir, &batch, shard->range, schedule->run.provenance,
                       shard->name, err);
}

// Stores the accepted games of a block. If all games of the block are accepted (`complete`), also
// frees them, and releases playing->lock meanwhile, so that several threads can store blocks at the
// same time.
static void write_block(Playing *playing, Block *block, bool complete) {
    StoredShard shard = {
        .range = {block->range.first + block->stored, block->range.first + block->accepted}};
    Status status = STATUS_OK;
    Err err;
    if (complete) pthread_mutex_unlock(&playing->lock);
    if (block->accepted > block->stored) status = playing->ops.store(playing, block, &shard, &err);
    if (complete) free_slots(block);
    if (complete) pthread_mutex_lock(&playing->lock);
    if (status != STATUS_OK) {
        err_remedy(&err, "earlier shards are safe; correct the error and continue with --resume");
        playing_fail(playing, status, &err);
        return;
    }
    playing->stored_ns = clock_now_ns();
    block->stored = shard.range.end - block->range.first;
    if (shard.name[0]) playing->ops.stored(playing, &shard);
}

void playing_count_shard(Playing *playing, const StoredShard *shard) {
    const Schedule *schedule = playing->schedule;
    const GameSource *source = &playing->source;
    if (schedule->out) {
        shard_line_print(schedule->out, schedule->json, shard->name, shard->range);
    }
    if (source->stored) source->stored(source->context);
}

static bool is_wanted(const Playing *playing, uint64_t index) {
    const GameSource *source = &playing->source;
    return !source->wanted || source->wanted(source->context, index);
}

// Accepts finished games in the order of their numbers. Stops at the first game that is not
// finished, or when the source needs no more games.
static void accept_in_order(Playing *playing) {
    while (playing->accept_block < playing->block_count && !playing->enough) {
        Block *block = playing->blocks[playing->accept_block];
        while (block->slots && block->accepted < block_size(block) && !playing->enough) {
            Slot *slot = &block->slots[block->accepted];
            if (!slot->finished) {
                // A crash would lose the accepted games that are not on disk. Store them after
                // SHARD_SECONDS even if the shard is not full.
                if (clock_now_ns() - playing->stored_ns >= SHARD_SECONDS * 1000 * MS_NS) {
                    write_block(playing, block, false);
                }
                return;
            }
            if (!is_wanted(playing, slot->index)) slot->skipped = true;
            block->accepted++;
            if (slot->skipped) continue;
            playing->enough = !playing->source.accept(playing->source.context, &slot->played);
        }
        if (!block->slots || block->accepted < block_size(block)) return;
        playing->accept_block++;
    }
}

static Block *next_missing_block(Playing *playing) {
    OptionRange range;
    return playing_take_range(playing, playing->missing_left, &range)
               ? playing_add_block(playing, range)
               : NULL;
}

// Returns the block that contains the next game to start, or NULL if no game remains for this MPI
// rank.
static Block *block_to_start(Playing *playing) {
    for (; playing->start_block < playing->block_count;
         playing->start_block++, playing->start_slot = 0) {
        Block *block = playing->blocks[playing->start_block];
        if (playing->start_slot < block_size(block)) return block;
    }
    return playing->ops.next(playing);
}

bool playing_is_over(const Playing *playing) {
    return playing->enough || playing->status != STATUS_OK || interrupt_requested() ||
           ranks_stopped();
}

static void skip_game(Playing *playing, Slot *slot) {
    slot->skipped = true;
    playing_finish_game(playing, slot);
}

uint64_t playing_start_games(Playing *playing, uint64_t most, Slot **first) {
    Block *block;
    while (!playing_is_over(playing) && (block = block_to_start(playing)) != NULL) {
        if (!block->slots) {
            block->slots = memory_alloc(block_size(block), sizeof *block->slots);
            for (uint64_t i = 0; i < block_size(block); i++) {
                block->slots[i].index = block->range.first + i;
            }
        }
        *first = &block->slots[playing->start_slot];
        if (!is_wanted(playing, (*first)->index)) {
            playing->start_slot++;
            skip_game(playing, *first);
            continue;
        }
        const uint64_t left = block_size(block) - playing->start_slot;
        if (most > left) most = left;
        playing->start_slot += most;
        return most;
    }
    return 0;
}

void playing_finish_game(Playing *playing, Slot *slot) {
    slot->finished = true;
    accept_in_order(playing);
}

// Returns the next game for a thread of this MPI rank to play. Returns NULL if no game remains or
// the run is over.
static Slot *next_game(Playing *playing) {
    const GameSource *source = &playing->source;
    Slot *slot;
    while (playing_start_games(playing, 1, &slot)) {
        Err err = {0};
        bool present = true;
        const Status status = source->fetch ? source->fetch(source->context, slot->index,
                                                            &slot->played, &present, &err)
                                            : STATUS_OK;
        if (status != STATUS_OK) {
            playing_fail(playing, status, &err);
        } else if (present) {
            return slot;
        } else {
            skip_game(playing, slot);
        }
    }
    return NULL;
}

// Says that a game is played again because this process was stopped meanwhile. Returns
// STATUS_INTERRUPTED after the last of `MOST_BEGUN` attempts.
static Status say_again(const Playing *playing, const Slot *slot, int begun, Err *err) {
    enum { MOST_BEGUN = 20 };
    AUTO(Text) text = {0};
    if (begun == MOST_BEGUN) {
        return err_set(err, STATUS_ENGINE,
                       "game %llu was begun %d times, and each time this process was stopped and "
                       "continued (SIGCONT) while a clock ran: limit the players by nodes",
                       (unsigned long long)slot->index, begun);
    }
    text_add(&text,
             "game %llu is played again, because this process was stopped and continued (SIGCONT) "
             "during the game",
             (unsigned long long)slot->index);
    if (playing->source.progress) progress_say(playing->source.progress, text.data);
    return STATUS_OK;
}

static void play_slot(Playing *playing, GameWorker *worker, Slot *slot) {
    const GameSource *source = &playing->source;
    Err err = {0};
    Status status = STATUS_OK;
    pthread_mutex_lock(&playing->lock);
    // A game that is interrupted although the run continues is played again.
    for (int begun = 1; status == STATUS_OK; begun++) {
        pthread_mutex_unlock(&playing->lock);
        status = source->play(source->context, worker, slot->index, &slot->played, &err);
        pthread_mutex_lock(&playing->lock);
        if (status != STATUS_INTERRUPTED || playing_is_over(playing)) break;
        status = say_again(playing, slot, begun, &err);
    }
    if (status == STATUS_OK) {
        playing_finish_game(playing, slot);
    } else if (status != STATUS_INTERRUPTED) { // an interrupted game is only discarded
        playing_fail(playing, status, &err);
    }
    pthread_mutex_unlock(&playing->lock);
}

// Plays games in one thread until no game remains or the run is over. When all games of a block
// (consecutive games of the run) are accepted, stores the block before further games are played, so
// that few games are in memory.
static void work(Playing *playing) {
    const GameSource *source = &playing->source;
    GameWorker worker = {.players = memory_alloc((size_t)source->player_count, sizeof(Player *))};
    odds_game_init(&worker.game);
    if (source->opening_weights) {
        worker.opening_search = search_new(source->opening_weights, source->opening_hash_mb, NULL);
        search_set_rules(worker.opening_search, source->rules);
    }
    for (bool more = true; more;) {
        pthread_mutex_lock(&playing->lock);
        const bool complete = playing->store_block < playing->accept_block;
        if (complete) write_block(playing, playing->blocks[playing->store_block++], true);
        Slot *slot = complete ? NULL : next_game(playing);
        pthread_mutex_unlock(&playing->lock);
        if (slot) play_slot(playing, &worker, slot);
        more = complete || slot;
    }
    for (int i = 0; i < source->player_count; i++) player_close(worker.players[i]);
    free(worker.players);
    search_free(worker.opening_search);
    odds_game_clear(&worker.game);
}

Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err) {
    Playing playing = {.schedule = schedule,
                       .source = *source,
                       .ops = {next_missing_block, playing_write_shard, playing_count_shard},
                       .opened = opened,
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .missing_left = opened->missing_games,
                       .stored_ns = clock_now_ns()};
    TRY(mpi_schedule_begin(&playing, err));
    // Threads beyond the number of missing games would have nothing to do. Only MPI rank 0 knows
    // this number.
    uint64_t threads = (uint64_t)schedule->threads;
    if (mpi_rank() == 0 && opened->missing_games < threads) threads = opened->missing_games;
#pragma omp parallel num_threads(threads ? (int)threads : 1)
    work(&playing);
    mpi_schedule_wait(&playing);
    for (size_t i = 0; i < playing.block_count; i++) {
        // The accepted games of an unfinished block are its first ones, so they can be stored as
        // one range.
        if (playing.blocks[i]->slots) write_block(&playing, playing.blocks[i], false);
        free_slots(playing.blocks[i]);
        free(playing.blocks[i]);
    }
    free(playing.blocks);
    mpi_schedule_leave(&playing);
    if (playing.status != STATUS_OK && err) *err = playing.err;
    return playing.status;
}

Status schedule_check_games(const OptionRange *games, Err *err) {
    if (games->end <= GAMES_MAX) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "--games: B or N must be at most %llu", GAMES_MAX);
}

Schedule schedule_of_options(const CommandCall *call, const ScheduleOptions *options,
                             const Provenance *provenance) {
    return (Schedule){
        .run = {.dir = options->out, .resume = options->resume, .provenance = provenance},
        .threads = options->threads,
        .shard_games = (uint64_t)options->shard_games,
        .out = call->out,
        .json = options->json,
        .gather = options->gather};
}

void run_totals_add(RunTotals *totals, const PlayedGame *played) {
    AUTO(Text) remark = {0};
    char detail[64];
    const double elapsed = progress_elapsed_s(totals->progress);
    played_sums_add(&totals->sums, &played->sums);
    snprintf(detail, sizeof detail, "%.0f %s/s",
             (double)*totals->total / (elapsed > 1e-9 ? elapsed : 1e-9), totals->total_name);
    progress_update(totals->progress, totals->sums.games, detail);
    if (totals->told || !score_signs_remark(&totals->sums.signs, totals->player, &remark)) return;
    totals->told = true;
    progress_say(totals->progress, remark.data);
}

Status schedule_run(const Schedule *schedule, const GameSource *source,
                    void (*opened)(void *context), RunTotals *totals, Err *err) {
    Run run;
    Status status = run_open(&schedule->run, &run, err);
    totals->present = run.present_games;
    totals->progress->total = run.missing_games;
    if (status == STATUS_OK && opened) opened(source->context);
    if (status == STATUS_OK) status = schedule_play(schedule, &run, source, err);
    run_close(&run);
    totals->seconds = progress_elapsed_s(totals->progress);
    progress_finish(totals->progress, totals->sums.games,
                    interrupt_requested() ? "interrupted" : "");
    return status;
}

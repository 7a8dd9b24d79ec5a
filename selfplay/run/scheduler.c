// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/scheduler.h"

#include <omp.h>
#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "selfplay/run/playing.h"

Block *playing_add_block(Playing *run, OptionRange range) {
    run->blocks =
        memory_room(run->blocks, &run->block_capacity, run->block_count + 1, sizeof *run->blocks);
    Block *block = memory_alloc(1, sizeof *block);
    block->range = range;
    return run->blocks[run->block_count++] = block;
}

bool playing_cut(Playing *run, uint64_t most, OptionRange *range) {
    const Run *opened = run->opened;
    while (run->cut_range < opened->missing_count) {
        const OptionRange missing = opened->missing[run->cut_range];
        if (run->cut < missing.first) run->cut = missing.first;
        if (run->cut < missing.end) {
            const uint64_t games = run->schedule->shard_games;
            uint64_t end = (run->cut / games + 1) * games;
            if (end > missing.end) end = missing.end;
            if (end - run->cut > most) end = run->cut + most;
            *range = (OptionRange){run->cut, end};
            run->uncut -= end - run->cut;
            run->cut = end;
            return true;
        }
        run->cut_range++;
    }
    return false;
}

static void free_slots(Block *block) {
    if (!block->slots) return;
    for (uint64_t i = 0; i < block_size(block); i++) played_game_clear(&block->slots[i].played);
    free(block->slots);
    block->slots = NULL;
}

void playing_fail(Playing *run, Status status, const Err *err) {
    if (run->status != STATUS_OK) return;
    run->status = status;
    run->err = *err;
    if (mpi_rank() == 0) ranks_stop();
}

// Another rank than 0 whose games rank 0 accepts and stores.
static bool returns_games(const Playing *run) {
    return mpi_rank() > 0 && run->gathered;
}

// Packs and writes; this needs no lock.
static Status store_block(const Playing *run, const Block *block, StoredShard *shard, Err *err) {
    const Schedule *schedule = run->schedule;
    *shard = (StoredShard){
        .range = {block->range.first + block->stored, block->range.first + block->accepted}};
    if (returns_games(run)) mpi_schedule_send_games(block);
    if (!schedule->run.dir || returns_games(run) || block->accepted == block->stored) {
        return STATUS_OK;
    }
    AUTO(GameBatch) batch = {0};
    for (uint64_t i = block->stored; i < block->accepted; i++) {
        const PlayedGame *played = &block->slots[i].played;
        if (block->slots[i].left_out) continue;
        played_sums_add(&shard->sums, &played->sums);
        game_batch_append(&batch, &played->record, played->plies, played->tags);
    }
    return shard_write(schedule->run.dir, &batch, shard->range, &schedule->provenance, shard->name,
                       err);
}

// Stores a block under the lock; one that is `complete` without it, so that several threads pack
// theirs at once.
static void write_block(Playing *run, Block *block, bool complete) {
    const ShardLines *lines = run->schedule->lines;
    StoredShard shard;
    Err err;
    if (complete) pthread_mutex_unlock(&run->lock);
    const Status status = store_block(run, block, &shard, &err);
    if (complete) free_slots(block);
    if (complete) pthread_mutex_lock(&run->lock);
    if (status != STATUS_OK) {
        err_remedy(&err, "the shards before it are safe: correct this and continue with --resume");
        playing_fail(run, status, &err);
    }
    if (status != STATUS_OK || !shard.name[0]) return;
    run->stored_ns = clock_now_ns();
    block->stored = shard.range.end - block->range.first;
    if (mpi_rank() > 0) {
        mpi_schedule_send_shard(&shard);
    } else if (lines) {
        shard_line_print(lines, shard.name, shard.range);
    }
}

static bool is_wanted(const Playing *run, uint64_t index) {
    const GameSource *source = run->source;
    return mpi_rank() > 0 || !source->wanted || source->wanted(source->context, index);
}

void playing_accept(Playing *run, const PlayedGame *played) {
    const GameSource *source = run->source;
    if (!source->sums) {
        run->enough = !source->accept(source->context, played);
        return;
    }
    played_sums_add(source->sums, &played->sums);
    char detail[64];
    const double elapsed = progress_elapsed_s(source->progress);
    snprintf(detail, sizeof detail, "%.0f %s/s",
             (double)*source->rate / (elapsed > 1e-9 ? elapsed : 1e-9), source->rate_name);
    progress_update(source->progress, source->sums->games, detail);
}

// Accepts what has become contiguous. Callers hold the lock.
static void take_in_order(Playing *run) {
    while (run->take_block < run->block_count && !run->enough) {
        Block *block = run->blocks[run->take_block];
        while (block->slots && block->accepted < block_size(block) && !run->enough) {
            Slot *slot = &block->slots[block->accepted];
            if (!slot->finished) {
                // A crash loses games that are not on disk: they do not wait long for a full shard.
                if (!returns_games(run) &&
                    clock_now_ns() - run->stored_ns >= SHARD_SECONDS * 1000 * MS_NS) {
                    write_block(run, block, false);
                }
                return;
            }
            if (!is_wanted(run, slot->index)) slot->left_out = true;
            block->accepted++;
            if (slot->left_out || mpi_rank() > 0) continue;
            playing_accept(run, &slot->played);
        }
        if (!block->slots || block->accepted < block_size(block)) return;
        run->take_block++;
    }
}

// The block of the next game; NULL when this rank has none.
static Block *block_to_hand(Playing *run) {
    for (; run->hand_block < run->block_count; run->hand_block++, run->hand_slot = 0) {
        Block *block = run->blocks[run->hand_block];
        if (run->hand_slot < block_size(block)) return block;
    }
    if (mpi_rank() > 0) return mpi_schedule_next(run);
    OptionRange range;
    const uint64_t most =
        run->gathered ? run->uncut : mpi_schedule_share(run, run->schedule->threads);
    return playing_cut(run, most, &range) ? playing_add_block(run, range) : NULL;
}

bool playing_is_over(const Playing *run) {
    return run->enough || run->status != STATUS_OK || interrupt_requested() || ranks_stopped();
}

static void leave_out(Playing *run, Slot *slot) {
    slot->left_out = true;
    playing_take_back(run, slot);
}

uint64_t playing_hand_out(Playing *run, uint64_t most, Slot **first) {
    Block *block;
    while (!playing_is_over(run) && (block = block_to_hand(run)) != NULL) {
        if (!block->slots) {
            block->slots = memory_alloc(block_size(block), sizeof *block->slots);
            for (uint64_t i = 0; i < block_size(block); i++) {
                block->slots[i].index = block->range.first + i;
            }
        }
        *first = &block->slots[run->hand_slot];
        if (!is_wanted(run, (*first)->index)) {
            run->hand_slot++;
            leave_out(run, *first);
            continue;
        }
        const uint64_t left = block_size(block) - run->hand_slot;
        if (most > left) most = left;
        run->hand_slot += most;
        return most;
    }
    return 0;
}

void playing_take_back(Playing *run, Slot *slot) {
    slot->finished = true;
    take_in_order(run);
}

// A game for a thread of this rank; NULL: there is none, or a failure.
static Slot *next_game(Playing *run) {
    const GameSource *source = run->source;
    Slot *slot;
    while (playing_hand_out(run, 1, &slot)) {
        Err err = {0};
        bool present = true;
        const Status status = source->fetch ? source->fetch(source->context, slot->index,
                                                            &slot->played, &present, &err)
                                            : STATUS_OK;
        if (status != STATUS_OK) {
            playing_fail(run, status, &err);
        } else if (present) {
            return slot;
        } else {
            leave_out(run, slot);
        }
    }
    return NULL;
}

static void play_slot(Playing *run, GameWorker *worker, Slot *slot) {
    const GameSource *source = run->source;
    Err err = {0};
    const Status status = source->play(source->context, worker, slot->index, &slot->played, &err);
    pthread_mutex_lock(&run->lock);
    if (status == STATUS_OK) {
        playing_take_back(run, slot);
    } else if (status != STATUS_INTERRUPTED) { // then it is as if it had not begun
        playing_fail(run, status, &err);
    }
    pthread_mutex_unlock(&run->lock);
}

// Complete blocks come before games, so that few wait.
static void work(Playing *run) {
    const GameSource *source = run->source;
    GameWorker worker = {.players = memory_alloc((size_t)source->player_count, sizeof(Player *))};
    odds_game_init(&worker.game);
    if (source->opening_weights) {
        worker.openings = search_new(source->opening_weights, source->opening_hash_mb, NULL);
        search_set_rules(worker.openings, source->rules);
    }
    for (bool more = true; more;) {
        pthread_mutex_lock(&run->lock);
        const bool complete = run->store_block < run->take_block;
        if (complete) write_block(run, run->blocks[run->store_block++], true);
        Slot *slot = complete ? NULL : next_game(run);
        pthread_mutex_unlock(&run->lock);
        if (slot) play_slot(run, &worker, slot);
        more = complete || slot;
    }
    for (int i = 0; i < source->player_count; i++) player_close(worker.players[i]);
    free(worker.players);
    search_free(worker.openings);
    odds_game_clear(&worker.game);
}

Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err) {
    Playing run = {.schedule = schedule,
                   .source = source,
                   .opened = opened,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .uncut = opened->missing_games,
                   .stored_ns = clock_now_ns()};
    TRY(mpi_schedule_begin(&run, err));
    const uint64_t games = opened->missing_games + 1; // more threads would have none
    const int threads = games < (uint64_t)schedule->threads ? (int)games : schedule->threads;
#pragma omp parallel num_threads(threads)
    work(&run);
    if (mpi_size() > 1 && mpi_rank() == 0) pthread_join(run.server, NULL);
    for (size_t i = 0; i < run.block_count; i++) {
        // The accepted games of an unfinished block are its first ones, without a gap.
        if (run.blocks[i]->slots) write_block(&run, run.blocks[i], false);
        free_slots(run.blocks[i]);
        free(run.blocks[i]);
    }
    free(run.blocks);
    if (mpi_rank() > 0) run.status = mpi_schedule_leave(&run, &run.err);
    if (run.status != STATUS_OK && err) *err = run.err;
    return run.status;
}

Status schedule_run(const Schedule *schedule, const GameSource *source, uint64_t *present,
                    double *seconds, Err *err) {
    Run opened;
    Status status = run_open(&schedule->run, &opened, err);
    *present = opened.present_games;
    source->progress->total = opened.missing_games;
    if (status == STATUS_OK) status = schedule_play(schedule, &opened, source, err);
    run_close(&opened);
    *seconds = progress_elapsed_s(source->progress);
    progress_finish(source->progress, source->sums->games,
                    interrupt_requested() ? "interrupted" : "");
    return status;
}

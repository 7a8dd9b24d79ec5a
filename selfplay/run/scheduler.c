// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/scheduler.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef struct Slot {
    bool finished;
    bool left_out; // there is no game of this number, or it was not wanted when its turn came
    PlayedGame played;
} Slot;

// Games that will be one shard.
typedef struct Block {
    OptionRange range;
    Slot *slots;       // NULL before the first game is handed out and after the block is done
    uint64_t accepted; // the first so many games were accepted, or left out
    uint64_t stored;   // of these the first so many are on disk
} Block;

typedef struct Playing {
    const Schedule *schedule;
    const GameSource *source;
    Block *blocks;
    size_t block_count;
    size_t hand_block, take_block; // where games are handed out, and accepted
    uint64_t hand_slot;            // next game of hand_block
    bool enough;                   // accept() has said so
    int64_t stored_ns;             // when a shard was last written
    Status status;                 // of the first failure
    Err err;
} Playing;

static uint64_t block_size(const Block *block) {
    return block->range.end - block->range.first;
}

static void make_blocks(Playing *run, const Run *opened) {
    const Schedule *schedule = run->schedule;
    size_t capacity = 0;
    for (size_t i = 0; i < opened->missing_count; i++) {
        const OptionRange range = opened->missing[i];
        for (uint64_t at = range.first; at < range.end;) {
            uint64_t end = (at / schedule->shard_games + 1) * schedule->shard_games;
            if (end > range.end) end = range.end;
            run->blocks =
                memory_room(run->blocks, &capacity, run->block_count + 1, sizeof *run->blocks);
            run->blocks[run->block_count++] = (Block){.range = {at, end}};
            at = end;
        }
    }
}

static void free_slots(Block *block) {
    if (!block->slots) return;
    for (uint64_t i = 0; i < block_size(block); i++) played_game_clear(&block->slots[i].played);
    free(block->slots);
    block->slots = NULL;
}

static void fail(Playing *run, Status status, const Err *err) {
    if (run->status != STATUS_OK) return;
    run->status = status;
    run->err = *err;
}

// Stores the accepted games of a block that are not on disk.
static void write_block(Playing *run, Block *block) {
    const Schedule *schedule = run->schedule;
    if (!schedule->run.dir || block->accepted == block->stored) return;
    GameBatch batch = {0};
    for (uint64_t i = block->stored; i < block->accepted; i++) {
        const PlayedGame *played = &block->slots[i].played;
        if (block->slots[i].left_out) continue;
        game_batch_append(&batch, &played->record, played->plies, played->tags);
    }
    const OptionRange range = {block->range.first + block->stored,
                               block->range.first + block->accepted};
    char name[SHARD_NAME_SIZE];
    Err err = {0};
    const Status status =
        shard_write(schedule->run.dir, &batch, range, &schedule->provenance, name, &err);
    game_batch_clear(&batch);
    run->stored_ns = clock_now_ns();
    if (status == STATUS_OK) block->stored = block->accepted;
    if (status != STATUS_OK) {
        err_remedy(&err, "the shards before it are safe: mend this and go on with --resume");
        fail(run, status, &err);
    } else if (schedule->lines) {
        shard_line_print(schedule->lines, name, range);
    }
}

// Stores games that have waited long for a full shard: what is not on disk a crash can lose.
static void write_waiting(Playing *run, Block *block) {
    const int64_t patience_ns = run->schedule->shard_seconds * (1000 * MS_NS);
    if (patience_ns > 0 && clock_now_ns() - run->stored_ns >= patience_ns) write_block(run, block);
}

static bool is_wanted(const Playing *run, uint64_t index) {
    const GameSource *source = run->source;
    return !source->wanted || source->wanted(source->context, index);
}

// Accepts what has become contiguous; stores the blocks that are complete. Callers hold the lock.
static void take_in_order(Playing *run) {
    while (run->take_block < run->block_count && !run->enough) {
        Block *block = &run->blocks[run->take_block];
        while (block->slots && block->accepted < block_size(block) && !run->enough) {
            Slot *slot = &block->slots[block->accepted];
            if (!slot->finished) {
                write_waiting(run, block);
                return;
            }
            if (!is_wanted(run, block->range.first + block->accepted)) slot->left_out = true;
            block->accepted++;
            if (slot->left_out) continue;
            run->enough = !run->source->accept(run->source->context, &slot->played);
        }
        if (!block->slots || block->accepted < block_size(block)) return;
        write_block(run, block);
        free_slots(block);
        run->take_block++;
    }
}

// Gets what a game begins with. False when there is no such game, when nobody wants it, or a
// failure.
static bool fetch(Playing *run, uint64_t index, Slot *slot) {
    const GameSource *source = run->source;
    Err err = {0};
    Status status = STATUS_OK;
    bool present = is_wanted(run, index);
    if (present && source->fetch) {
        status = source->fetch(source->context, index, &slot->played, &present, &err);
    }
    if (status != STATUS_OK) {
        fail(run, status, &err);
    } else if (!present) {
        slot->finished = slot->left_out = true;
        take_in_order(run);
    }
    return present && status == STATUS_OK;
}

// The next game to play; false when there is none. Callers hold the lock.
static bool hand_out(Playing *run, Block **block, uint64_t *slot) {
    while (run->hand_block < run->block_count) {
        if (run->enough || run->status != STATUS_OK || interrupt_requested()) return false;
        Block *candidate = &run->blocks[run->hand_block];
        if (run->hand_slot < block_size(candidate)) {
            if (!candidate->slots) {
                candidate->slots = memory_alloc(block_size(candidate), sizeof *candidate->slots);
            }
            *block = candidate;
            *slot = run->hand_slot++;
            if (fetch(run, candidate->range.first + *slot, &candidate->slots[*slot])) return true;
            continue;
        }
        run->hand_block++;
        run->hand_slot = 0;
    }
    return false;
}

static void take_back(Playing *run, Block *block, uint64_t slot, Status status, const Err *err) {
    if (status == STATUS_OK) {
        block->slots[slot].finished = true;
        take_in_order(run);
    } else {
        fail(run, status, err);
    }
}

static void work(Playing *run) {
    const GameSource *source = run->source;
    void *worker = source->worker_new(source->context);
    for (;;) {
        Block *block = NULL;
        uint64_t slot = 0;
        bool more;
#pragma omp critical(schedule)
        more = hand_out(run, &block, &slot);
        if (!more) break;
        Err err = {0};
        const uint64_t index = block->range.first + slot;
        const Status status =
            source->play(source->context, worker, index, &block->slots[slot].played, &err);
#pragma omp critical(schedule)
        take_back(run, block, slot, status, &err);
    }
    source->worker_free(worker);
}

Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err) {
    Playing run = {.schedule = schedule, .source = source, .stored_ns = clock_now_ns()};
    make_blocks(&run, opened);
#pragma omp parallel num_threads(schedule->threads)
    work(&run);
    for (size_t i = 0; i < run.block_count; i++) {
        // What is accepted of an unfinished block is its beginning, without a gap.
        if (run.blocks[i].slots) write_block(&run, &run.blocks[i]);
        free_slots(&run.blocks[i]);
    }
    free(run.blocks);
    if (run.status != STATUS_OK && err) *err = run.err;
    return run.status;
}

void schedule_show_rate(Progress *progress, uint64_t games, uint64_t count, const char *what) {
    char detail[64];
    const double elapsed = progress_elapsed_s(progress);
    snprintf(detail, sizeof detail, "%.0f %s/s", (double)count / (elapsed > 1e-9 ? elapsed : 1e-9),
             what);
    progress_update(progress, games, detail);
}

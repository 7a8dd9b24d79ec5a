// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/selfplay.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

// Games that will be one shard. Slots are filled in any order and written in game order.
typedef struct Block {
    OptionRange range;
    PlayedGame *games; // NULL until the first game of the block is handed out
    uint64_t handed, finished;
} Block;

typedef struct Run {
    const SelfplaySpec *spec;
    Block *blocks;
    size_t block_count, block_at; // block_at: the one games are handed out from
    Progress *progress;
    SelfplayShardDone *done;
    void *done_context;
    SelfplaySummary *summary;
    Status status; // of the first failure: nothing more is handed out
    Err err;
} Run;

// ---- one game
// --------------------------------------------------------------------------------------

Status selfplay_game(const SelfplaySpec *spec, uint64_t index, Search *search, Game *game,
                     PlayedGame *played, const atomic_bool *stop, Err *err) {
    Random random;
    random_init(&random, spec->seed, index);
    Position start;
    position_init_start(&start);
    Status status =
        opening_make(&spec->opening, &start, &spec->play.rules, &random, search, game, err);
    if (status != STATUS_OK) {
        err_prefix(err, "game %llu", (unsigned long long)index);
        return status;
    }
    search_clear(search);
    Search *const players[SIDE_COUNT] = {search, search};
    status = play_game(&spec->play, players, game, played, stop, err);
    played->record.index = index;
    return status;
}

// ---- blocks
// ----------------------------------------------------------------------------------------

// Cuts the missing ranges at multiples of the shard size.
static void make_blocks(Run *run, const OptionRange *missing, size_t count) {
    const uint64_t size = (uint64_t)run->spec->shard_games;
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint64_t at = missing[i].first; at < missing[i].end;) {
            uint64_t end = (at / size + 1) * size;
            if (end > missing[i].end) end = missing[i].end;
            if (run->block_count == capacity) {
                capacity = memory_grow(capacity, run->block_count + 1);
                run->blocks = memory_resize(run->blocks, capacity, sizeof *run->blocks);
            }
            run->blocks[run->block_count++] = (Block){.range = {at, end}};
            at = end;
        }
    }
}

static void free_block_games(Block *block) {
    if (!block->games) return;
    for (uint64_t i = 0; i < block->range.end - block->range.first; i++) {
        played_game_clear(&block->games[i]);
    }
    free(block->games);
    block->games = NULL;
}

// Writes the finished games of a block, which are its first ones, as a shard.
static void write_block(Run *run, Block *block) {
    if (block->finished == 0 || run->status != STATUS_OK) return;
    GameBatch batch = {0};
    for (uint64_t i = 0; i < block->finished; i++) {
        game_batch_append(&batch, &block->games[i].record, block->games[i].plies);
    }
    const OptionRange range = {block->range.first, block->range.first + block->finished};
    char name[SHARD_NAME_SIZE];
    run->status =
        shard_write(run->spec->out, &batch, range, &run->spec->provenance, name, &run->err);
    if (run->status == STATUS_OK && run->done) run->done(run->done_context, name, range);
    game_batch_clear(&batch);
}

// The next game to play, in order; false when there is none. Callers hold the lock.
static bool hand_out(Run *run, Block **block, uint64_t *slot) {
    if (run->status != STATUS_OK || interrupt_requested()) return false;
    while (run->block_at < run->block_count) {
        Block *candidate = &run->blocks[run->block_at];
        const uint64_t size = candidate->range.end - candidate->range.first;
        if (candidate->handed < size) {
            if (!candidate->games) candidate->games = memory_alloc(size, sizeof(PlayedGame));
            *block = candidate;
            *slot = candidate->handed++;
            return true;
        }
        run->block_at++;
    }
    return false;
}

static void count_game(Run *run, const PlayedGame *played) {
    SelfplaySummary *summary = run->summary;
    summary->games++;
    summary->plies += played->record.ply_count;
    summary->nodes += played->nodes;
    for (uint32_t i = 0; i < played->record.ply_count; i++) {
        summary->positions += played->plies[i].sampled;
    }
    char detail[64];
    const double elapsed = progress_elapsed_s(run->progress);
    snprintf(detail, sizeof detail, "%.0f positions/s",
             (double)summary->positions / (elapsed > 1e-9 ? elapsed : 1e-9));
    progress_update(run->progress, summary->games, detail);
}

// A game is finished: its block is written when it was the last one. Callers hold the lock.
static void take_back(Run *run, Block *block, uint64_t slot, Status status, const Err *err) {
    if (status != STATUS_OK) {
        if (run->status == STATUS_OK) {
            run->status = status;
            run->err = *err;
        }
        return;
    }
    block->finished++;
    count_game(run, &block->games[slot]);
    if (block->finished == block->range.end - block->range.first) {
        write_block(run, block);
        free_block_games(block);
    }
}

static void work(Run *run) {
    const SelfplaySpec *spec = run->spec;
    Search *search = search_new(&spec->weights, spec->hash_mb, NULL);
    search_set_params(search, &spec->params);
    search_set_rules(search, &spec->play.rules);
    Position start;
    position_init_start(&start);
    Game game;
    game_init(&game, &start);
    for (;;) {
        Block *block = NULL;
        uint64_t slot = 0;
        bool more;
#pragma omp critical(selfplay_run)
        more = hand_out(run, &block, &slot);
        if (!more) break;
        Err err = {0};
        const Status status = selfplay_game(spec, block->range.first + slot, search, &game,
                                            &block->games[slot], NULL, &err);
#pragma omp critical(selfplay_run)
        take_back(run, block, slot, status, &err);
    }
    game_clear(&game);
    search_free(search);
}

Status selfplay_run(const SelfplaySpec *spec, Progress *progress, SelfplayShardDone *done,
                    void *context, SelfplaySummary *summary, Err *err) {
    *summary = (SelfplaySummary){0};
    OptionRange *missing = NULL;
    size_t missing_count = 0;
    Status status = run_directory_prepare(spec->out, err);
    if (status == STATUS_OK) {
        status = run_missing_ranges(spec->out, spec->games, &missing, &missing_count, err);
    }
    if (status != STATUS_OK) return status;
    Run run = {.spec = spec,
               .progress = progress,
               .done = done,
               .done_context = context,
               .summary = summary};
    uint64_t wanted = 0;
    for (size_t i = 0; i < missing_count; i++) wanted += missing[i].end - missing[i].first;
    summary->already = spec->games.end - spec->games.first - wanted;
    progress->total = wanted;
    make_blocks(&run, missing, missing_count);
    free(missing);
#pragma omp parallel num_threads(spec->threads)
    work(&run);
    // Games were handed out in order and all of them came back, so that what is left of an
    // interrupted block is its beginning, without a gap.
    for (size_t i = 0; i < run.block_count; i++) {
        Block *block = &run.blocks[i];
        if (block->games && block->finished == block->handed) write_block(&run, block);
        free_block_games(block);
    }
    free(run.blocks);
    summary->interrupted = interrupt_requested();
    if (run.status != STATUS_OK && err) *err = run.err;
    return run.status;
}

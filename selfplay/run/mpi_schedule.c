// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule on several MPI ranks. The others ask rank 0 for blocks of games. They store these
// themselves and report the shards, or send the games to rank 0, which puts them into their order.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "selfplay/run/playing.h"

typedef enum Kind {
    SAY_ASK,   // -> 0: an int, its threads
    SAY_BLOCK, // 0 ->: an OptionRange; empty: no games are left
    SAY_GAMES, // -> 0: as put_game() writes them
    SAY_SHARD, // -> 0: a StoredShard
    SAY_LEFT,  // -> 0
} Kind;

// ---- games as bytes -----------------------------------------------------------------------------

// The ranks are one program: its structs are the same. Pointers say which lists follow.
static void put_game(Text *out, const Slot *slot) {
    const PlayedGame *played = &slot->played;
    const size_t plies = played->record.ply_count;
    text_add_bytes(out, slot, sizeof *slot);
    if (played->plies) text_add_bytes(out, played->plies, plies * sizeof *played->plies);
    if (played->tags) {
        text_add_bytes(out, played->tags, played->record.tag_count * sizeof *played->tags);
    }
}

// Replaces a pointer of the sender's, where it has one, by a list that is read.
static void *get_list(const unsigned char **at, const void *list, size_t count, size_t size) {
    if (!list) return NULL;
    void *own = memory_alloc(count, size);
    *at = bytes_take(*at, own, count * size);
    return own;
}

static const unsigned char *get_game(const unsigned char *at, Slot *slot) {
    PlayedGame *played = &slot->played;
    at = bytes_take(at, slot, sizeof *slot);
    const size_t plies = played->capacity = played->record.ply_count;
    played->plies = get_list(&at, played->plies, plies, sizeof *played->plies);
    played->tags = get_list(&at, played->tags, played->record.tag_count, sizeof *played->tags);
    return at;
}

// ---- rank 0 -------------------------------------------------------------------------------------

uint64_t mpi_schedule_share(const Playing *run, int threads) {
    const uint64_t each = (uint64_t)threads, few = 4 * each;
    uint64_t left = run->uncut;
    if (mpi_size() == 1) return left;
    if (run->gathered && run->hand_block < run->block_count) {
        left += block_size(run->blocks[run->hand_block]) - run->hand_slot;
    }
    const uint64_t share = left / (2 * (uint64_t)mpi_size());
    if (!run->gathered) return share > few ? share : few;
    // They are counted until they are enough, and games that nobody needs any more cost time.
    return share > few ? few : share > each ? share : each;
}

static void answer(Playing *run, const RankMessage *message) {
    int threads;
    OptionRange range = {0, 0};
    memcpy(&threads, message->bytes, sizeof threads);
    if (run->gathered) {
        Slot *slot;
        const uint64_t count = playing_hand_out(run, mpi_schedule_share(run, threads), &slot);
        if (count) range = (OptionRange){slot->index, slot->index + count};
    } else if (!playing_is_over(run)) {
        playing_cut(run, mpi_schedule_share(run, threads), &range);
    }
    rank_send(message->from, SAY_BLOCK, &range, sizeof range);
}

static void take_games(Playing *run, const unsigned char *at, size_t size) {
    for (const unsigned char *const end = at + size; at < end;) {
        Slot came;
        at = get_game(at, &came);
        size_t i = run->take_block;
        while (run->blocks[i]->range.end <= came.index) i++;
        Slot *slot = &run->blocks[i]->slots[came.index - run->blocks[i]->range.first];
        *slot = came;
        playing_take_back(run, slot);
    }
}

static void take_message(Playing *run, const RankMessage *message) {
    if (message->kind == SAY_ASK) {
        answer(run, message);
    } else if (message->kind == SAY_GAMES) {
        take_games(run, message->bytes, message->size);
    } else if (message->kind == SAY_SHARD) {
        const StoredShard *shard = (const StoredShard *)(const void *)message->bytes;
        const PlayedGame sum = {.sums = shard->sums};
        if (run->schedule->lines) shard_line_print(run->schedule->lines, shard->name, shard->range);
        playing_accept(run, &sum);
    }
}

// The thread of rank 0 that answers the others until all have left.
static void *serve(void *context) {
    Playing *run = context;
    AUTO_FREE bool *left = memory_alloc((size_t)mpi_size(), sizeof *left);
    for (int still = mpi_size() - 1; still > 0;) {
        AUTO_POINTER(RankMessage) message = NULL;
        Err err = {0};
        const Status status = rank_receive(RANK_ANY, &message, &err);
        if (left[message->from]) continue;
        pthread_mutex_lock(&run->lock);
        if (status == STATUS_OK) {
            take_message(run, message);
        } else if (status != STATUS_INTERRUPTED) {
            playing_fail(run, status, &err);
        }
        pthread_mutex_unlock(&run->lock);
        left[message->from] = status != STATUS_OK || message->kind == SAY_LEFT;
        still -= left[message->from];
    }
    return NULL;
}

// ---- another rank -------------------------------------------------------------------------------

Block *mpi_schedule_next(Playing *run) {
    AUTO_POINTER(RankMessage) message = NULL;
    OptionRange range = {0, 0};
    if (run->closed) return NULL;
    rank_send(0, SAY_ASK, &run->schedule->threads, sizeof(int));
    if (rank_receive(0, &message, NULL) == STATUS_OK) {
        memcpy(&range, message->bytes, sizeof range);
    }
    run->closed = range.end == range.first;
    return run->closed ? NULL : playing_add_block(run, range);
}

void mpi_schedule_send_games(const Block *block) {
    AUTO(Text) games = {0};
    for (uint64_t i = 0; i < block->accepted; i++) put_game(&games, &block->slots[i]);
    rank_send(0, SAY_GAMES, games.data, games.length);
}

void mpi_schedule_send_shard(const StoredShard *shard) {
    rank_send(0, SAY_SHARD, shard, sizeof *shard);
}

// All ranks must see a file that rank 0 makes in the directory.
static Status check_shared(const char *dir, Err *err) {
    AUTO(Text) path = {0};
    long long token[] = {clock_now_ns(), getpid()};
    if (mpi_rank() > 0) TRY(ranks_share(token, sizeof token, err));
    text_add(&path, "%s/.token-%llx.tmp.%lld", dir, token[0], token[1]);
    if (mpi_rank() > 0) {
        // Other machines may see a new file in a shared directory some seconds later.
        for (int tries = 0; access(path.data, R_OK) != 0 && tries < 100; tries++) {
            nanosleep(&(struct timespec){.tv_nsec = 100 * MS_NS}, NULL);
        }
        if (access(path.data, R_OK) == 0) return ranks_collect(NULL, 0, NULL, NULL, err);
        return err_set(err, STATUS_IO,
                       "%s is not the directory that MPI rank 0 has: it must be shared, or "
                       "--gather sends the games there",
                       dir);
    }
    TRY(text_write_file(path.data, "", 0, err));
    Status status = ranks_share(token, sizeof token, err);
    if (status == STATUS_OK) status = ranks_collect(NULL, 0, NULL, NULL, err);
    unlink(path.data);
    return status;
}

Status mpi_schedule_begin(Playing *run, Err *err) {
    if (mpi_size() == 1) return STATUS_OK;
    run->gathered = run->schedule->gather || !run->source->sums;
    if (run->schedule->run.dir && !run->gathered) {
        TRY(check_shared(run->schedule->run.dir, err));
    } else {
        TRY(ranks_share(NULL, 0, err));
    }
    if (mpi_rank() > 0 || pthread_create(&run->server, NULL, serve, run) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot start a thread");
}

Status mpi_schedule_leave(Playing *run, Err *err) {
    TRY(run->status);
    rank_send(0, SAY_LEFT, NULL, 0);
    return err_set(err, STATUS_ENDED, "%s", "");
}

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
    SAY_ASK,    // -> 0: an int, its threads
    SAY_BLOCK,  // 0 ->: an OptionRange; empty: no games are left
    SAY_RESULT, // -> 0: games, or a StoredShard
    SAY_LEFT,   // -> 0
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

uint64_t mpi_schedule_share(uint64_t left, int threads) {
    const uint64_t least = 4 * (uint64_t)threads;
    if (rank_count() == 1) return left;
    const uint64_t share = left / (2 * (uint64_t)rank_count());
    return share > least ? share : least;
}

// Gathered games may be counted until they are enough: a thread has one at a time.
static void answer(Playing *run, const RankMessage *message) {
    int threads;
    OptionRange range = {0, 0};
    memcpy(&threads, message->bytes, sizeof threads);
    if (run->gathered) {
        Slot *slot;
        const uint64_t count = playing_hand_out(run, (uint64_t)threads, &slot);
        if (count) range = (OptionRange){slot->index, slot->index + count};
    } else if (!playing_is_over(run)) {
        playing_cut(run, mpi_schedule_share(run->uncut, threads), &range);
    }
    rank_send(message->from, SAY_BLOCK, &range, sizeof range);
}

static Slot *find_slot(const Playing *run, uint64_t index) {
    size_t low = 0, high = run->block_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(run->blocks[middle]->range.first <= index ? &low : &high) = middle;
    }
    return &run->blocks[low]->slots[index - run->blocks[low]->range.first];
}

static void take_games(Playing *run, const unsigned char *at, size_t size) {
    for (const unsigned char *const end = at + size; at < end;) {
        Slot came;
        at = get_game(at, &came);
        Slot *slot = find_slot(run, came.index);
        *slot = came;
        playing_take_back(run, slot);
    }
}

// Behind the shard, whose name is empty where there was none, stands what is to be added to the
// counters.
static void take_shard(Playing *run, const unsigned char *at) {
    const GameSource *source = run->source;
    StoredShard shard;
    at = bytes_take(at, &shard, sizeof shard);
    if (run->schedule->lines && shard.name[0]) {
        shard_line_print(run->schedule->lines, shard.name, shard.range);
    }
    for (size_t i = 0; i < source->counter_count; i++) {
        uint64_t more;
        at = bytes_take(at, &more, sizeof more);
#pragma omp atomic
        source->counters[i] += more;
    }
    if (source->show) source->show(source->context);
}

// The thread of rank 0 that answers the others until all have left.
static void *serve(void *context) {
    Playing *run = context;
    AUTO_FREE bool *left = memory_alloc((size_t)rank_count(), sizeof *left);
    for (int still = rank_count() - 1; still > 0;) {
        RankMessage *message;
        Err err = {0};
        int from = 0;
        const Status status = rank_receive(RANK_ANY, &message, &from, &err);
        if (message) from = message->from;
        pthread_mutex_lock(&run->lock);
        // Others need not hear of a rank that was interrupted, or has left.
        if (status != STATUS_OK && status != STATUS_INTERRUPTED && !left[from]) {
            playing_fail(run, status, &err);
        } else if (message && message->kind == SAY_ASK) {
            answer(run, message);
        } else if (message && message->kind == SAY_RESULT && run->gathered) {
            take_games(run, message->bytes, message->size);
        } else if (message && message->kind == SAY_RESULT) {
            take_shard(run, message->bytes);
        }
        pthread_mutex_unlock(&run->lock);
        if (!left[from] && (!message || message->kind == SAY_LEFT)) {
            left[from] = true;
            still--;
        }
        rank_message_clear(message);
    }
    return NULL;
}

// ---- another rank -------------------------------------------------------------------------------

Block *mpi_schedule_next(Playing *run) {
    RankMessage *message;
    Err err;
    OptionRange range = {0, 0};
    if (run->closed) return NULL;
    rank_send(0, SAY_ASK, &run->schedule->threads, sizeof(int));
    if (rank_receive(0, &message, NULL, &err) == STATUS_OK) {
        memcpy(&range, message->bytes, sizeof range);
    }
    rank_message_clear(message);
    run->closed = range.end == range.first;
    return run->closed ? NULL : playing_add_block(run, range);
}

void mpi_schedule_send_games(const Block *block) {
    AUTO(Text) games = {0};
    for (uint64_t i = 0; i < block->accepted; i++) put_game(&games, &block->slots[i]);
    rank_send(0, SAY_RESULT, games.data, games.length);
}

void mpi_schedule_send_shard(const Playing *run, const StoredShard *shard) {
    const GameSource *source = run->source;
    AUTO(Text) text = {0};
    text_add_bytes(&text, shard, sizeof *shard);
    for (size_t i = 0; i < source->counter_count; i++) {
        uint64_t more;
#pragma omp atomic capture
        {
            more = source->counters[i];
            source->counters[i] = 0;
        }
        text_add_bytes(&text, &more, sizeof more);
    }
    rank_send(0, SAY_RESULT, text.data, text.length);
}

// ---- both ---------------------------------------------------------------------------------------

// Other machines may see a new file in a shared directory some seconds later.
static bool comes_in_sight(const char *path) {
    enum { SIGHT_MS = 10000 };
    for (int ms = 0; access(path, R_OK) != 0; ms += 100) {
        if (ms >= SIGHT_MS) return false;
        nanosleep(&(struct timespec){.tv_nsec = 100 * MS_NS}, NULL);
    }
    return true;
}

// All ranks must see a file that rank 0 makes in the directory.
static Status check_shared(const char *dir, Err *err) {
    char name[40] = "";
    AUTO(Text) path = {0};
    if (rank_self() == 0) {
        snprintf(name, sizeof name, ".token-%llx.tmp.%d", (unsigned long long)clock_now_ns(),
                 (int)getpid());
        text_add(&path, "%s/%s", dir, name);
        FILE *token = fopen(path.data, "w");
        if (!token || fclose(token) != 0) {
            return err_set(err, STATUS_IO, "%s: cannot write into it", dir);
        }
    }
    Status status = ranks_share(name, sizeof name, err);
    if (rank_self() > 0) text_add(&path, "%s/%s", dir, name);
    if (status == STATUS_OK && rank_self() > 0 && !comes_in_sight(path.data)) {
        return err_set(
            err, STATUS_IO,
            "%s is not the directory that MPI rank 0 has: it must be shared, or --gather "
            "sends the games there",
            dir);
    }
    if (status == STATUS_OK) status = ranks_collect(NULL, 0, NULL, NULL, err);
    if (rank_self() == 0) unlink(path.data);
    return status;
}

Status mpi_schedule_begin(Playing *run, Err *err) {
    if (rank_count() == 1) return STATUS_OK;
    run->gathered = run->schedule->gather || run->source->counter_count == 0;
    if (run->schedule->run.dir && !run->gathered) {
        TRY(check_shared(run->schedule->run.dir, err));
    } else {
        TRY(ranks_share(NULL, 0, err));
    }
    if (rank_self() > 0 || pthread_create(&run->server, NULL, serve, run) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot start a thread");
}

Status mpi_schedule_leave(Playing *run, Err *err) {
    if (!run->gathered) mpi_schedule_send_shard(run, &(StoredShard){.name = ""});
    TRY(run->status);
    rank_send(0, SAY_LEFT, NULL, 0);
    return err_set(err, STATUS_ENDED, "%s", "");
}

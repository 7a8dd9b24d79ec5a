// SPDX-License-Identifier: GPL-3.0-or-later
// schedule_play() with several MPI ranks (processes). MPI ranks above 0 request blocks of games
// from MPI rank 0 and play them. If Playing.gathered is set, they send the games to MPI rank 0,
// which stores them. Otherwise they store the games and report each shard to MPI rank 0. Each of
// these ways is a BlockOps.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/ranks.h"
#include "selfplay/run/playing.h"

// Kinds of messages. MPI rank 0 sends SAY_BLOCK. The other MPI ranks send the other messages.
typedef enum Kind {
    SAY_REQUEST, // request for games to play; the content is the sender's number of threads, an int
    SAY_BLOCK,   // numbers of the games that the receiver must play; none if no games remain
    SAY_GAMES,   // finished games, each written by put_game()
    SAY_SHARD,   // description (StoredShard) of a shard that the sender has stored
    SAY_LEFT,    // last message of the sender, which plays no more games
} Kind;

// ---- games as messages --------------------------------------------------------------------------

// Appends a game to a message. All MPI ranks run the same program, so structs are sent as bytes.
// The receiver cannot use a pointer in a struct. If such a pointer is not NULL, the array to which
// it points follows the struct.
static void put_game(Text *out, const Slot *slot) {
    const PlayedGame *played = &slot->played;
    const size_t plies = played->record.ply_count;
    text_add_bytes(out, slot, sizeof *slot);
    if (played->plies) text_add_bytes(out, played->plies, plies * sizeof *played->plies);
    if (played->tags) {
        text_add_bytes(out, played->tags, played->record.tag_count * sizeof *played->tags);
    }
}

// If the sender's pointer `list` was not NULL, reads the array that follows the struct. Returns a
// copy, which the caller must free. Otherwise returns NULL.
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

// ---- functions of MPI rank 0 --------------------------------------------------------------------

// Returns the largest number of games that an MPI rank with this number of threads may receive
// next. The number shrinks towards the end of the run, so that all MPI ranks finish at about the
// same time.
static uint64_t share_of(const Playing *playing, int threads) {
    const uint64_t each = (uint64_t)threads, few = 4 * each;
    uint64_t left = playing->missing_left;
    if (playing->gathered && playing->start_block < playing->block_count) {
        left += block_size(playing->blocks[playing->start_block]) - playing->start_slot;
    }
    const uint64_t share = left / (2 * (uint64_t)mpi_size());
    if (!playing->gathered) return share > few ? share : few;
    // MPI rank 0 ends the run as soon as it has enough games. It gives the other MPI ranks few
    // games at a time, so that few games in progress are lost.
    return share > few ? few : share > each ? share : each;
}

// Next block of MPI rank 0 if the ranks store their games themselves.
static Block *next_share(Playing *playing) {
    OptionRange range;
    const uint64_t most = share_of(playing, playing->schedule->threads);
    return playing_take_range(playing, most, &range) ? playing_add_block(playing, range) : NULL;
}

static void answer_request(Playing *playing, const RankMessage *message) {
    int threads;
    OptionRange range = {0, 0};
    memcpy(&threads, message->bytes, sizeof threads);
    if (playing->gathered) {
        Slot *slot;
        const uint64_t count = playing_start_games(playing, share_of(playing, threads), &slot);
        if (count) range = (OptionRange){slot->index, slot->index + count};
    } else if (!playing_is_over(playing)) {
        playing_take_range(playing, share_of(playing, threads), &range);
    }
    rank_send(message->from, SAY_BLOCK, &range, sizeof range);
}

static void take_games(Playing *playing, const unsigned char *at, size_t size) {
    for (const unsigned char *const end = at + size; at < end;) {
        Slot came;
        at = get_game(at, &came);
        size_t i = playing->accept_block;
        while (playing->blocks[i]->range.end <= came.index) i++;
        Slot *slot = &playing->blocks[i]->slots[came.index - playing->blocks[i]->range.first];
        *slot = MOVE(came);
        playing_finish_game(playing, slot);
    }
}

static void take_message(Playing *playing, const RankMessage *message) {
    if (message->kind == SAY_REQUEST) {
        answer_request(playing, message);
    } else if (message->kind == SAY_GAMES) {
        take_games(playing, message->bytes, message->size);
    } else if (message->kind == SAY_SHARD) {
        const StoredShard *shard = (const StoredShard *)(const void *)message->bytes;
        const PlayedGame sum = {.sums = shard->sums};
        playing_count_shard(playing, shard);
        playing->enough = !playing->source.accept(playing->source.context, &sum);
    }
}

// Thread of MPI rank 0 that answers the other MPI ranks until all of them have left.
static void *serve(void *context) {
    Playing *playing = context;
    AUTO_FREE bool *left = memory_alloc((size_t)mpi_size(), sizeof *left);
    for (int present = mpi_size() - 1; present > 0;) {
        AUTO_POINTER(RankMessage) message = NULL;
        Err err = {0};
        const Status status = rank_receive(RANK_ANY, &message, &err);
        if (left[message->from]) continue;
        pthread_mutex_lock(&playing->lock);
        if (status == STATUS_OK) {
            take_message(playing, message);
        } else if (status != STATUS_INTERRUPTED) {
            playing_fail(playing, status, &err);
        }
        pthread_mutex_unlock(&playing->lock);
        left[message->from] = status != STATUS_OK || message->kind == SAY_LEFT;
        present -= left[message->from];
    }
    return NULL;
}

// ---- functions of the other MPI ranks -----------------------------------------------------------

// Requests the next block from MPI rank 0.
static Block *request_block(Playing *playing) {
    AUTO_POINTER(RankMessage) message = NULL;
    OptionRange range = {0, 0};
    if (playing->closed) return NULL;
    rank_send(0, SAY_REQUEST, &playing->schedule->threads, sizeof(int));
    if (rank_receive(0, &message, NULL) == STATUS_OK) {
        memcpy(&range, message->bytes, sizeof range);
    }
    playing->closed = range.end == range.first;
    return playing->closed ? NULL : playing_add_block(playing, range);
}

static Status send_games(const Playing *playing, const Block *block, StoredShard *shard, Err *err) {
    AUTO(Text) games = {0};
    (void)playing, (void)shard, (void)err;
    for (uint64_t i = block->stored; i < block->accepted; i++) put_game(&games, &block->slots[i]);
    rank_send(0, SAY_GAMES, games.data, games.length);
    return STATUS_OK;
}

static void send_shard(Playing *playing, const StoredShard *shard) {
    (void)playing;
    rank_send(0, SAY_SHARD, shard, sizeof *shard);
}

// GameSource.accept() of the MPI ranks above 0: MPI rank 0 counts their games.
static bool leave_to_rank_0(void *context, const PlayedGame *played) {
    (void)context, (void)played;
    return true;
}

// Checks that all MPI ranks see the same run directory: MPI rank 0 creates a file in it, and the
// others look for this file.
static Status check_shared(const char *dir, Err *err) {
    AUTO(Text) path = {0};
    long long token[] = {clock_now_ns(), getpid()};
    if (mpi_rank() > 0) TRY(ranks_share(token, sizeof token, err));
    text_add(&path, "%s/.token-%llx.tmp.%lld", dir, token[0], token[1]);
    if (mpi_rank() > 0) {
        // In a network file system a new file may become visible to other machines only after some
        // seconds. Wait up to 10 s.
        for (int tries = 0; access(path.data, R_OK) != 0 && tries < 100; tries++) {
            nanosleep(&(struct timespec){.tv_nsec = 100 * MS_NS}, NULL);
        }
        if (access(path.data, R_OK) == 0) return ranks_collect(NULL, 0, NULL, NULL, err);
        return err_set(err, STATUS_IO,
                       "the directory %s is not shared with MPI rank 0; use a shared "
                       "directory, or --gather, which sends all games to MPI rank 0",
                       dir);
    }
    TRY(text_write_file(path.data, "", 0, err));
    Status status = ranks_share(token, sizeof token, err);
    if (status == STATUS_OK) status = ranks_collect(NULL, 0, NULL, NULL, err);
    unlink(path.data);
    return status;
}

Status mpi_schedule_begin(Playing *playing, Err *err) {
    if (mpi_size() == 1) return STATUS_OK;
    playing->gathered = playing->schedule->gather || !playing->source.only_sums;
    if (playing->schedule->run.dir && !playing->gathered) {
        TRY(check_shared(playing->schedule->run.dir, err));
    } else {
        TRY(ranks_share(NULL, 0, err));
    }
    if (mpi_rank() > 0) {
        playing->source.accept = leave_to_rank_0;
        playing->source.wanted = NULL;
        playing->ops = (BlockOps){request_block, playing_write_shard, send_shard};
        if (playing->gathered) playing->ops.store = send_games;
        return STATUS_OK;
    }
    if (!playing->gathered) playing->ops.next = next_share;
    if (pthread_create(&playing->server, NULL, serve, playing) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot start the thread that answers the other MPI ranks");
}

void mpi_schedule_wait(const Playing *playing) {
    if (mpi_size() > 1 && mpi_rank() == 0) pthread_join(playing->server, NULL);
}

void mpi_schedule_leave(Playing *playing) {
    if (mpi_rank() == 0 || playing->status != STATUS_OK) return;
    rank_send(0, SAY_LEFT, NULL, 0);
    playing->status = err_set(&playing->err, STATUS_ENDED, "%s", "");
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule that is being played: scheduler.c hands games out to the threads of this rank and
// takes them back; mpi_schedule.c does so between MPI ranks. All is called under the lock that does
// not say otherwise.
#pragma once

#include <pthread.h>

#include "core/base/text.h"
#include "selfplay/run/scheduler.h"

typedef struct Slot {
    uint64_t index; // of the game
    bool finished;
    bool left_out; // there is no game of this number, or it was not wanted when its turn came
    PlayedGame played;
} Slot;

// Games that will be one shard, or at another rank than 0 go back to it together.
typedef struct Block {
    OptionRange range;
    Slot *slots;       // NULL before the first game is handed out and after the block is done
    uint64_t accepted; // the first so many games were accepted, or left out
    uint64_t stored;   // of these the first so many are on disk
} Block;

// A shard with the accepted games of a block that were not on disk, and their sums.
typedef struct StoredShard {
    OptionRange range;
    char name[SHARD_NAME_SIZE]; // empty: there were no such games
    PlayedSums sums;
} StoredShard;

typedef struct Playing {
    const Schedule *schedule;
    const GameSource *source;
    const Run *opened;
    pthread_mutex_t lock;
    size_t cut_range; // of opened->missing, ...
    uint64_t cut;     // ... and the games of it before which blocks were cut
    uint64_t uncut;   // the other missing games
    Block **blocks;
    size_t block_count, block_capacity;
    size_t hand_block, take_block; // where games are handed out, and accepted
    size_t store_block;            // the first complete one that nobody stores
    uint64_t hand_slot;            // next game of hand_block
    bool enough;                   // accept() has said so
    bool gathered;                 // the games of other ranks go to rank 0
    bool closed;                   // at another rank: rank 0 has no more work
    pthread_t server;              // at rank 0: answers the others
    int64_t stored_ns;             // when a shard was last written
    Status status;                 // of the first failure
    Err err;
} Playing;

static inline uint64_t block_size(const Block *block) {
    return block->range.end - block->range.first;
}

// No game is begun any more.
bool playing_is_over(const Playing *run);
void playing_fail(Playing *run, Status status, const Err *err);
// Cuts a block of at most so many games off what no block has; false: nothing is left.
bool playing_cut(Playing *run, uint64_t most, OptionRange *range);
Block *playing_add_block(Playing *run, OptionRange range);
// Hands out at most so many games of one block, one after the other; 0: none is left.
uint64_t playing_hand_out(Playing *run, uint64_t most, Slot **first);
void playing_take_back(Playing *run, Slot *slot);
// Counts a game, or a shard of another rank.
void playing_accept(Playing *run, const PlayedGame *played);

// Several ranks begin together; at rank 0 run->server ends when the others have left.
Status mpi_schedule_begin(Playing *run, Err *err);
// At another rank: the last words; STATUS_ENDED when all went well.
Status mpi_schedule_leave(Playing *run, Err *err);
// How many games a rank may take of those that are left, so that all ranks end together.
uint64_t mpi_schedule_share(const Playing *run, int threads);
// At another rank: asks for the next block; NULL: there is none.
Block *mpi_schedule_next(Playing *run);
// At another rank: its accepted games go to rank 0; a shard is safe.
void mpi_schedule_send_games(const Block *block);
void mpi_schedule_send_shard(const StoredShard *shard);

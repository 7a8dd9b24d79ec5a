// SPDX-License-Identifier: GPL-3.0-or-later
// The state of schedule_play(), shared by scheduler.c and mpi_schedule.c. scheduler.c distributes
// games to the threads of this MPI rank, mpi_schedule.c to the other MPI ranks. Unless a comment
// says otherwise, a function is called with the lock held.
#pragma once

#include <pthread.h>

#include "core/base/text.h"
#include "selfplay/run/scheduler.h"

// One game of a block.
typedef struct Slot {
    uint64_t index; // number of the game
    bool finished;
    bool left_out; // skipped: the source has no game of this number, or it was no longer needed
    PlayedGame played;
} Slot;

// Consecutive games that become one shard. A block of another MPI rank is returned to MPI rank 0 as
// a whole if MPI rank 0 stores the games.
typedef struct Block {
    OptionRange range;
    Slot *slots;       // [block_size()]; NULL before its first game starts and after it is stored
    uint64_t accepted; // number of games at the start of the block that are accepted or skipped
    uint64_t stored;   // number of games at the start of the block that are on disk
} Block;

// A shard that holds the accepted games of a block that were not yet on disk.
typedef struct StoredShard {
    OptionRange range;
    char name[SHARD_NAME_SIZE]; // empty if there were no such games
    PlayedSums sums;
} StoredShard;

typedef struct Playing {
    const Schedule *schedule;
    const GameSource *source;
    const Run *opened;
    pthread_mutex_t lock;
    size_t cut_range; // index in opened->missing of the range that the next block is taken from
    uint64_t cut;     // first game of this range that is not in a block yet
    uint64_t uncut;   // number of missing games that are not in a block yet
    Block **blocks;   // [block_count], in the order of their games
    size_t block_count, block_capacity;
    size_t hand_block;  // block of the next game to start
    uint64_t hand_slot; // slot of the next game to start
    size_t take_block;  // first block with games that are not accepted
    size_t store_block; // first accepted block that no thread has begun to store
    bool enough;        // accept() has returned false
    bool gathered;      // the games of other MPI ranks are sent to MPI rank 0
    bool closed;        // on another MPI rank: MPI rank 0 has no more work
    pthread_t server;   // on MPI rank 0: the thread that answers the other MPI ranks
    int64_t stored_ns;  // time when a shard was last written
    Status status;      // first failure
    Err err;
} Playing;

static inline uint64_t block_size(const Block *block) {
    return block->range.end - block->range.first;
}

// Returns true if no more games may start: enough games, a failure or an interrupt.
bool playing_is_over(const Playing *playing);
// Records the first failure, which ends the run.
void playing_fail(Playing *playing, Status status, const Err *err);
// Takes the range of the next block, at most `most` games. Returns false if no games remain.
bool playing_cut(Playing *playing, uint64_t most, OptionRange *range);
Block *playing_add_block(Playing *playing, OptionRange range);
// Starts up to `most` consecutive games of one block. Returns their number, 0 if none remain.
uint64_t playing_hand_out(Playing *playing, uint64_t most, Slot **first);
// Marks a game as finished, and accepts all games whose turn has come.
void playing_take_back(Playing *playing, Slot *slot);
// Passes a game to the source, or adds the sums of another MPI rank's shard.
void playing_accept(Playing *playing, const PlayedGame *played);

// ---- several MPI ranks --------------------------------------------------------------------------

// Prepares all MPI ranks. Rank 0 starts playing->server, which ends when the other MPI ranks have
// left.
Status mpi_schedule_begin(Playing *playing, Err *err);
// Leaves the schedule on another MPI rank. Returns STATUS_ENDED on success.
Status mpi_schedule_leave(Playing *playing, Err *err);
// Returns how many games an MPI rank with this number of threads gets next. The share shrinks
// towards the end of the run, so that all MPI ranks end at about the same time.
uint64_t mpi_schedule_share(const Playing *playing, int threads);
// Requests the next block from MPI rank 0, on another MPI rank. Returns NULL if there is none.
Block *mpi_schedule_next(Playing *playing);
// Sends the accepted games of a block to MPI rank 0. Needs no lock.
void mpi_schedule_send_games(const Block *block);
// Tells MPI rank 0 that a shard is stored.
void mpi_schedule_send_shard(const StoredShard *shard);

// SPDX-License-Identifier: GPL-3.0-or-later
// The state of schedule_play(), shared by scheduler.c and mpi_schedule.c. scheduler.c distributes
// games to the threads of this MPI rank. mpi_schedule.c connects MPI ranks: it replaces the
// BlockOps of a rank, and at MPI rank 0 a thread of it takes and finishes games for the other ranks
// with the functions below. While other threads play games, these must be called with playing->lock
// held, except the mpi_schedule functions.
#pragma once

#include <pthread.h>

#include "core/base/text.h"
#include "selfplay/run/scheduler.h"

// One game of a block (struct Block), and whether it was played.
typedef struct Slot {
    uint64_t index; // number of the game in the run
    bool finished;  // the game was played or skipped
    bool skipped;   // the game was skipped: GameSource.fetch() found no game of this number, or
                    // GameSource.wanted() returned false
    PlayedGame played;
} Slot;

// Consecutive games that are stored in one shard, or in several shards if the first ones are stored
// early (SHARD_SECONDS).
typedef struct Block {
    OptionRange range;
    Slot *slots; // games of the block, [block_size()]. NULL before the first game starts. NULL
                 // again after all games were accepted and then passed to BlockOps.store()
    uint64_t accepted; // number of games at the start of the block that were accepted or skipped
    uint64_t stored;   // number of games at the start of the block that BlockOps.store() received
} Block;

// A shard with the accepted games of a block that were not stored yet.
typedef struct StoredShard {
    OptionRange range;
    char name[SHARD_NAME_SIZE]; // file name of the shard; empty if no file was written
    PlayedSums sums;
} StoredShard;

typedef struct Playing Playing;

// The source of the blocks of this process, and the use of their games. scheduler.c has the
// functions of a process that plays alone. mpi_schedule.c has others for MPI ranks.
typedef struct BlockOps {
    // Returns the next block to play, or NULL if no games remain for this process.
    Block *(*next)(Playing *playing);
    // Stores the games block->stored .. block->accepted - 1 of a block, or sends them to MPI rank
    // 0. shard->range is already set. Sets the name and the sums of *shard if a file was written.
    // The lock need not be held.
    Status (*store)(const Playing *playing, const Block *block, StoredShard *shard, Err *err);
    // Reports a shard that store() has written.
    void (*stored)(Playing *playing, const StoredShard *shard);
} BlockOps;

struct Playing {
    const Schedule *schedule;
    GameSource source; // source of the games; on MPI ranks above 0, wanted() and accept() are those
                       // of mpi_schedule.c
    BlockOps ops;
    const Run *opened;
    pthread_mutex_t lock;
    size_t missing_range;  // index in opened->missing of the range that contains the next block
    uint64_t missing_next; // first game in the range `missing_range` that no block contains yet
    uint64_t missing_left; // number of games in opened->missing that no block contains yet
    Block **blocks;        // blocks of this process, [block_count], in the order of their games
    size_t block_count, block_capacity;
    size_t start_block;  // index of the block that contains the next game to start
    uint64_t start_slot; // index of the next game to start, within the block `start_block`
    size_t accept_block; // index of the first block with games that are not accepted yet
    size_t store_block;  // index of the first completely accepted block that no thread has begun to
                         // store
    bool enough;         // source.accept() has returned false: no more games may start
    int64_t stored_ns;   // time at which games were last stored, at first the start of the run, in
                         // the units of clock_now_ns()
    Status status; // status of the first failure, or STATUS_OK; on MPI ranks above 0 that finish
                   // without a failure, STATUS_ENDED at the end
    Err err;
    // The next three members are those of mpi_schedule.c.
    bool gathered;    // the other MPI ranks send their games to MPI rank 0, which stores them; the
                      // blocks of MPI rank 0 then contain all games
    bool closed;      // set on MPI ranks above 0 when rank 0 has no more games for this rank
    pthread_t server; // on MPI rank 0: thread that answers the other MPI ranks
};

static inline uint64_t block_size(const Block *block) {
    return block->range.end - block->range.first;
}

// Returns true if no more games may start, because the source has enough games, something failed,
// or the run was interrupted.
bool playing_is_over(const Playing *playing);
// Ends the run with an error. Only the first error is kept.
void playing_fail(Playing *playing, Status status, const Err *err);
// Sets *range to the next missing games for a new block, at most `most` games of one shard. Returns
// false if no games remain.
bool playing_take_range(Playing *playing, uint64_t most, OptionRange *range);
Block *playing_add_block(Playing *playing, OptionRange range);
// Writes the games of a block into a shard. Does nothing without a run directory.
Status playing_write_shard(const Playing *playing, const Block *block, StoredShard *shard,
                           Err *err);
// Marks up to `most` consecutive games of one block as started; the first is *first. Returns their
// number, or 0 if no game remains or no more games may start.
uint64_t playing_start_games(Playing *playing, uint64_t most, Slot **first);
// Marks a game as finished. Then accepts the finished games in order, up to the first unfinished
// one.
void playing_finish_game(Playing *playing, Slot *slot);
// Prints the line of a shard that this or another MPI rank has stored, and calls source.stored().
void playing_count_shard(Playing *playing, const StoredShard *shard);

// ---- functions for several MPI ranks (mpi_schedule.c) -------------------------------------------

// Connects this MPI rank with the others. Does nothing if there is only one rank. On MPI rank 0,
// starts the thread playing->server, which ends when the other MPI ranks have left.
Status mpi_schedule_begin(Playing *playing, Err *err);
// On MPI rank 0, waits until the other MPI ranks have left.
void mpi_schedule_wait(const Playing *playing);
// On the other MPI ranks, tells MPI rank 0 that this MPI rank plays no more games, and sets the
// status STATUS_ENDED. If a failure ended the games of this MPI rank, tells nothing and keeps the
// status of the failure.
void mpi_schedule_leave(Playing *playing);

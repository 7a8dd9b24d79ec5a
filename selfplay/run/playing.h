// SPDX-License-Identifier: GPL-3.0-or-later
// The state of schedule_play(), shared by scheduler.c and mpi_schedule.c. scheduler.c distributes
// games to the threads of this MPI rank, mpi_schedule.c to the other MPI ranks. While other threads
// play games, the functions below must be called with playing->lock held. Exceptions are
// mpi_schedule_begin(), mpi_schedule_leave(), and functions whose comment says that the lock need
// not be held.
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
// early (SHARD_SECONDS). If MPI rank 0 stores all games, each other MPI rank sends its games to MPI
// rank 0 block by block.
typedef struct Block {
    OptionRange range;
    Slot *slots; // games of the block, [block_size()]. NULL before the first game starts. NULL
                 // again after all games were accepted and then stored, sent to MPI rank 0 or
                 // (without a run directory) discarded
    uint64_t accepted; // number of games at the start of the block that were accepted or skipped
    uint64_t stored;   // number of games at the start of the block that are on disk or were skipped
} Block;

// A shard with the accepted games of a block that were not on disk yet.
typedef struct StoredShard {
    OptionRange range;
    char name[SHARD_NAME_SIZE]; // file name of the shard; empty if this MPI rank stored no games
    PlayedSums sums;
} StoredShard;

typedef struct Playing {
    const Schedule *schedule;
    const GameSource *source;
    const Run *opened;
    pthread_mutex_t lock;
    size_t missing_range;  // index in opened->missing of the range that contains the next block
    uint64_t missing_next; // first game in the range `missing_range` that no block contains yet
    uint64_t missing_left; // number of games in opened->missing that no block contains yet
    Block **blocks; // blocks of this MPI rank, [block_count], in the order of their games; if
                    // `gathered`, the blocks of MPI rank 0 contain all games
    size_t block_count, block_capacity;
    size_t start_block;  // index of the block that contains the next game to start
    uint64_t start_slot; // index of the next game to start, within the block `start_block`
    size_t accept_block; // index of the first block with games that are not accepted yet
    size_t store_block;  // index of the first completely accepted block that no thread has begun to
                         // store
    bool enough;         // source->accept() has returned false: no more games may start
    bool gathered;       // the other MPI ranks send their games to MPI rank 0, which stores them
    bool closed;         // set on MPI ranks above 0 when rank 0 has no more games for this rank
    pthread_t server;    // on MPI rank 0: thread that answers the other MPI ranks
    int64_t stored_ns; // time at which a shard was last written, at first the start of the run, in
                       // the units of clock_now_ns()
    Status status; // status of the first failure, or STATUS_OK; on MPI ranks above 0 that finish
                   // without a failure, STATUS_ENDED at the end
    Err err;
} Playing;

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
// Marks up to `most` consecutive games of one block as started; the first is *first. Returns their
// number, or 0 if no game remains or no more games may start.
uint64_t playing_start_games(Playing *playing, uint64_t most, Slot **first);
// Marks a game as finished. Then accepts the finished games in order, up to the first unfinished
// one.
void playing_finish_game(Playing *playing, Slot *slot);
// Counts a finished game: passes it to source->accept() or, if source->sums is set, adds
// played->sums to it and updates the progress line. With source->sums, *played may also stand for a
// whole shard that another MPI rank has stored, and then holds only the sums of its games.
void playing_accept(Playing *playing, const PlayedGame *played);

// ---- functions for several MPI ranks (mpi_schedule.c) -------------------------------------------

// Prepares this MPI rank. Does nothing if there is only one rank. On MPI rank 0, starts the thread
// playing->server, which ends when the other MPI ranks have left.
Status mpi_schedule_begin(Playing *playing, Err *err);
// Tells MPI rank 0 that this MPI rank plays no more games. Called on the other MPI ranks. Returns
// STATUS_ENDED. If a failure ended the games of this MPI rank, tells nothing and returns the status
// of the failure.
Status mpi_schedule_leave(Playing *playing, Err *err);
// Returns the largest number of games that an MPI rank with this number of threads may receive
// next. A single MPI rank may receive all remaining games. With several ranks the number shrinks
// towards the end of the run, so that all MPI ranks finish at about the same time.
uint64_t mpi_schedule_share(const Playing *playing, int threads);
// Requests the next block from MPI rank 0; called on the other MPI ranks. Returns NULL if no games
// remain.
Block *mpi_schedule_next(Playing *playing);
// Sends the accepted games of a block (consecutive games of a run) to MPI rank 0. playing->lock
// need not be held.
void mpi_schedule_send_games(const Block *block);
// Tells MPI rank 0 that this MPI rank has stored a shard.
void mpi_schedule_send_shard(const StoredShard *shard);

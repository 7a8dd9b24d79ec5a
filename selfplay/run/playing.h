// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule that is being played: scheduler.c hands games out to the threads of this rank and
// takes them back; traffic.c does so between ranks. All but traffic_* and playing_store() is called
// under the lock.
#pragma once

#include "core/base/text.h"
#include "selfplay/run/scheduler.h"

typedef struct Slot {
    uint64_t index; // of the game
    bool finished;
    bool left_out; // there is no game of this number, or it was not wanted when its turn came
    PlayedGame played;
} Slot;

// Games that will be one shard; at another rank than 0 also some that go back to it.
typedef struct Block {
    OptionRange range;
    Slot *slots;       // NULL before the first game is handed out and after the block is done
    uint64_t accepted; // the first so many games were accepted, or left out
    uint64_t stored;   // of these the first so many are on disk
} Block;

// What several ranks say to each other.
typedef struct Traffic {
    bool by_games; // finished games go to rank 0; else each rank stores blocks of its own
    int threads;   // of this rank
    // At another rank.
    bool asked;                // rank 0 for work, without an answer yet
    bool closed;               // no more work will come,
    bool halted;               // and what has not begun is not wanted
    uint64_t waiting, played;  // games that no thread has begun; that are finished
    int64_t begun_ns, told_ns; // when the counters were last sent
    uint64_t *told;            // ... and what they were; [source->counter_count]
    Text outbox;               // finished games
    // At rank 0.
    bool *left; // [ranks]: sends no more
    bool stopped;
} Traffic;

typedef struct Playing {
    const Schedule *schedule;
    const GameSource *source;
    const Run *opened;
    size_t cut_range; // of opened->missing, ...
    uint64_t cut;     // ... and the games of it before which blocks were cut
    uint64_t uncut;   // the other missing games
    Block **blocks;
    size_t block_count, block_capacity;
    size_t hand_block, take_block; // where games are handed out, and accepted
    size_t store_block;            // the first complete one that nobody stores
    uint64_t hand_slot;            // next game of hand_block
    bool enough;                   // accept() has said so
    int resting;                   // threads that have ended
    int64_t stored_ns;             // when a shard was last written
    Traffic traffic;
    Status status; // of the first failure
    Err err;
} Playing;

typedef enum Hand {
    HAND_GAME,
    HAND_BLOCK, // one that is complete, to be stored
    HAND_WAIT,  // there may be more later
    HAND_END,
} Hand;

static inline uint64_t block_size(const Block *block) {
    return block->range.end - block->range.first;
}

// No game is begun any more.
bool playing_is_over(const Playing *run);
void playing_fail(Playing *run, Status status, const Err *err);
// Cuts a range of at most so many games, within a shard, off what no block has; false: nothing is
// left.
bool playing_cut(Playing *run, uint64_t most, OptionRange *range);
Block *playing_add_block(Playing *run, OptionRange range);
Hand playing_hand_out(Playing *run, Slot **slot);
void playing_take_back(Playing *run, Slot *slot);
// The next block whose games are all accepted, for the caller to store; NULL: none waits.
Block *playing_complete(Playing *run);
// Stores such a block, without the lock: several threads pack theirs at once.
void playing_store(Playing *run, Block *block);
// The slot of a game that was handed out.
Slot *playing_find(const Playing *run, uint64_t index);

void traffic_init(Playing *run);
void traffic_clear(Playing *run);
// How many games this rank may take of those that are left, so that all ranks end together.
uint64_t traffic_share(uint64_t left, uint64_t threads);
// What a thread of every rank does until this one's `threads` others rest and, at rank 0, the other
// ranks have left.
void traffic_serve(Playing *run, int threads);
// No games come any more from other ranks.
bool traffic_is_over(const Playing *run);
// At another rank: a game goes back; a shard is safe.
void traffic_post_game(Playing *run, const Slot *slot);
void traffic_post_shard(const char *name, OptionRange range);
// The last words of another rank: STATUS_ENDED when all went well.
Status traffic_leave(Playing *run, Err *err);

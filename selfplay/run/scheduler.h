// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of a run on any number of threads and ranks. Games are handed out in order and
// taken back in order, so that whoever counts them, and the shards, never depend on the threads.
// Self-play and matches differ only in how a game is played and in what is counted.
//
// With several ranks (core/base/ranks.h) all of them call schedule_play(), and rank 0 hands out the
// work. It alone has opened the run; at the others it ends with STATUS_ENDED. Before a command
// calls it again its ranks share something.
#pragma once

#include "datasets/store/run.h"
#include "selfplay/run/play_game.h"

// Numbers of games stay below this: a run's bookkeeping is in memory.
#define GAMES_MAX 1000000000ULL

// How the games of a run are played. play() is called by several threads at once, each with a
// worker of its own; accept() is called under a lock.
typedef struct GameSource {
    void *context;
    // A thread's private memory (searches, a Game).
    void *(*worker_new)(void *context);
    void (*worker_free)(void *worker);
    // Plays game `index`; a function of the context and the index alone.
    Status (*play)(void *context, void *worker, uint64_t index, PlayedGame *played, Err *err);
    // Takes the games in the order of their index. false: enough, this one was the last.
    bool (*accept)(void *context, const PlayedGame *played);
    // Is the game still wanted, after all accepted ones before it? One that is not is left out: not
    // played, accepted, or stored. Once no, for ever no. Called under the lock; NULL: all are.
    bool (*wanted)(void *context, uint64_t index);
    // Fills *played with what play() then begins with; called under a lock in the order of the
    // games. *present false: there is no such game, and it is left out. May be NULL.
    Status (*fetch)(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err);
    // accept() only adds PlayedGame.sums up: other ranks may store their games, and rank 0 accepts
    // the sums of each shard as one game. false: every game goes to rank 0.
    bool only_sums;
} GameSource;

// Shards end when accepted games have waited so long.
enum { SHARD_SECONDS = 300 };

typedef struct Schedule {
    RunSpec run; // where the games go
    int threads;
    uint64_t shard_games; // shards end at multiples of this
    Provenance provenance;
    const ShardLines *lines; // shards are acknowledged there; NULL: nowhere
    bool gather;             // other ranks send their games to rank 0, which stores them
} Schedule;

// Plays the games that are missing of the schedule's run, which the caller has opened, until the
// games are all accepted, accept() says enough, a game fails, or the user interrupts (see
// core/base/interrupt.h; games that have begun are finished first). What was accepted is stored.
Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err);

// The same with a run that this call opens and closes; *present receives the games that it had.
Status schedule_run(const Schedule *schedule, const GameSource *source, Progress *progress,
                    uint64_t *present, Err *err);

// The progress of a run: games, and so many `what` ("plies") a second.
void schedule_show_rate(Progress *progress, uint64_t games, uint64_t count, const char *what);

// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of a run on any number of threads and ranks. Games are handed out in order and
// taken back in order, so that counts and shards never depend on the number of threads.
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

// The private memory of a thread that plays.
typedef struct GameWorker {
    Player **players; // [player_count of the source]; NULL until play() needs them
    Search *openings; // NULL where the source has no weights for it
    OddsGame game;
} GameWorker;

// How the games of a run are played. play() is called by several threads at once, each with a
// worker of its own; accept() is called under a lock.
typedef struct GameSource {
    void *context;
    int player_count;
    const Weights *opening_weights; // of the search that finds openings; NULL: there is none
    double opening_hash_mb;
    const Rules *rules; // of that search
    // Plays game `index`; a function of the context and the index alone.
    Status (*play)(void *context, GameWorker *worker, uint64_t index, PlayedGame *played, Err *err);
    // Takes the games in the order of their index. false: enough, this one was the last.
    bool (*accept)(void *context, const PlayedGame *played);
    // Is the game still wanted, after all accepted ones before it? One that is not is left out: not
    // played, accepted, or stored. Once no, for ever no. Called under the lock; NULL: all are.
    bool (*wanted)(void *context, uint64_t index);
    // Fills *played with what play() then begins with; called under a lock in the order of the
    // games. *present false: there is no such game, and it is left out. May be NULL.
    Status (*fetch)(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err);
    // Used instead of accept(): adds up PlayedGame.sums of all games. Other ranks may then store
    // their games, and rank 0 takes the sums of each shard like those of one game. With NULL, every
    // game goes to rank 0.
    PlayedSums *sums;
    Progress *progress;   // shows the number of games and a rate
    const uint64_t *rate; // the member of *sums whose rate per second is shown, under this name
    const char *rate_name;
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

// Opens a run, plays it like schedule_play() for a source with sums, and closes it. *present
// receives the number of games that it had before, *seconds the duration. Ends the progress line.
Status schedule_run(const Schedule *schedule, const GameSource *source, uint64_t *present,
                    double *seconds, Err *err);

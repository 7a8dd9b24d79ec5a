// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of a run on any number of threads and MPI ranks. Games are started and accepted
// in the order of their index. So counts and shards do not depend on the number of threads.
// Self-play, rescoring and matches differ only in how a game is played and what is counted.
//
// With several MPI ranks (core/base/ranks.h) all of them call schedule_play(), and MPI rank 0
// distributes the games. Only MPI rank 0 has opened the run. On the other MPI ranks schedule_play()
// returns STATUS_ENDED. A command that calls it twice must share something between its MPI ranks in
// between.
#pragma once

#include "datasets/store/run.h"
#include "selfplay/run/play_game.h"

// Game numbers are below this limit, because the bookkeeping of a run is in memory.
#define GAMES_MAX 1000000000ULL

// The private memory of one thread.
typedef struct GameWorker {
    Player **players;       // [player_count of the source]; each is NULL until play() needs it
    Search *opening_search; // search that finds balanced openings; NULL without opening_weights
    OddsGame game;
} GameWorker;

// How the games of a run are played. Several threads call play() at once, each with its own worker.
// The other functions are called under a lock.
typedef struct GameSource {
    void *context;
    int player_count;
    const Weights *opening_weights; // weights of the search for openings; NULL: no such search
    double opening_hash_mb;         // transposition table of that search
    const Rules *rules;             // rules of that search
    // Plays game `index`. The game is a function of the context and the index only.
    Status (*play)(void *context, GameWorker *worker, uint64_t index, PlayedGame *played, Err *err);
    // Receives the games in the order of their index. Returns false to end the run after this game.
    bool (*accept)(void *context, const PlayedGame *played);
    // Returns true if game `index` is still needed after all games accepted before it. A game that
    // is not needed is skipped: it is not played, accepted or stored. Once false for an index, it
    // must stay false. NULL: all games are needed.
    bool (*wanted)(void *context, uint64_t index);
    // Fills *played with the input of play(), in the order of the games. It sets *present to false
    // if there is no game with this index; the index is then skipped. May be NULL.
    Status (*fetch)(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err);
    // If `sums` is given, PlayedGame.sums of all games are added to it and accept() is not called.
    // Other MPI ranks may then store their games themselves, and MPI rank 0 receives the sums of
    // each shard. If it is NULL, every game is sent to MPI rank 0.
    PlayedSums *sums;
    // Called when the run is open, and after each change of `sums`. May be NULL.
    void (*counted)(void *context);
    Progress *progress;   // shows the number of games, and `rate` per second
    const uint64_t *rate; // a member of *sums
    const char *rate_name;
} GameSource;

// A shard is written early if accepted games have waited for this time.
enum { SHARD_SECONDS = 300 };

typedef struct Schedule {
    RunSpec run; // the run directory; without one the games are not stored
    int threads;
    uint64_t shard_games; // shards end at multiples of this number of games
    FILE *out;            // stream for a line per stored shard; NULL: no lines
    bool json;            // lines are JSON objects
    bool gather;          // other MPI ranks send their games to MPI rank 0, which stores them
} Schedule;

// Options of commands that store the games of a run: a settings struct has a member of this type,
// and its rows are SCHEDULE_ROWS(Settings, member).
typedef struct ScheduleOptions {
    const char *out;
    int threads, shard_games;
    bool resume, gather, json, quiet;
} ScheduleOptions;

#define SCHEDULE_ROWS(S, M)                                                                        \
    OPT_TEXT("out", S, M.out, NULL, "DIR", "run directory that receives the games",                \
             OPTION_REQUIRED | OPTION_NEUTRAL),                                                    \
        OPT_FLAG("resume", S, M.resume, "continue the run in --out with the games that it lacks",  \
                 OPTION_NEUTRAL),                                                                  \
        OPT_INT("threads", S, M.threads, 1, 4096, "1", "N",                                        \
                "number of threads; the result does not depend on it", OPTION_NEUTRAL),            \
        OPT_INT("shard-games", S, M.shard_games, 1, 1000000, "256", "N",                           \
                "games per shard file; a crash loses at most the games of the unfinished shards, " \
                "and a shard is written early after 300 s",                                        \
                OPTION_NEUTRAL),                                                                   \
        OPT_FLAG("gather", S, M.gather,                                                            \
                 "under mpirun: MPI rank 0 stores the games of all processes, if they share no "   \
                 "directory",                                                                      \
                 OPTION_NEUTRAL),                                                                  \
        OPT_FLAG("json", S, M.json, "print one JSON object per line", OPTION_NEUTRAL),             \
        OPT_FLAG("quiet", S, M.quiet, "print no progress line", OPTION_NEUTRAL)

// Returns the schedule of a command with these options. The caller sets the wanted games.
Schedule schedule_of_options(const CommandCall *call, const ScheduleOptions *options,
                             const Provenance *provenance);

// Plays the missing games of a run that the caller has opened. Returns when all games are accepted,
// accept() has returned false, a game has failed, or the user has interrupted it. After an
// interrupt (core/base/interrupt.h) the games in progress are finished first. All accepted games
// are stored.
Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err);

// Opens the run, plays its missing games like schedule_play(), and closes it. The source must have
// `sums` and `progress`. *present receives the number of games that the run already had, *seconds
// the duration. Ends the progress line.
Status schedule_run(const Schedule *schedule, const GameSource *source, uint64_t *present,
                    double *seconds, Err *err);

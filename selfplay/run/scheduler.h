// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of a run on any number of threads and MPI ranks (processes). Games are started
// and accepted in the order of their number, so counts and games do not depend on the number of
// threads. Only their distribution over the shard files may depend on it, because a slow shard is
// stored early (SHARD_SECONDS). Self-play, rescoring and contests use this module, each with its
// own GameSource.
//
// With several MPI ranks (core/system/ranks.h) all of them call schedule_play(), and MPI rank 0
// distributes the games. Only MPI rank 0 has opened the run. On the other MPI ranks schedule_play()
// returns STATUS_ENDED instead of STATUS_OK. A command that calls schedule_play() twice must call
// ranks_share() in between, so that no message of the second call arrives during the first.
#pragma once

#include "core/command/common_rows.h"
#include "datasets/store/run.h"
#include "selfplay/run/play_game.h"

// Limit of game numbers: each number is smaller.
#define GAMES_MAX 1000000000ULL
// Returns STATUS_USAGE if the option --games of a command exceeds this limit.
Status schedule_check_games(const OptionRange *games, Err *err);

// Data of one thread that plays games.
typedef struct GameWorker {
    Player **players; // players of this thread, [GameSource.player_count]; a player is NULL until
                      // play() needs it
    Search *opening_search; // search that finds balanced openings; NULL if opening_weights is NULL
    OddsGame game;
} GameWorker;

// Describes how the games of a run are played and what is counted. Several threads call play() at
// the same time, each with its own GameWorker. The other functions are called by one thread at a
// time.
typedef struct GameSource {
    void *context;
    int player_count;
    const Weights *
        opening_weights; // weights of the search that finds balanced openings; NULL: no such search
    double opening_hash_mb; // size of the transposition table of the search for openings, in
                            // megabytes
    const Rules *rules;     // rules that the search for openings uses
    // Plays game number `index`. The result must depend only on the context, the index, and the
    // data of fetch(). STATUS_INTERRUPTED discards the game. If the run continues, play() is called
    // again; sources with fetch() must not need this.
    Status (*play)(void *context, GameWorker *worker, uint64_t index, PlayedGame *played, Err *err);
    // Receives the finished games in the order of their number, on MPI rank 0. Returns false to end
    // the run after this game. If `only_sums` is set, *played may also stand for a whole shard that
    // another MPI rank has stored.
    bool (*accept)(void *context, const PlayedGame *played);
    // True if accept() needs only played->sums, in any order. The other MPI ranks may then store
    // their games themselves and send only the sums of each shard to MPI rank 0. Otherwise they
    // send every game to MPI rank 0.
    bool only_sums;
    // Returns false if game `index` is unnecessary after the games that accept() has received. Such
    // a game is not played, or is discarded if it has already been played. After the function has
    // returned false for an index, it must always return false for this index. Called on MPI rank
    // 0. This function pointer is NULL if all games are needed.
    bool (*wanted)(void *context, uint64_t index);
    // Fills *played with data that play() needs. Each MPI rank calls this function for the games
    // that it plays, in their order. Sets *present to false if there is no game with this index;
    // the game is then skipped. This function pointer is NULL if play() needs no data.
    Status (*fetch)(void *context, uint64_t index, PlayedGame *played, bool *present, Err *err);
    // Called on MPI rank 0 after any MPI rank has stored a shard; may be NULL.
    void (*stored)(void *context);
    Progress *progress; // receives remarks about games; may be NULL
} GameSource;

// If no shard was written for this number of seconds, the accepted games are stored even if their
// shard is not full.
enum { SHARD_SECONDS = 300 };

typedef struct Schedule {
    RunSpec run; // the run directory; if its path is NULL, games are not stored
    int threads;
    uint64_t shard_games; // maximum number of games in a shard; a new shard begins at each multiple
                          // of this number
    FILE *out;   // stream for one line per stored shard, and for the summary; NULL: print nothing
    bool json;   // print the lines in `out` as JSON objects
    bool gather; // the other MPI ranks send their games to MPI rank 0, which stores them
} Schedule;

// Options of commands that store the games of a run. The settings struct of such a command has a
// member of type ScheduleOptions, and its option rows contain SCHEDULE_ROWS(Settings, member).
typedef struct ScheduleOptions {
    const char *out;
    int threads, shard_games;
    bool resume, gather, json, quiet;
} ScheduleOptions;

#define SCHEDULE_ROWS(S, M)                                                                        \
    OPT_TEXT("out", S, M.out, NULL, "DIR", "store the games in this run directory",                \
             OPTION_REQUIRED | OPTION_NEUTRAL),                                                    \
        OPT_FLAG("resume", S, M.resume,                                                            \
                 "continue the run in --out with the games that are missing", OPTION_NEUTRAL),     \
        OPT_INT(                                                                                   \
            "threads", S, M.threads, 1, 4096, "1", "N",                                            \
            "number of games that are played or searched at the same time; " THREADS_HELP_PLAYERS, \
            OPTION_NEUTRAL),                                                                       \
        OPT_INT("shard-games", S, M.shard_games, 1, 1000000, "256", "N",                           \
                "games per shard file; a crash loses at most the games of the unfinished shards, " \
                "and a shard is written early after 300 s",                                        \
                OPTION_NEUTRAL),                                                                   \
        OPT_FLAG("gather", S, M.gather,                                                            \
                 "under mpirun: let MPI rank 0 store the games of all processes; needed if "       \
                 "they share no directory",                                                        \
                 OPTION_NEUTRAL),                                                                  \
        OPT_FLAG("json", S, M.json, "print one JSON object per line", OPTION_NEUTRAL),             \
        OPT_FLAG("quiet", S, M.quiet, "print no progress line", OPTION_NEUTRAL)

// Returns the schedule that these options describe. The caller sets which games the run shall
// contain.
Schedule schedule_of_options(const CommandCall *call, const ScheduleOptions *options,
                             const Provenance *provenance);

// Plays the missing games of a run that the caller has opened. Returns when all games are accepted,
// accept() has returned false, something has failed, or the user has interrupted the run. After an
// interrupt (core/system/interrupt.h) the games that have begun are finished first, except that a
// game whose play() returns STATUS_INTERRUPTED is discarded. All accepted games are stored.
Status schedule_play(const Schedule *schedule, const Run *opened, const GameSource *source,
                     Err *err);

// The numbers that a command reports about a run of which only sums are counted.
typedef struct RunTotals {
    PlayedSums sums;          // sums over the games that this command has played
    uint64_t present;         // number of games that the run contained before this command
    double seconds;           // duration of schedule_run()
    const PlayerSpec *player; // the player, for the remark about the signs of its scores
    bool told;                // this remark was printed
    Progress *progress;     // shows the number of games, and *total divided by the elapsed seconds
    const uint64_t *total;  // member of `sums`, such as the number of positions
    const char *total_name; // name of what *total counts, such as "positions"
} RunTotals;

// Adds the sums of a game or shard that GameSource.accept() has received. Updates the progress
// line, and says once if the scores of the player seem to have the wrong sign.
void run_totals_add(RunTotals *totals, const PlayedGame *played);

// Opens the run, plays its missing games like schedule_play(), and closes the run. Calls
// opened(source->context), if it is not NULL, when totals->present is known. Sets totals->seconds
// and ends the progress line.
Status schedule_run(const Schedule *schedule, const GameSource *source,
                    void (*opened)(void *context), RunTotals *totals, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// The options that matches and tournaments share. A settings struct has a member `ContestOptions
// contest` and the rows CONTEST_ROWS.
#pragma once

#include "core/base/progress.h"
#include "core/notation/notation.h"
#include "datasets/store/store.h"
#include "selfplay/common_options.h"
#include "selfplay/contest/contest.h"
#include "selfplay/run/play_options.h"

typedef struct ContestOptions {
    PlayOptions play;
    uint64_t nodes, seed, most_faults;
    int depth, movetime_ms, threads, margin_ms, patience_s, shard_games;
    const char *tc, *opening_weights, *out, *pgn;
    int pgn_moves;
    double hash_mb;
    bool resume, json, quiet;
} ContestOptions;

// clang-format off
// How games are played.
#define CONTEST_PLAY_ROWS(S)                                                                       \
    ROW_NODES(S, contest.nodes, "1000"),                                                           \
    ROW_DEPTH(S, contest.depth),                                                                   \
    ROW_MOVETIME(S, contest.movetime_ms),                                                          \
    {"tc", OPTION_TEXT, offsetof(S, contest.tc), 0, 0, NULL, "CLOCK",                              \
     "clock of players that name no limit: [MOVES/]TIME[+INCREMENT], seconds or M:SS"},            \
    {"margin", OPTION_INT, offsetof(S, contest.margin_ms), 0, 3600000, "100", "MS",                \
     "overstepping a clock by this much is forgiven"},                                             \
    {"patience", OPTION_INT, offsetof(S, contest.patience_s), 1, 86400, "60", "S",                 \
     "a program without a clock is given up after so long a silence"},                             \
    {"most-faults", OPTION_U64, offsetof(S, contest.most_faults), 0, 0, "10", "N",                 \
     "games that a player may lose by failing before no more are played"},                         \
    {"threads", OPTION_INT, offsetof(S, contest.threads), 1, 4096, "1", "N",                       \
     "games at once; the result by nodes is the same for any number"},                             \
    {"seed", OPTION_U64, offsetof(S, contest.seed), 0, 0, "1", "N", "seed of everything random"},  \
    PLAY_ROWS(S, contest.play),                                                                    \
    {"opening-weights", OPTION_TEXT, offsetof(S, contest.opening_weights), 0, 0, "default",        \
     "NAME|FILE", "weights of the search that finds openings balanced"},                           \
    {"hash", OPTION_REAL, offsetof(S, contest.hash_mb), 0.001, 65536, "1", "MB",                   \
     "table of our engine where a player names none"}

// And where they are stored, and how all is shown.
#define CONTEST_ROWS(S)                                                                            \
    CONTEST_PLAY_ROWS(S),                                                                          \
    {"out", OPTION_TEXT, offsetof(S, contest.out), 0, 0, NULL, "DIR",                              \
     "store the games in this run directory"},                                                     \
    {"pgn", OPTION_TEXT, offsetof(S, contest.pgn), 0, 0, NULL, "FILE",                              \
     "write the games as PGN too, with scores and times; --resume completes it from --out"},       \
    {"pgn-moves", OPTION_CHOICE, offsetof(S, contest.pgn_moves), 0, 0, "iccs", NOTATION_CHOICES,   \
     "the system of its moves"},                                                                   \
    {"resume", OPTION_FLAG, offsetof(S, contest.resume), 0, 0, NULL, NULL,                         \
     "go on with what is in --out: its games are counted first"},                                  \
    {"shard-games", OPTION_INT, offsetof(S, contest.shard_games), 2, 1000000, "16", "N",           \
     "games of one file: what a crash can lose at most"},                                          \
    {"json", OPTION_FLAG, offsetof(S, contest.json), 0, 0, NULL, NULL, "one JSON object a line"},  \
    {"quiet", OPTION_FLAG, offsetof(S, contest.quiet), 0, 0, NULL, NULL, "no progress line"}
// clang-format on

// What the players of a command line are called in its help.
#define CONTEST_PLAYER_HELP                                                                        \
    "A PLAYER is a comma list: weights=classic|default|FILE for our engine, cmd=PROGRAM or\n"      \
    "profile=NAME for another, and nodes=, depth=, st=SECONDS, tc=, threads=, hash=MB, name=,\n"   \
    "log=FILE, option.NAME=VALUE."

// Fills a contest of `count` players given as texts; whats[i] names text i in errors ("--a"). A
// player without a limit of its own gets the common one. contest_clear() and
// book_clear(&things->book) are the caller's in any case.
Status contest_options_resolve(const CommandCall *call, const ContestOptions *options,
                               const char *const *texts, const char *const *whats, int count,
                               PlayThings *things, Contest *contest, Err *err);

// Warns when `wanted` ("pairs", "rounds") are more than there are openings: see
// play_options_warn_repeats().
void contest_options_warn_repeats(const CommandCall *call, const Contest *contest, uint64_t wanted,
                                  const char *what);

// "N of M games ended by faults", when there are any; and how to go on, when it was interrupted.
void contest_options_close(const CommandCall *call, const ContestOptions *options,
                           const uint64_t reasons[END_REASON_COUNT], uint64_t games,
                           bool interrupted);

// The texts of a contest's provenance; contest_papers_clear() frees.
typedef struct ContestPapers {
    Text options, players, source;
    Provenance provenance; // points into the texts
    RunLock *lock;         // of --out; NULL without it
} ContestPapers;

// Takes the directory of --out for this process until contest_papers_clear(), writes the papers,
// and refuses to go on in a directory that was begun with something else, or without --resume;
// `games` are those wanted. STATUS_BUSY when another process plays there.
Status contest_papers(const CommandCall *call, const ContestOptions *options,
                      const Contest *contest, const PlayThings *things, OptionRange games,
                      ContestPapers *papers, Err *err);
void contest_papers_clear(ContestPapers *papers);

// Lets the games' failures and claims be told on lines above the progress.
void contest_options_tell(Contest *contest, Progress *progress);

// Opens the PGN file of --pgn, if there is one, as contest->pgn; after contest_papers(), when the
// directory of --out is known to be this run's. contest_pgn_close(contest->pgn) is the caller's.
Status contest_options_pgn(const CommandCall *call, const ContestOptions *options, Contest *contest,
                           Err *err);

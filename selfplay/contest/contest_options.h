// SPDX-License-Identifier: GPL-3.0-or-later
// Options of `match` and `tournament`, which play contests. Their settings structs have a member
// `ContestOptions contest`, and their option tables contain CONTEST_ROWS. `spsa` has the same
// member, but its option table contains only CONTEST_PLAY_ROWS of these rows. The matches of
// `train`, `ablate` and `term` use the default values of CONTEST_PLAY_ROWS (weights_match.h).
#pragma once

#include "core/notation/notation.h"
#include "selfplay/contest/contest.h"
#include "selfplay/pages/live_page.h"
#include "selfplay/run/play_options.h"

typedef struct ContestOptions {
    PlayOptions play;
    SearchOptions search; // search limits of the players whose PLAYER text sets no limit; the other
                          // members are unused
    uint64_t seed;
    int threads, margin_ms, shard_games;
    const char *out, *pgn, *page;
    int pgn_moves;
    bool resume, verbose, json, quiet;
} ContestOptions;

// Option rows that say how games are played.
#define CONTEST_PLAY_ROWS(S)                                                                       \
    OPT_U64("nodes", S, contest.search.limits.nodes, "1000", "N",                                  \
            "node limit of each search, for players whose PLAYER text has no limit; 0: no limit; " \
            "the default does not apply if --depth, --movetime or --tc is given"),                 \
        ROW_DEPTH(S, contest.search.limits.depth), ROW_MOVETIME(S, contest.search.movetime_ms),    \
        OPT_TEXT("tc", S, contest.search.tc, NULL, "CLOCK",                                        \
                 "clock, for players whose PLAYER text has no limit: [MOVES/]TIME[+INCREMENT], "   \
                 "with times in seconds or M:SS"),                                                 \
        OPT_INT("margin", S, contest.margin_ms, 0, 3600000, "100", "MS",                           \
                "time by which a player may overstep its clock, in milliseconds"),                 \
        OPT_INT("threads", S, contest.threads, 1, 4096, "1", "N",                                  \
                "number of games that are played at the same time; " THREADS_HELP_PLAYERS,         \
                OPTION_NEUTRAL),                                                                   \
        OPT_U64("seed", S, contest.seed, "1", "N", "seed of all random choices"),                  \
        PLAY_ROWS(S, contest.play, PLAY_DEFAULTS_CONTEST)

// Option rows of CONTEST_PLAY_ROWS, and rows for storing games and printing results.
#define CONTEST_ROWS(S)                                                                            \
    CONTEST_PLAY_ROWS(S),                                                                          \
        OPT_TEXT("out", S, contest.out, NULL, "DIR", "store the games in this run directory",      \
                 OPTION_NEUTRAL),                                                                  \
        OPT_TEXT("pgn", S, contest.pgn, NULL, "FILE",                                              \
                 "also write the games to this PGN file, with scores and times; --resume writes "  \
                 "the games in --out to it first; Ordo and BayesElo need --pgn-moves san",         \
                 OPTION_NEUTRAL),                                                                  \
        OPT_CHOICE("pgn-moves", S, contest.pgn_moves, "iccs", NOTATION_CHOICES,                    \
                   "notation of the moves in the PGN file", OPTION_NEUTRAL),                       \
        ROW_PAGE(S, contest.page),                                                                 \
        OPT_FLAG("resume", S, contest.resume,                                                      \
                 "continue the run in --out: count the stored games, then play the missing games", \
                 OPTION_NEUTRAL),                                                                  \
        OPT_INT("shard-games", S, contest.shard_games, 2, 1000000, "16", "N",                      \
                "games per shard file; a crash loses at most the games of unfinished shards",      \
                OPTION_NEUTRAL),                                                                   \
        OPT_FLAG("verbose", S, contest.verbose,                                                    \
                 "print a line for each game, and more results of a match", OPTION_NEUTRAL),       \
        OPT_FLAG("json", S, contest.json, "print one JSON object per line", OPTION_NEUTRAL),       \
        OPT_FLAG("quiet", S, contest.quiet,                                                        \
                 "print no progress line and no lines about single games, such as failures of "    \
                 "players",                                                                        \
                 OPTION_NEUTRAL)

// Help text about option defaults that depend on the players.
#define CONTEST_DEFAULTS_HELP                                                                      \
    "If all players have node limits, the default of --opening-nodes is at most the largest of "   \
    "these limits. If another program plays, the defaults of --resign-score and --draw-score are " \
    "0. "                                                                                          \
    "The output shows these settings, in its first lines unless --json is given."

// Fills *spec with `count` players, given as PLAYER texts, and with the seed, rules, openings and
// clock margin. The caller sets kind, rounds and SPRT of *spec. whats[i] names text i in errors,
// such as "--a"; if `whats` is NULL, errors say "player 1". A player without a limit of its own
// gets the limits of `options`. Changes the defaults of options that were not given: if all players
// have node limits, --opening-nodes is at most the largest of them; --resign-score and --draw-score
// are 0 if a program plays. The caller must always call contest_spec_clear().
Status contest_options_resolve(const CommandCall *call, ContestOptions *options,
                               const char *const *texts, const char *const *whats, int count,
                               ContestSpec *spec, Err *err);

// Adds to a record the settings that decide which openings are kept and which games are
// adjudicated: `opening_window opening_nodes resign_score draw_score`. Omits the first two unless a
// search chooses random openings by their score.
void contest_add_conditions(const ContestSpec *spec, Record *record);
// Prints the settings that contest_add_conditions() adds, as lines of plain text.
void contest_print_conditions(const CommandCall *call, const ContestSpec *spec);

// Fills the provenance of a contest's run; provenance_clear() frees it. Starts each player that is
// a program, to learn its name, evaluation and messages (player_setup_identity()).
Status contest_origin(const CommandCall *call, const ContestOptions *options, ContestSpec *spec,
                      Provenance *origin, Err *err);

// Returns the number of pairs of games that two players can play without repeating games, or 0 if
// it is not limited. It is limited to the number of different openings if a repeated opening always
// repeats the games. This is so under three conditions:
// - All players search with one thread and have only limits of nodes and depth.
// - The openings are not random.
// - --noise-plies is 0, or some pairing consists of two programs, which ignore it.
uint64_t contest_distinct_pairs(const ContestSpec *spec);

// Plays the contest of a command. The caller has filled *spec with contest_options_resolve().
// Stores the games in --out and writes the PGN file of --pgn. Prints failures and false claims of
// players above the progress line. Returns the errors of contest_origin() and contest_run().
Status contest_options_run(const CommandCall *call, const ContestOptions *options,
                           ContestSpec *spec, Progress *progress, ContestDone *done, void *context,
                           ContestResult *result, Err *err);

// If players failed, prints how many games ended by it and where the causes stand. Also prints how
// to continue if the contest was interrupted. Returns `status` if it is a failure, or STATUS_ENGINE
// if every game ended by a failure of a player.
Status contest_options_close(const CommandCall *call, const ContestOptions *options,
                             const ContestResult *result, Status status, Err *err);

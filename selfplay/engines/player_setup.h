// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a player from the command line and loads its weights: either from a PLAYER text, or from
// the options of a command in which one player does all searches. The settings struct of such a
// command usually has a member of type SearchOptions, and its option rows contain
// SEARCH_ROWS(Settings, member, ...).
#pragma once

#include "core/command/common_rows.h"
#include "core/rules/odds_game.h"
#include "datasets/store/store.h"
#include "selfplay/engines/player.h"

// Options that describe the player of a command: our engine with these weights and limits, or the
// player in --player.
typedef struct SearchOptions {
    const char *weights, *player;
    PlayLimits limits; // nodes and depth; the time control comes from the next two members
    int movetime_ms;
    const char *tc; // text of --tc; NULL if it was not given, or if the command has no such option
    double hash_mb;
} SearchOptions;

#define SEARCH_ROWS(S, M, default_weights, default_nodes, default_hash)                            \
    OPT_U64("nodes", S, M.limits.nodes, default_nodes, "N",                                        \
            "node limit of each search; 0: no limit; the default does not apply if --depth or "    \
            "--movetime is given"),                                                                \
        ROW_DEPTH(S, M.limits.depth), ROW_MOVETIME(S, M.movetime_ms),                              \
        OPT_TEXT("weights", S, M.weights, default_weights, "NAME|FILE", WEIGHTS_HELP,              \
                 OPTION_NEUTRAL),                                                                  \
        OPT_TEXT("player", S, M.player, NULL, "PLAYER",                                            \
                 "search with this player instead of our engine (see 'match --help'); "            \
                 "cmd=... is another program; if PLAYER has a search limit, the default of "       \
                 "--nodes does not apply, and --nodes, --depth and --movetime are refused",        \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, default_hash, "MB",                           \
                 "size of each thread's transposition table in megabytes")

typedef struct IdlePlayer IdlePlayer;

// A player with complete limits and loaded weights. Release with player_setup_clear(). After
// player_setup_identity() it must stay where it is, because the started program refers to it.
typedef struct PlayerSetup {
    PlayerSpec spec; // description of the player: our engine or a program, with its limits
    // The next members describe our engine. If the player is a program, player_setup_parse() leaves
    // them empty. player_setup_resolve() then sets them from the options --weights and --hash, for
    // work that the program cannot do, such as balanced openings, evaluations and hints.
    const char *weights_name; // name or path of the weights; borrowed from `spec` or from the
                              // options, or the constant "default"
    Weights *weights;         // owned
    Network *network;         // neural network, owned; NULL without a network
    char weights_hash[SHA256_HEX_SIZE];
    SearchParams params;
    double hash_mb;          // size of the transposition table in mebibytes
    int threads;             // number of threads that search a position together
    const atomic_bool *stop; // flag that ends a search at once when it is set. NULL: a signal that
                             // ends the process abandons a search after one second
    // Holds the program that player_setup_identity() has started, until player_ready() gives it to
    // the first thread that needs the player. NULL without such a program.
    IdlePlayer *idle;
    // player_setup_identity() fills the following members.
    Text evaluation; // evaluation of the player as "NAME HASH network" or "NAME HASH linear"; for a
                     // program the text that it reports, or ""
    Text remarks;    // messages that the program printed after Paotai had set its options
} PlayerSetup;

// Makes a player from a PLAYER text. `what` names the text in errors ("--a"). If the text contains
// no search limit (nodes, depth or time), the player gets the search limits in *options. The
// default of --nodes applies only if neither text nor command line has a limit. `call` and
// `options` may be NULL if the text contains a search limit. The caller must always call
// player_setup_clear(). Returns STATUS_USAGE if the text is invalid or neither text nor options
// limit the search, or the error of loading the weights.
Status player_setup_parse(const CommandCall *call, const SearchOptions *options, const char *text,
                          const char *what, PlayerSetup *setup, Err *err);
// Makes the player of a command in which one player does all searches, from the options. Fills
// the engine of *setup even if the player is a program. The caller must always call
// player_setup_clear(). Returns the errors of player_setup_parse(), and STATUS_USAGE for options
// that contradict keys of
// --player and for the keys ponder= and margin=.
Status player_setup_resolve(const CommandCall *call, const SearchOptions *options,
                            PlayerSetup *setup, Err *err);
// Like player_setup_resolve(), for a command that searches single positions: also refuses tc=, the
// clock of a whole game.
Status player_setup_resolve_judge(const CommandCall *call, const SearchOptions *options,
                                  PlayerSetup *setup, Err *err);
// Refuses --weights and --hash if the player is a program. Only for commands in which our engine
// does nothing if a program is the player.
Status player_setup_refuse_engine(const CommandCall *call, const PlayerSetup *setup, Err *err);
// Checks whether all hash tables of a command can be allocated together: each of `threads` threads
// has a table for each of `count` players (also for programs with hash=), and further tables of
// more_mb mebibytes. Returns STATUS_BAD_INPUT if not; the error states the sum and the limit.
Status player_setup_check_memory(const PlayerSetup *players, int count, double more_mb, int threads,
                                 Err *err);
// Sets a search parameter of our engine, or an option of the program (option.NAME=). A program that
// player_setup_identity() has started with other options is ended.
Status player_setup_set_option(PlayerSetup *setup, const char *name, const char *value, Err *err);
void player_setup_clear(PlayerSetup *setup);
AUTO_VALUE(PlayerSetup, player_setup_clear)

// Appends everything that decides how a player plays, as one line without a line end. For our
// engine: the hash of its weights. For a program: its reported name, the hashes of its files, its
// command, protocol, quirks and directory. For both: limits, margin, threads, table size and
// options. If our engine makes the openings for a program, the hash of its weights comes last.
// Starts a program to read its name; this process then plays the first game. Fills
// setup->evaluation and setup->remarks.
Status player_setup_identity(PlayerSetup *setup, Text *text, Err *err);
// Adds the limits, the weights and the line "player=..." (player_setup_identity()) of the player to
// a provenance.
Status player_setup_origin(PlayerSetup *setup, Provenance *origin, Err *err);

// Creates a player that is our engine with these rules and the limits of setup->spec. Copies
// weights and parameters; the network and the flag `stop` are borrowed.
Player *player_open_engine(const PlayerSetup *setup, const Rules *rules);

// Makes a player ready for a game with the time control of its spec. If *player is NULL, first
// takes the program that player_setup_identity() has started, starts the program, or creates our
// engine with these rules. Restarts a program that has failed. Several threads may call this
// function for the same setup.
// Returns the errors of player_open_program() and player_new_game().
Status player_ready(const PlayerSetup *setup, const Rules *rules, Player **player, Err *err);

// Searches the current position of a game with a player that player_ready() has made ready. If the
// player fails, makes it ready again and repeats the search once. Returns STATUS_OK even if the
// second search fails; *reply then contains the fault. Returns the error of player_ready() if the
// player cannot be made ready again, and STATUS_INTERRUPTED if a signal ended the search.
Status player_search(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                     Player **player, PlayerReply *reply, Err *err);
// Makes the player ready for a new game and then calls player_search(). Returns STATUS_ENGINE if
// *reply then contains a fault, a resignation or no score, or the error of player_ready().
Status player_score(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err);

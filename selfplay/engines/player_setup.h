// SPDX-License-Identifier: GPL-3.0-or-later
// A player with complete limits and loaded weights, made from the command line: from a PLAYER text,
// or from the options of a command in which one player does all searches (SEARCH_ROWS). A settings
// struct has a member of type SearchOptions, and its rows are SEARCH_ROWS(Settings, member, ...).
#pragma once

#include "core/base/common_rows.h"
#include "core/rules/odds_game.h"
#include "datasets/store/store.h"
#include "selfplay/engines/player.h"

// Our engine with these weights and limits, or the player that --player describes.
typedef struct SearchOptions {
    const char *weights, *player;
    uint64_t nodes;
    int depth, movetime_ms;
    const char *tc; // --tc; NULL: not given, or the command has no clock
    double hash_mb;
} SearchOptions;

#define SEARCH_ROWS(S, M, default_weights, default_nodes, default_hash)                            \
    OPT_U64("nodes", S, M.nodes, default_nodes, "N",                                               \
            "node limit of each search; 0: no limit, which is also the default if --depth or "     \
            "--movetime is given"),                                                                \
        ROW_DEPTH(S, M.depth), ROW_MOVETIME(S, M.movetime_ms),                                     \
        OPT_TEXT("weights", S, M.weights, default_weights, "NAME|FILE", WEIGHTS_HELP,              \
                 OPTION_NEUTRAL),                                                                  \
        OPT_TEXT("player", S, M.player, NULL, "PLAYER",                                            \
                 "player that searches instead of our engine, as in 'match --help': cmd=... is "   \
                 "another program; limits in PLAYER replace --nodes, --depth and --movetime",      \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, default_hash, "MB",                           \
                 "transposition table of each thread, in megabytes")

// player_setup_clear() frees it.
typedef struct PlayerSetup {
    PlayerSpec spec;     // our engine or a program, with its limits
    EngineConfig engine; // our engine. If the player is a program: the engine that finds openings
                         // (player_setup_resolve()), or empty (player_setup_parse())
    const char *weights; // name of the engine's weights; borrowed from `spec` or the options
    // Filled by player_setup_identity():
    Text evaluation; // "NAME HASH network" or "NAME HASH linear"; a program may report none
    Text remarks;    // lines that a program printed after its options were set
} PlayerSetup;

// Makes a player from a PLAYER text. `what` names the text in errors ("--a"). A player without a
// limit gets the limits of `options`; the default of --nodes does not apply if another limit is
// given. `call` and `options` may be NULL if the text has a limit. The caller must always call
// player_setup_clear(). Returns STATUS_USAGE if nothing limits the player.
Status player_setup_parse(const CommandCall *call, const SearchOptions *options, const char *text,
                          const char *what, PlayerSetup *setup, Err *err);
// Makes the player of all searches from the options. Ownership and errors are
// those of player_setup_parse().
Status player_setup_resolve(const CommandCall *call, const SearchOptions *options,
                            PlayerSetup *setup, Err *err);
// Refuses --weights and --hash if a program does all searches.
Status player_setup_refuse_engine(const CommandCall *call, const PlayerSetup *setup, Err *err);
void player_setup_clear(PlayerSetup *setup);
AUTO_VALUE(PlayerSetup, player_setup_clear)

// Appends everything that decides how a player plays, on one line: the hash of the weights, or the
// hash of a program's files, its command, protocol, quirks and reported name; limits and options;
// for a program also the hash of the weights that find the openings. Starts a program to read its
// name. Fills `evaluation` and `remarks`.
Status player_setup_identity(PlayerSetup *setup, Text *text, Err *err);
// Adds limits, weights and a line `player=` of the identity to a provenance.
Status player_setup_origin(PlayerSetup *setup, Provenance *origin, Err *err);

// Makes a player ready for a game with the time control of its spec. If *player is NULL, opens the
// program, or our engine with these rules. Restarts a program if needed. Returns the errors of
// player_open_program() and player_new_game().
Status player_ready(const PlayerSetup *setup, const Rules *rules, Player **player, Err *err);

// Searches the present position of a game. After a fault, makes the player ready again and tries
// once more. If the second search fails, too, *reply contains the fault and the function returns
// STATUS_OK. Returns STATUS_ENGINE if the player cannot be made ready.
Status player_search(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                     Player **player, PlayerReply *reply, Err *err);
// Begins a new game and searches like player_search(). A reply without a score is an error
// (STATUS_ENGINE).
Status player_score(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err);

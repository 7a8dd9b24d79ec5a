// SPDX-License-Identifier: GPL-3.0-or-later
// A player that is ready to be used: its limits are complete and its weights are loaded. It is made
// from a PLAYER text, or from the options of a command in which one player does all searches. The
// settings struct of such a command has a member of type SearchOptions, and its option rows contain
// SEARCH_ROWS(Settings, member, ...).
#pragma once

#include "core/base/common_rows.h"
#include "core/rules/odds_game.h"
#include "datasets/store/store.h"
#include "selfplay/engines/player.h"

// Options that describe the player of a command: our engine with these weights and limits, or the
// player in --player.
typedef struct SearchOptions {
    const char *weights, *player;
    uint64_t nodes;
    int depth, movetime_ms;
    const char *tc; // text of --tc; NULL if it was not given, or if the command has no such option
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
                 "search with this player instead of our engine (see 'match --help'); "            \
                 "cmd=... is another program; limits in PLAYER replace --nodes, --depth "          \
                 "and --movetime",                                                                 \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, default_hash, "MB",                           \
                 "size of each thread's transposition table in megabytes")

// A player that is ready to be used. Release with player_setup_clear().
typedef struct PlayerSetup {
    PlayerSpec spec;     // description of the player: our engine or a program, with its limits
    EngineConfig engine; // Our engine as configured by the options. If the player is a program,
                         // this engine finds the openings (after player_setup_resolve()), or is
                         // empty (after player_setup_parse()).
    const char *weights; // name or path of the weights of our engine; borrowed from `spec` or from
                         // the options
    // player_setup_identity() fills the following members.
    Text evaluation; // evaluation as "NAME HASH network" or "NAME HASH linear"; "" for a program
                     // that does not report it
    Text remarks;    // messages that a program printed after its options were set
} PlayerSetup;

// Makes a player from a PLAYER text. `what` names the text in errors ("--a"). A player without a
// limit of its own gets the limits of `options`. The default of --nodes does not apply if another
// limit is given. `call` and `options` may be NULL if the text contains a limit. The caller must
// always call player_setup_clear(). Returns STATUS_USAGE if nothing limits the player.
Status player_setup_parse(const CommandCall *call, const SearchOptions *options, const char *text,
                          const char *what, PlayerSetup *setup, Err *err);
// Makes the player of a command in which one player does all searches. Also loads our engine if the
// player is a program. Ownership and errors are those of player_setup_parse(); options that
// contradict keys of --player are refused, too.
Status player_setup_resolve(const CommandCall *call, const SearchOptions *options,
                            PlayerSetup *setup, Err *err);
// Refuses --weights and --hash if a program does all searches.
Status player_setup_refuse_engine(const CommandCall *call, const PlayerSetup *setup, Err *err);
void player_setup_clear(PlayerSetup *setup);
AUTO_VALUE(PlayerSetup, player_setup_clear)

// Appends everything that decides how a player plays, on one line. For our engine: the hash of the
// weights. For a program: hashes of its files, its command, protocol, quirks and reported name, and
// the hash of the weights that find the openings. For both: limits and options. Starts a program to
// read its name. Fills `evaluation` and `remarks`.
Status player_setup_identity(PlayerSetup *setup, Text *text, Err *err);
// Adds the limits and the weights of the player, and the line `player=` with its identity, to a
// provenance.
Status player_setup_origin(PlayerSetup *setup, Provenance *origin, Err *err);

// Makes a player ready for a game with the time control of its spec. If *player is NULL, first
// starts the program, or creates our engine with these rules. Restarts a program that has failed.
// Returns the errors of player_open_program() and player_new_game().
Status player_ready(const PlayerSetup *setup, const Rules *rules, Player **player, Err *err);

// Searches the current position of a game with a player that player_ready() has made ready. If the
// player fails, makes it ready again and tries once more. If it fails again, *reply contains the
// fault and the function returns STATUS_OK. Returns STATUS_ENGINE if the player cannot be made
// ready.
Status player_search(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                     Player **player, PlayerReply *reply, Err *err);
// Makes the player ready for a new game and then searches like player_search(). Returns
// STATUS_ENGINE if the player fails twice, resigns or reports no score.
Status player_score(const PlayerSetup *setup, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err);

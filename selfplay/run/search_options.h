// SPDX-License-Identifier: GPL-3.0-or-later
// The options of commands in which one player thinks about everything: our engine with given
// weights and limits, or what --player describes.
#pragma once

#include "core/base/common_rows.h"
#include "selfplay/engines/player.h"

typedef struct SearchOptions {
    const char *weights, *player;
    uint64_t nodes;
    int depth, movetime_ms;
    double hash_mb;
} SearchOptions;

#define SEARCH_ROWS(S, M)                                                                          \
    OPT_U64(                                                                                       \
        "nodes", S, M.nodes, "1000", "N",                                                          \
        "nodes of each search; 0: no limit, and none unless given with --depth or --movetime"),    \
        ROW_DEPTH(S, M.depth), ROW_MOVETIME(S, M.movetime_ms),                                     \
        OPT_TEXT("weights", S, M.weights, "default", "NAME|FILE",                                  \
                 "classic, default or a weight file", OPTION_NEUTRAL),                             \
        OPT_TEXT("player", S, M.player, NULL, "PLAYER",                                            \
                 "another player, as 'match --help' explains: cmd=... is another program; its "    \
                 "own limits win",                                                                 \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, "1", "MB", "table of each thread")

// Has the player a limit of its own?
bool player_is_limited(const PlayerSpec *spec);
// Adds what decides how a player plays, on one line: weights by their hash or a program by its
// command and ways of talking, limits, options. `engine` is read where it is no program.
void player_identity(const PlayerSpec *spec, const EngineConfig *engine, Text *text);

// Who thinks, and how long. Release with searcher_clear().
typedef struct Searcher {
    PlayerSpec player;   // with its limits; a program or not
    EngineConfig engine; // our engine as the player says; beside a program: as --weights say
    TimeControl control; // of each move; all zero: not by time
    Text limits;         // "nodes=1000 depth=4": what the searches are limited by
    Text weights;        // for Provenance.weights: names and hash
    Text identity;       // player_identity(), and who finds the openings
} Searcher;

// STATUS_USAGE when nothing limits the searches.
Status searcher_resolve(const CommandCall *call, const SearchOptions *options, Searcher *searcher,
                        Err *err);
void searcher_clear(Searcher *searcher);

// Makes its player ready for a game: a new one where *player is NULL, and again one that has
// failed. The rules are those that our engine searches by.
Status searcher_ready(const Searcher *searcher, const Rules *rules, Player **player, Err *err);

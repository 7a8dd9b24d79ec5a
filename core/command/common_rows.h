// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of option tables, and help texts, that several commands share. In the macros, S is the
// command's settings struct, and M is the member of S that receives the value. A macro without M
// uses the member that has the option's name.
#pragma once

#include "core/command/options.h"

#define ROW_THREADS(S)                                                                             \
    OPT_INT("threads", S, threads, 1, 4096, "1", "N",                                              \
            "number of threads; the result does not depend on it", OPTION_NEUTRAL)
// Part of the help of --threads for commands in which players search. A program or a search with
// several threads or a time limit may answer differently each time.
#define THREADS_HELP_PLAYERS                                                                       \
    "the result does not depend on it, unless a player has a time limit, is another program "      \
    "(cmd=), or searches with several threads (threads=)"
#define ROW_THREADS_PLAYERS(S)                                                                     \
    OPT_INT("threads", S, threads, 1, 4096, "1", "N", "number of threads; " THREADS_HELP_PLAYERS,  \
            OPTION_NEUTRAL)
#define ROW_SEED(S)  OPT_U64("seed", S, seed, "1", "N", "seed of all random choices")
#define ROW_JSON(S)  OPT_FLAG("json", S, json, "print one JSON object per line", OPTION_NEUTRAL)
#define ROW_QUIET(S) OPT_FLAG("quiet", S, quiet, "print no progress line", OPTION_NEUTRAL)
#define ROW_NODES(S, M, value)                                                                     \
    OPT_U64("nodes", S, M, value, "N", "node limit of each search; 0: no limit")
#define DEPTH_HELP      "depth limit of each search in plies"
#define ROW_DEPTH(S, M) OPT_INT("depth", S, M, 0, 100, "0", "N", DEPTH_HELP "; 0: no limit")
#define ROW_MOVETIME(S, M)                                                                         \
    OPT_INT("movetime", S, M, 0, 86400000, "0", "MS",                                              \
            "time limit of each search in milliseconds; 0: no limit (with a limit, results "       \
            "depend on the machine)")
#define WEIGHTS_HELP                                                                               \
    "weights to use: classic, default, best, a weight file or a network file; best is the "        \
    "compiled-in network, or default if the network does not fit the default weights"
#define ROW_WEIGHTS(S)                                                                             \
    OPT_TEXT("weights", S, weights, "default", "NAME|FILE",                                        \
             "weights to use: classic, default or a weight file", OPTION_NEUTRAL)

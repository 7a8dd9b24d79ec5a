// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows that mean the same in every command: same flag, same range, same words.
// S is the settings struct; M its member, else the member's name is
// the row's.
#pragma once

#include "core/base/options.h"

#define ROW_THREADS(S)                                                                             \
    OPT_INT("threads", S, threads, 1, 4096, "1", "N",                                              \
            "threads; the result is the same for any number", OPTION_NEUTRAL)
#define ROW_SEED(S)  OPT_U64("seed", S, seed, "1", "N", "seed of all random choices")
#define ROW_JSON(S)  OPT_FLAG("json", S, json, "one JSON object a line", OPTION_NEUTRAL)
#define ROW_QUIET(S) OPT_FLAG("quiet", S, quiet, "no progress line", OPTION_NEUTRAL)
#define ROW_GATHER(S)                                                                              \
    OPT_FLAG(                                                                                      \
        "gather", S, gather,                                                                       \
        "under mpirun: MPI rank 0 stores the games of all processes, which share no directory",    \
        OPTION_NEUTRAL)
#define ROW_NODES(S, M, value)                                                                     \
    OPT_U64("nodes", S, M, value, "N", "nodes of each search; 0: no limit")
#define DEPTH_HELP      "plies of each search"
#define ROW_DEPTH(S, M) OPT_INT("depth", S, M, 0, 100, "0", "N", DEPTH_HELP "; 0: no limit")
#define ROW_MOVETIME(S, M)                                                                         \
    OPT_INT("movetime", S, M, 0, 86400000, "0", "MS",                                              \
            "milliseconds of each search; 0: no limit (results then depend on the machine)")
#define WEIGHTS_HELP "classic, default, best (a network), a weight file or a network's"
#define ROW_WEIGHTS(S)                                                                             \
    OPT_TEXT("weights", S, weights, "default", "NAME|FILE", "classic, default or a weight file",   \
             OPTION_NEUTRAL)

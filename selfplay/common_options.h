// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows that mean the same in every command: same flag, same range, same words.
// S is the settings struct, M its member.
#pragma once

#include "core/base/common_rows.h"

#define ROW_NODES(S, M, value)                                                                     \
    OPT_U64("nodes", S, M, value, "N", "nodes of each search; 0: no limit")
#define ROW_DEPTH(S, M)                                                                            \
    OPT_INT("depth", S, M, 0, 100, "0", "N", "plies of each search; 0: no limit")
#define ROW_MOVETIME(S, M)                                                                         \
    OPT_INT("movetime", S, M, 0, 86400000, "0", "MS",                                              \
            "milliseconds of each search; 0: no limit (results then depend on the machine)")
#define ROW_WEIGHTS(S)                                                                             \
    OPT_TEXT("weights", S, weights, "default", "NAME|FILE", "classic, default or a weight file",   \
             OPTION_NEUTRAL)

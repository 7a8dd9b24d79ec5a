// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows that mean the same in every command: same flag, same range, same words.
// S is the settings struct, the member's name is the row's.
#pragma once

#include "core/base/common_rows.h"

#define ROW_NODES(S, value)                                                                        \
    {                                                                                              \
        "nodes", OPTION_U64, offsetof(S, nodes), 0, 0, value, "N",                                 \
            "nodes of each search; 0: no limit"                                                    \
    }
#define ROW_DEPTH(S)                                                                               \
    {                                                                                              \
        "depth", OPTION_INT, offsetof(S, depth), 0, 100, "0", "N",                                 \
            "plies of each search; 0: no limit"                                                    \
    }
#define ROW_MOVETIME(S)                                                                            \
    {                                                                                              \
        "movetime", OPTION_INT, offsetof(S, movetime_ms), 0, 86400000, "0", "MS",                  \
            "milliseconds of each search; 0: no limit (results then depend on the machine)"        \
    }
#define ROW_WEIGHTS(S)                                                                             \
    {                                                                                              \
        "weights", OPTION_TEXT, offsetof(S, weights), 0, 0, "default", "NAME|FILE",                \
            "classic, default or a weight file"                                                    \
    }

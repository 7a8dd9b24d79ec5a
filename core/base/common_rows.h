// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows that mean the same in every command: same flag, same range, same words.
// S is the settings struct, the member's name is the row's.
#pragma once

#include "core/base/options.h"

#define ROW_THREADS(S)                                                                             \
    {                                                                                              \
        "threads", OPTION_INT, offsetof(S, threads), 1, 4096, "1", "N",                            \
            "threads; the result is the same for any number"                                       \
    }
#define ROW_SEED(S)                                                                                \
    { "seed", OPTION_U64, offsetof(S, seed), 0, 0, "1", "N", "seed of everything random" }
#define ROW_JSON(S)                                                                                \
    { "json", OPTION_FLAG, offsetof(S, json), 0, 0, NULL, NULL, "one JSON object a line" }
#define ROW_LEVEL(S)                                                                               \
    {                                                                                              \
        "level", OPTION_CHOICE, offsetof(S, level), 0, 0, "fast", "fast|small",                    \
            "how hard files are packed: small takes many times longer for some percent"            \
    }
#define ROW_QUIET(S)                                                                               \
    { "quiet", OPTION_FLAG, offsetof(S, quiet), 0, 0, NULL, NULL, "no progress line" }

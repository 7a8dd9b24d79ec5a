// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows that mean the same in every command: same flag, same range, same words.
// S is the settings struct, the member's name is the row's.
#pragma once

#include "core/base/common_rows.h"
#include "core/rules_options.h"

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
#define ROW_WEIGHTS(S)                                                                             \
    {                                                                                              \
        "weights", OPTION_TEXT, offsetof(S, weights), 0, 0, "default", "NAME|FILE",                \
            "classic, default or a weight file"                                                    \
    }
#define ROW_MAX_PLIES(S)                                                                           \
    {                                                                                              \
        "max-plies", OPTION_INT, offsetof(S, max_plies), 0, 10000, "400", "N",                     \
            "a draw after so many plies; 0: never"                                                 \
    }
#define ROW_RESIGN(S)                                                                              \
    {"resign-score",                                                                               \
     OPTION_INT,                                                                                   \
     offsetof(S, resign_score),                                                                    \
     0,                                                                                            \
     30000,                                                                                        \
     "0",                                                                                          \
     "UNITS",                                                                                      \
     "adjudicate a win when both sides agree on this score; 0: never"},                            \
    {                                                                                              \
        "resign-plies", OPTION_INT, offsetof(S, resign_plies), 1, 100, "6", "N",                   \
            "for so many plies in a row"                                                           \
    }
#define ROW_DRAW(S)                                                                                \
    {"draw-score",                                                                                 \
     OPTION_INT,                                                                                   \
     offsetof(S, draw_score),                                                                      \
     0,                                                                                            \
     30000,                                                                                        \
     "0",                                                                                          \
     "UNITS",                                                                                      \
     "adjudicate a draw when both sides are within this score"},                                   \
        {"draw-plies",                                                                             \
         OPTION_INT,                                                                               \
         offsetof(S, draw_plies),                                                                  \
         0,                                                                                        \
         1000,                                                                                     \
         "0",                                                                                      \
         "N",                                                                                      \
         "for so many plies in a row; 0: never"},                                                  \
    {                                                                                              \
        "draw-after", OPTION_INT, offsetof(S, draw_after), 0, 10000, "120", "N",                   \
            "not before this ply of the game"                                                      \
    }
#define ROW_OPENING(S)                                                                             \
    {"opening-plies",                                                                              \
     OPTION_INT,                                                                                   \
     offsetof(S, opening_plies),                                                                   \
     0,                                                                                            \
     OPENING_MAX_PLIES,                                                                            \
     "8",                                                                                          \
     "N",                                                                                          \
     "random plies at the start of each game"},                                                    \
        {"opening-window",                                                                         \
         OPTION_INT,                                                                               \
         offsetof(S, opening_window),                                                              \
         0,                                                                                        \
         30000,                                                                                    \
         "100",                                                                                    \
         "UNITS",                                                                                  \
         "openings are kept when a search finds them within this score"},                          \
    {                                                                                              \
        "opening-nodes", OPTION_U64, offsetof(S, opening_nodes), 0, 0, "2000", "N",                \
            "nodes of that search; 0: keep every opening"                                          \
    }

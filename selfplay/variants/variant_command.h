// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and option rows of the commands of the group `variant`.
#pragma once

#include "core/command/common_rows.h"
#include "selfplay/stats/sprt.h"
#include "selfplay/variants/variant_game.h"

// The settings of the commands `paotai variant`. Options set some members of `plan` and `player`;
// variant_command_plan() and variant_command_player() make complete copies of these two structs.
typedef struct VariantSettings {
    VariantPlan plan;
    VariantPlayer player;
    const char *rules, *suite, *out, *a, *b, *sprt_elos, *seat, *weights;
    OptionRange games;
    uint64_t pairs;
    int threads, pieces, model;
    SprtSpec sprt;
    bool resume, json, quiet;
} VariantSettings;

// The first sentence of the help of all commands that have the argument GAME.
#define VARIANT_GAMES "GAME is a name that 'paotai variant list' prints. "
#define VARIANT_LIMITS                                                                             \
    "The default of --nodes does not apply if another limit of the search is given."
// Members of the struct Command that are equal in all commands with the argument GAME.
#define VARIANT_COMMAND                                                                            \
    .usage = "GAME", .settings_size = sizeof(VariantSettings), .min_args = 1, .max_args = 1

#define VARIANT_START_ROWS                                                                         \
    OPT_TEXT("rules", VariantSettings, rules, NULL, "NAME",                                        \
             "rule set of banqi: hongkong (default) or taiwan"),                                   \
        OPT_TEXT("fen", VariantSettings, plan.start, NULL, "FEN",                                  \
                 "start position, in place of the usual one")
#define VARIANT_PIECES_ROW                                                                         \
    OPT_CHOICE("pieces", VariantSettings, pieces, "chinese", "chinese|letters",                    \
               "draw pieces as Chinese characters or as letters")
#define VARIANT_WEIGHTS_ROW                                                                        \
    OPT_TEXT("weights", VariantSettings, weights, "default", "NAME|FILE",                          \
             "weights to use: classic (set by hand), default (fitted to games), random (play "     \
             "random turns), or a file that 'tune --rows' wrote",                                  \
             OPTION_NEUTRAL)
#define VARIANT_PLAY_ROWS                                                                          \
    VARIANT_START_ROWS, ROW_NODES(VariantSettings, player.limits.nodes, "1000"),                   \
        ROW_DEPTH(VariantSettings, player.limits.depth),                                           \
        OPT_REAL("hash", VariantSettings, player.hash_mb, 0.001, 65536, "1", "MB",                 \
                 "size of the transposition table in megabytes"),                                  \
        OPT_U64("seed", VariantSettings, plan.seed, "1", "N", "seed of all random choices"),       \
        OPT_INT("max-plies", VariantSettings, plan.draws.max_plies, 0, 5000, "600", "N",           \
                "end the game as a draw after N plies; 0: never"),                                 \
        OPT_INT("no-capture", VariantSettings, plan.draws.no_capture, 0, 5000, "180", "N",         \
                "end a game of banqi as a draw after N plies in which no piece was captured or "   \
                "uncovered; 0: never")
#define VARIANT_RUN_ROWS                                                                           \
    VARIANT_PLAY_ROWS, ROW_THREADS(VariantSettings),                                               \
        OPT_INT("opening-plies", VariantSettings, plan.opening_plies, -1, 100, "-1", "N",          \
                "play this number of random plies at the start of each game; -1: 12 in supply, "   \
                "none in banqi"),                                                                  \
        ROW_JSON(VariantSettings), ROW_QUIET(VariantSettings)

// Fills a plan from the argument GAME and the options. Refuses --rules and --no-capture if they
// have no effect in this game.
Status variant_command_plan(const CommandCall *call, VariantPlan *plan, Err *err);
// Fills a player from the name of its weights and the options. Returns STATUS_USAGE if no option
// limits the search.
Status variant_command_player(const CommandCall *call, const VariantPlan *plan, const char *weights,
                              VariantPlayer *player, Err *err);

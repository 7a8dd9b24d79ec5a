// SPDX-License-Identifier: GPL-3.0-or-later
// Options of commands that play games: rules, openings and adjudication. The settings struct of
// such a command has a member of type PlayOptions, and its option rows contain
// PLAY_ROWS(Settings, member, defaults).
#pragma once

#include "core/rules/rules_options.h"
#include "datasets/store/run.h"
#include "selfplay/engines/player_setup.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/play_game.h"

typedef struct PlayOptions {
    int rules, no_capture; // no_capture: limit of plies without a capture; 0: not given
    const char *book, *odds, *window;
    int order; // order in which the openings of the book are used: 0 shuffled, 1 as in the file
    int book_plies;
    RandomOpening random;
    int noise_plies;
    Adjudication adjudication;
} PlayOptions;

// Defaults of --opening-window, --resign-score and --draw-score for self-play. Only balanced
// openings are kept. No game is adjudicated: the results serve to train the evaluation, so they
// must not depend on its scores.
#define PLAY_DEFAULTS_DATA "100", "0", "0"
// Defaults of --opening-window, --resign-score and --draw-score for contests. Experiment E-091
// (experiments.md) measured how much processor time they save.
#define PLAY_DEFAULTS_CONTEST "300", "1000", "20"

// Entries of an option table for the members of PlayOptions. `defaults` is PLAY_DEFAULTS_DATA or
// PLAY_DEFAULTS_CONTEST.
#define PLAY_ROWS(S, M, defaults) PLAY_ROWS_WITH(S, M, defaults)
#define PLAY_ROWS_WITH(S, M, default_window, default_resign, default_draw)                         \
    RULES_OPTION(S, M.rules),                                                                      \
        OPT_INT("no-capture", S, M.no_capture, 0, 10000, "0", "N",                                 \
                "end a game as a draw after N plies without a capture; 0: 120, or the smallest "   \
                "limit that a player has (quirk no_capture)"),                                     \
        OPT_TEXT("odds", S, M.odds, NULL, "NAME",                                                  \
                 "play with this handicap; 'paotai odds list' shows the names"),                   \
        OPT_TEXT(                                                                                  \
            "openings", S, M.book, NULL, "FILE",                                                   \
            "opening book: lines of FEN or EPD with optional moves after a tab, or a file of "     \
            "games such as PGN",                                                                   \
            OPTION_NEUTRAL),                                                                       \
        OPT_INT("book-plies", S, M.book_plies, 0, BOOK_LINE_PLIES, "60", "N",                      \
                "use at most N plies of each opening of a book"),                                  \
        OPT_CHOICE("order", S, M.order, "random", "random|sequence",                               \
                   "order in which the openings of a book are used; random: shuffled by "          \
                   "the seed, and each is used once before any is repeated"),                      \
        OPT_INT("opening-plies", S, M.random.plies, 0, OPENING_MAX_PLIES, "8", "N",                \
                "play this number of random plies at the start of each game, after the "           \
                "book's moves; with --openings the default is 0"),                                 \
        OPT_TEXT(                                                                                  \
            "opening-window", S, M.window, default_window, "UNITS|LOW:HIGH",                       \
            "choose random plies again until the search score of their final position is "         \
            "within +-UNITS, or between LOW and HIGH, from Red's side; with --odds, relative "     \
            "to the score of the handicap's start position"),                                      \
        OPT_U64("opening-nodes", S, M.random.nodes, "2000", "N",                                   \
                "node limit of the search for --opening-window; 0: no search, openings are kept "  \
                "whatever their score"),                                                           \
        OPT_INT("noise-plies", S, M.noise_plies, 0, 10000, "0", "N",                               \
                "on the first N plies after the opening, our engine chooses at random among its "  \
                "best moves (at most 4, all within 50 units of the best one); other programs "     \
                "play without noise; 0: no noise"),                                                \
        OPT_INT("max-plies", S, M.adjudication.max_plies, 0, 10000, "400", "N",                    \
                "end a game as a draw when it has N plies, including the opening; 0: no limit"),   \
        OPT_INT("resign-score", S, M.adjudication.resign_score, 0, 30000, default_resign, "UNITS", \
                "adjudicate a win if the scores of both players show the same side ahead by at "   \
                "least UNITS on 4 plies in a row (100 units: the classic value of a soldier); 0: " \
                "off"),                                                                            \
        OPT_INT("draw-score", S, M.adjudication.draw_score, 0, 30000, default_draw, "UNITS",       \
                "adjudicate a draw from ply 100 on if the scores of both players are within "      \
                "+-UNITS on 12 plies in a row; 0: off")

// Lowers the limit of plies without a capture to that of a program (quirk no_capture), which holds
// longer games drawn, and says so. Does nothing if --no-capture is given.
void play_options_lower_limit(const CommandCall *call, const PlayOptions *options,
                              const PlayerSpec *player, PlaySpec *play);

// Prints a warning if games will be repeated: if the players are deterministic (no clock, no noise)
// and there are fewer openings than the `wanted` ones. If `noise` is set, --noise-plies could make
// the games differ, and the warning recommends it. `what` is the unit of `wanted`: "pairs", "games"
// or "rounds".
void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings,
                               bool deterministic, bool noise, uint64_t wanted, const char *what);

// Prints where the finished games of an interrupted run are, and how to continue the run. `out` is
// its directory, or NULL if the games were not stored.
void play_options_interrupted(const CommandCall *call, const char *out);

// Fills *play and *openings from the options. The caller must always call opening_source_clear().
Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Err *err);

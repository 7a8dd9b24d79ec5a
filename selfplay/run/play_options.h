// SPDX-License-Identifier: GPL-3.0-or-later
// The options of commands in which one player thinks about everything: SEARCH_ROWS and
// SearchOptions. And those of every command that plays games, PLAY_ROWS and PlayOptions: rules,
// openings, and when a game ends early. A settings struct has a member of the type, and the rows
// ROWS(Settings, member).
#pragma once

#include "core/base/common_rows.h"
#include "core/rules/rules_options.h"
#include "datasets/store/run.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/play_game.h"

// --nodes, --depth, --movetime and --tc (NULL: not given).
typedef struct CommonLimits {
    uint64_t nodes;
    int depth, movetime_ms;
    const char *tc;
} CommonLimits;

// Our engine with given weights and limits, or what --player describes.
typedef struct SearchOptions {
    const char *weights, *player;
    CommonLimits limits;
    double hash_mb;
} SearchOptions;

#define SEARCH_ROWS(S, M, default_nodes, default_hash)                                             \
    OPT_U64("nodes", S, M.limits.nodes, default_nodes, "N",                                        \
            "nodes of each search; 0: no limit, also if only --depth or --movetime is given"),     \
        ROW_DEPTH(S, M.limits.depth), ROW_MOVETIME(S, M.limits.movetime_ms),                       \
        OPT_TEXT("weights", S, M.weights, "default", "NAME|FILE", WEIGHTS_HELP, OPTION_NEUTRAL),   \
        OPT_TEXT("player", S, M.player, NULL, "PLAYER",                                            \
                 "another player ('match --help' explains): cmd=... is another program; its own "  \
                 "limits come first",                                                              \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, default_hash, "MB", "table of each thread")

// Gives these limits to a player that has none of its own; the default of --nodes gives way to
// another limit. STATUS_USAGE when nothing limits it.
Status player_limit(const CommandCall *call, const CommonLimits *limits, PlayerSpec *spec,
                    Err *err);
// Adds what decides how a player plays, on one line: weights by their hash or a program by its
// files, its command, ways of talking and the name that it gives (it is started for that), limits,
// options. `engine` is read where it is no program. `about` (NULL: not wanted) gets what the player
// says of itself; player_about_clear() frees.
typedef struct PlayerAbout {
    Text evaluation; // what evaluates: "NAME HASH network" or "NAME HASH linear"; empty: unknown
    Text remarks;    // lines of a program, after its options were set
} PlayerAbout;
void player_about_clear(PlayerAbout *about);
Status player_identity(const PlayerSpec *spec, const EngineConfig *engine, Text *text,
                       PlayerAbout *about, Err *err);

// The player of all searches, and its limits. Release with searcher_clear().
typedef struct Searcher {
    PlayerSpec player;   // with its limits; a program or not
    EngineConfig engine; // our engine as the player says; beside a program: as --weights say
    const char *weights; // as they are named; borrowed
} Searcher;

// STATUS_USAGE when nothing limits the searches.
Status searcher_resolve(const CommandCall *call, const SearchOptions *options, Searcher *searcher,
                        Err *err);
// Refuses --weights and --hash if another program does all searches.
Status searcher_refuse_engine(const CommandCall *call, const Searcher *searcher, Err *err);
// Adds player_identity(), and who finds the openings.
Status searcher_identity(const Searcher *searcher, Text *text, Err *err);
// Writes down limits and weights, and a line `player=` of the identity.
Status searcher_origin(const Searcher *searcher, Provenance *origin, Err *err);
void searcher_clear(Searcher *searcher);
AUTO_VALUE(Searcher, searcher_clear)

// player_ready() with its player.
Status searcher_ready(const Searcher *searcher, const Rules *rules, Player **player, Err *err);

// Asks for the move of the game's present position, and once more where the answer is none: then
// *player is made ready again. A failed reply is no error; STATUS_ENGINE when it cannot be made
// ready.
Status searcher_ask(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err);
// The same in a new game; here an answer without a score is an error (STATUS_ENGINE).
Status searcher_score(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                      Player **player, PlayerReply *reply, Err *err);

// ---- playing ------------------------------------------------------------------------------------

typedef struct PlayOptions {
    int rules;
    const char *openings, *odds, *window;
    int order; // 0 shuffled, 1 in sequence
    int book_plies;
    RandomOpening random;
    int noise_plies;
    Adjudication adjudication;
} PlayOptions;

#define PLAY_ROWS(S, M)                                                                            \
    RULES_OPTION(S, M.rules),                                                                      \
        OPT_TEXT("odds", S, M.odds, NULL, "NAME", "play a handicap ('paotai odds list')"),         \
        OPT_TEXT("openings", S, M.openings, NULL, "FILE",                                          \
                 "opening book: lines of FEN or EPD, optionally a tab and moves; or PGN",          \
                 OPTION_NEUTRAL),                                                                  \
        OPT_INT("book-plies", S, M.book_plies, 0, BOOK_LINE_PLIES, "60", "N",                      \
                "at most so many plies of each opening of a book"),                                \
        OPT_CHOICE(                                                                                \
            "order", S, M.order, "random", "random|sequence",                                      \
            "order of the book's openings; random: by the seed, each once before any repeats"),    \
        OPT_INT("opening-plies", S, M.random.plies, 0, OPENING_MAX_PLIES, "8", "N",                \
                "random plies at the start of each game; with a book the default is 0"),           \
        OPT_TEXT("opening-window", S, M.window, "100", "UNITS|LOW:HIGH",                           \
                 "keep random plies if a search scores them within +-UNITS, or between LOW and "   \
                 "HIGH for Red"),                                                                  \
        OPT_U64("opening-nodes", S, M.random.nodes, "2000", "N",                                   \
                "nodes of that search; 0: keep every opening"),                                    \
        OPT_INT("noise-plies", S, M.noise_plies, 0, 10000, "0", "N",                               \
                "for N plies after the opening, draw one of the 4 best moves within 50 "           \
                "units of the best; 0: never"),                                                    \
        OPT_INT("max-plies", S, M.adjudication.max_plies, 0, 10000, "400", "N",                    \
                "end the game as a draw after N plies; 0: never"),                                 \
        OPT_INT("resign-score", S, M.adjudication.resign_score, 0, 30000, "0", "UNITS",            \
                "adjudicate a win when both sides agree on this score 4 plies in a row; 0: "       \
                "never"),                                                                          \
        OPT_INT("draw-score", S, M.adjudication.draw_score, 0, 30000, "0", "UNITS",                \
                "adjudicate a draw, from ply 100 on, when both sides are within this score 12 "    \
                "plies in a row; 0: never")

// Says on the error stream when `wanted` openings ("pairs", "games") are more than there are, so
// that players who decide alike each time (`alike`: no clock, no noise) play games twice and count
// them twice.
void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings, bool alike,
                               uint64_t wanted, const char *what);

// Says how to go on with a run that was interrupted; out NULL: that nothing was stored.
void play_options_interrupted(const CommandCall *call, const char *out);

// Turns the options into what is to be played; opening_source_clear() is the caller's in any case.
Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Options of commands in which one player does all searches (SEARCH_ROWS, SearchOptions), and of
// commands that play games (PLAY_ROWS, PlayOptions: rules, openings, early ends). A settings struct
// has a member of the type, and its rows are ROWS(Settings, member, ...).
#pragma once

#include "core/base/common_rows.h"
#include "core/rules/rules_options.h"
#include "datasets/store/run.h"
#include "selfplay/openings/opening.h"
#include "selfplay/run/play_game.h"

// Our engine with these weights and limits, or the player that --player describes.
typedef struct SearchOptions {
    const char *weights, *player;
    uint64_t nodes;
    int depth, movetime_ms;
    const char *tc; // --tc; NULL: not given, or the command has no clock
    double hash_mb;
} SearchOptions;

#define SEARCH_ROWS(S, M, default_weights, default_nodes, default_hash)                            \
    OPT_U64("nodes", S, M.nodes, default_nodes, "N",                                               \
            "node limit of each search; 0: no limit, which is also the default if --depth or "     \
            "--movetime is given"),                                                                \
        ROW_DEPTH(S, M.depth), ROW_MOVETIME(S, M.movetime_ms),                                     \
        OPT_TEXT("weights", S, M.weights, default_weights, "NAME|FILE", WEIGHTS_HELP,              \
                 OPTION_NEUTRAL),                                                                  \
        OPT_TEXT("player", S, M.player, NULL, "PLAYER",                                            \
                 "player that searches instead of our engine, as in 'match --help': cmd=... is "   \
                 "another program; limits in PLAYER replace --nodes, --depth and --movetime",      \
                 OPTION_NEUTRAL),                                                                  \
        OPT_REAL("hash", S, M.hash_mb, 0.001, 65536, default_hash, "MB",                           \
                 "transposition table of each thread, in megabytes")

// Gives the limits of `options` to a player that has none of its own. The default of --nodes does
// not apply if another limit is given. Returns STATUS_USAGE if nothing limits the player.
Status player_limit(const CommandCall *call, const SearchOptions *options, PlayerSpec *spec,
                    Err *err);

// Output of a player about itself. player_about_clear() frees it.
typedef struct PlayerAbout {
    Text evaluation; // its evaluation, as "NAME HASH network" or "NAME HASH linear"; may be empty
    Text remarks;    // lines that a program printed after its options were set
} PlayerAbout;
void player_about_clear(PlayerAbout *about);

// Appends everything that decides how a player plays, on one line: the hash of the weights, or the
// hash of a program's files, its command, protocol, quirks and reported name; limits and options. A
// program is started to read its name. `engine` is used if the player is no program. Fills *about
// unless it is NULL.
Status player_identity(const PlayerSpec *spec, const EngineConfig *engine, Text *text,
                       PlayerAbout *about, Err *err);

// The player of all searches. searcher_clear() frees it.
typedef struct Searcher {
    PlayerSpec player;   // our engine or a program, with its limits
    EngineConfig engine; // our engine; if the player is a program, an engine that finds openings
    const char *weights; // name of the engine's weights; borrowed
} Searcher;

// Fills *searcher from the options. Returns STATUS_USAGE if nothing limits the searches.
Status searcher_resolve(const CommandCall *call, const SearchOptions *options, Searcher *searcher,
                        Err *err);
// Refuses --weights and --hash if a program does all searches.
Status searcher_refuse_engine(const CommandCall *call, const Searcher *searcher, Err *err);
// Appends player_identity() and, for a program, the hash of the weights that find the openings.
Status searcher_identity(const Searcher *searcher, Text *text, Err *err);
// Adds limits, weights and a line `player=` of the identity to a provenance.
Status searcher_origin(const Searcher *searcher, Provenance *origin, Err *err);
void searcher_clear(Searcher *searcher);
AUTO_VALUE(Searcher, searcher_clear)

// Calls player_ready() for the searcher's player, which starts it if needed and begins a game.
Status searcher_ready(const Searcher *searcher, const Rules *rules, Player **player, Err *err);

// Searches the present position of a game. After a fault, makes the player ready again and tries
// once more. A second fault is left in *reply and is no error. Returns STATUS_ENGINE if the player
// cannot be made ready.
Status searcher_ask(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                    Player **player, PlayerReply *reply, Err *err);
// Begins a new game and searches like searcher_ask(). A reply without a score is an error
// (STATUS_ENGINE).
Status searcher_score(const Searcher *searcher, const Rules *rules, const OddsGame *og,
                      Player **player, PlayerReply *reply, Err *err);

// ---- playing ------------------------------------------------------------------------------------

typedef struct PlayOptions {
    int rules;
    const char *openings, *odds, *window;
    int order; // order of the book: 0 shuffled, 1 in sequence
    int book_plies;
    RandomOpening random;
    int noise_plies;
    Adjudication adjudication;
} PlayOptions;

#define PLAY_ROWS(S, M)                                                                            \
    RULES_OPTION(S, M.rules),                                                                      \
        OPT_TEXT("odds", S, M.odds, NULL, "NAME",                                                  \
                 "play with this handicap; 'paotai odds list' shows the names"),                   \
        OPT_TEXT(                                                                                  \
            "openings", S, M.openings, NULL, "FILE",                                               \
            "opening book: lines of FEN or EPD with optional moves after a tab, or a file of "     \
            "games such as PGN",                                                                   \
            OPTION_NEUTRAL),                                                                       \
        OPT_INT("book-plies", S, M.book_plies, 0, BOOK_LINE_PLIES, "60", "N",                      \
                "use at most N plies of each opening of a book"),                                  \
        OPT_CHOICE("order", S, M.order, "random", "random|sequence",                               \
                   "order of the book's openings; random: shuffled by the seed, each is used "     \
                   "once before any "                                                              \
                   "repeats"),                                                                     \
        OPT_INT("opening-plies", S, M.random.plies, 0, OPENING_MAX_PLIES, "8", "N",                \
                "random plies at the start of each game, after the book's moves; with a book the " \
                "default is 0"),                                                                   \
        OPT_TEXT("opening-window", S, M.window, "100", "UNITS|LOW:HIGH",                           \
                 "keep random plies only if a search scores the position within +-UNITS, or "      \
                 "from LOW to HIGH from Red's side"),                                              \
        OPT_U64("opening-nodes", S, M.random.nodes, "2000", "N",                                   \
                "node limit of the search for --opening-window; 0: keep every opening"),           \
        OPT_INT("noise-plies", S, M.noise_plies, 0, 10000, "0", "N",                               \
                "on the first N plies after the opening, play a random one of the best 4 moves "   \
                "that score within 50 units of the best; 0: no noise"),                            \
        OPT_INT("max-plies", S, M.adjudication.max_plies, 0, 10000, "400", "N",                    \
                "end a game as a draw after N plies, which include the opening; 0: no limit"),     \
        OPT_INT("resign-score", S, M.adjudication.resign_score, 0, 30000, "0", "UNITS",            \
                "adjudicate a win if both sides see one side ahead by at least UNITS on 4 plies "  \
                "in a row; 0: off"),                                                               \
        OPT_INT("draw-score", S, M.adjudication.draw_score, 0, 30000, "0", "UNITS",                \
                "adjudicate a draw from ply 100 on if all scores of 12 plies in a row are within " \
                "+-UNITS; 0: off")

// Warns on the error stream if more openings are wanted than exist and the players are
// deterministic (no clock, no noise): they would then repeat games. `what` is the unit of `wanted`:
// "pairs", "games" or "rounds".
void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings,
                               bool deterministic, uint64_t wanted, const char *what);

// Prints how to continue an interrupted run. `out` NULL: the games were not stored.
void play_options_interrupted(const CommandCall *call, const char *out);

// Fills *play and *openings from the options. The caller calls opening_source_clear() in any case.
Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Err *err);

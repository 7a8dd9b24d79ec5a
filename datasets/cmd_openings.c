// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data openings: prints the tree of first moves, or the players, with results.
#include "core/command/common_rows.h"
#include "datasets/store/openings.h"

typedef struct OpeningSettings {
    OpeningsSpec spec; // the table or tree to compute; the command-line options set every member
                       // except `json`
    bool json, quiet;
} OpeningSettings;

static const OptionRow opening_rows[] = {
    OPT_INT("depth", OpeningSettings, spec.depth, 1, OPENINGS_MAX_DEPTH, "6", "N",
            "print the tree of the first N plies"),
    OPT_INT("min-games", OpeningSettings, spec.min_games, 1, 1000000000, "10", "N",
            "omit moves (or players) with fewer games than this"),
    OPT_FLAG("players", OpeningSettings, spec.players,
             "print a table of the players named in the tags of the games, instead of the tree of "
             "moves"),
    OPT_TEXT("out", OpeningSettings, spec.page_path, NULL, "FILE",
             "write the tree or table as an HTML page to this file"),
    ROW_JSON(OpeningSettings),
    ROW_QUIET(OpeningSettings),
    OPTION_END,
};

static Status run_openings(const CommandCall *call, Err *err) {
    const OpeningSettings *settings = call->settings;
    OpeningsSpec spec = settings->spec;
    Progress progress;
    if (spec.players) {
        TRY(command_refuse_change(call, "depth", "--players prints no tree of moves", err));
    }
    spec.json = settings->json;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    return openings_print(&spec, call->args, (size_t)call->arg_count, call->out, &progress, err);
}

const Command command_data_openings = {
    .name = "data openings",
    .summary = "print the tree of first moves, or a table of the players",
    .usage = "DIR|FILE...",
    .details =
        "paotai data openings --depth 4 build/games\n"
        "paotai data openings --min-games 50 --out openings.html build/games\n"
        "paotai data openings --players build/imported\n\n"
        "A line of moves and its mirror image are counted together. Wins, draws, losses and Elo "
        "(with its 95 % error) are those of the side that plays the move, over all games that "
        "begin with the line up to this move. The score is the mean search score of the position "
        "after the move, from Red's side, over the games in which it is known and not a mate. The "
        "last lines count the games. With --players, `games` counts all games. Otherwise it counts "
        "the games in the tree; other_starts are games from other start positions or with extra "
        "moves of odds, and games_open are games without a result. A player's Elo is relative to "
        "the average of his opponents.",
    .rows = opening_rows,
    .settings_size = sizeof(OpeningSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_openings,
};

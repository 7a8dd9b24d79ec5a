// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data find: finds the games in which a position, a set of pieces or a term of the
// evaluation occurs.
#include "core/command/common_rows.h"
#include "datasets/exchange/find.h"

typedef struct FindSettings {
    FindSpec spec; // the search to run; the command-line options set every member except `json`
    bool json, quiet;
} FindSettings;

static const OptionRow find_rows[] = {
    OPT_TEXT("fen", FindSettings, spec.fen, NULL, "FEN",
             "find games with this position or its mirror image"),
    OPT_TEXT("line", FindSettings, spec.line, NULL, "MOVES",
             "find games with the position, or its mirror image, that these moves (in any "
             "notation) reach from the initial position"),
    OPT_TEXT("material", FindSettings, spec.material, NULL, "PIECES",
             "find games with a position that has exactly these pieces and the generals, or the "
             "same pieces with exchanged colours; Red's pieces are capital letters: 'RP aabb'"),
    OPT_TEXT("term", FindSettings, spec.term, NULL, "PATTERN",
             "find positions in which an entry of a term of the evaluation, such as a square of a "
             "table, occurs more often for one side than for the other; PATTERN is the name of a "
             "term and may contain * and ?"),
    OPT_INT("limit", FindSettings, spec.limit, 0, 1000000000, "20", "N",
            "print at most this number of lines; further results are still counted",
            OPTION_NEUTRAL),
    OPT_TEXT("out", FindSettings, spec.out, NULL, "FILE",
             "also write the found games to this file; its ending selects a format of 'data "
             "export'; with FOLDER/, write an xqf file for each game to this folder"),
    ROW_JSON(FindSettings),
    ROW_QUIET(FindSettings),
    OPTION_END,
};

static Status run_find(const CommandCall *call, Err *err) {
    const FindSettings *settings = call->settings;
    FindSpec spec = settings->spec;
    Progress progress;
    spec.json = settings->json;
    progress_init(&progress, call->err, settings->quiet || !spec.out, "games", 0);
    return find_games(&spec, call->args, (size_t)call->arg_count, call->out, &progress, err);
}

const Command command_data_find = {
    .name = "data find",
    .summary = "find the games in which a position, pieces or a term occur",
    .usage = "DIR|FILE...",
    .details =
        "paotai data find --line 'C2=5 H8+7' build/games\n"
        "paotai data find --fen '3k5/9/9/9/9/9/9/9/4P4/4K4 w' --out found.pgn build/games\n"
        "paotai data find --material 'RP aabb' --limit 100 build/games\n"
        "paotai data find --term safe_check --limit 5 build/games\n\n"
        "Each game has a line: its number, the ply at which the position or its mirror image is "
        "first reached, the result, the score there from Red's side, the move played, and the "
        "players. With --term each position that is found has a line with fields separated by "
        "tabs: game, ply, result, how often Red and Black have the term, FEN. The last lines are "
        "totals; `positions` counts a position each time it occurs. 'show --data DIR --game N "
        "--ply P' draws the "
        "position after ply P of game N. The page of 'view DIR' opens at this position if #N/P is "
        "appended to the address of the page.",
    .rows = find_rows,
    .settings_size = sizeof(FindSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_find,
};

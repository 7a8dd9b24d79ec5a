// SPDX-License-Identifier: GPL-3.0-or-later
// paotai show: draws a position, or a position of a stored game, in the terminal.
#include "core/command/common_rows.h"
#include "core/notation/notation.h"
#include "datasets/exchange/show.h"

static const OptionRow show_rows[] = {
    OPT_TEXT("moves", ShowSpec, moves, NULL, "MOVES",
             "play these moves (separated by blanks) from the FEN, and mark the last move"),
    OPT_CHOICE("from", ShowSpec, from, "uci", NOTATION_CHOICES, "notation of the moves in --moves"),
    OPT_TEXT("data", ShowSpec, data, NULL, "DIR",
             "show a game of this run directory or shard, not a FEN"),
    OPT_U64("game", ShowSpec, game, "0", "N", "number, in the run of --data, of the game to show"),
    OPT_INT("ply", ShowSpec, ply, -1, 1e6, "-1", "N",
            "play this number of plies of the game before showing the position; -1: play all"),
    OPT_CHOICE("pieces", ShowSpec, pieces, "chinese", "chinese|letters",
               "draw pieces as Chinese characters or as letters"),
    OPT_CHOICE("dialect", ShowSpec, dialect, "uci", "uci|cecp|qh",
               "print the FEN below the board in this dialect"),
    OPT_CHOICE("color", ShowSpec, colour, "auto", "auto|always|never",
               "use colours; auto: only if the output is a terminal and the environment variable "
               "NO_COLOR is not set"),
    OPT_FLAG("black-below", ShowSpec, black_below, "draw the board from Black's side"),
    ROW_JSON(ShowSpec),
    OPT_FLAG("board-only", ShowSpec, board_only, "omit the tags and moves of a stored game"),
    OPTION_END,
};

static Status run_show(const CommandCall *call, Err *err) {
    const ShowSpec *spec = call->settings;
    if (!spec->data) {
        TRY(command_refuse_change(call, "game ply board-only",
                                  "no stored game is shown; give --data DIR, too", err));
    }
    return show_position(spec, call->args, call->arg_count, call->out, err);
}

const Command command_show = {
    .name = "show",
    .summary = "draw a position, or a position of a stored game",
    .usage = "[FEN|-]",
    .details =
        "paotai show --moves 'h2e2 h9g7'\n"
        "head -n 1 positions.fen | paotai show -\n"
        "paotai show --data runs/first --game 17 --ply 40\n\n"
        "Without a FEN, show begins at the start position. With '-' it reads the FEN from the "
        "first line of standard input; blank lines and lines that begin with # are skipped. The "
        "last move is marked: (origin) [target]. For a stored game it lists every ply: the move, "
        "the score from Red's side in "
        "points or the plies to mate (+M7: Red mates in 7 plies), the depth, and in brackets the "
        "move that the search preferred, if another one was played.",
    .rows = show_rows,
    .settings_size = sizeof(ShowSpec),
    .max_args = -1,
    .run = run_show,
};

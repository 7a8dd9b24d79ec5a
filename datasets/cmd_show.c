// SPDX-License-Identifier: GPL-3.0-or-later
// paotai show: a position, or a game's last one, drawn in the terminal.
#include <unistd.h>

#include "core/board_text.h"
#include "core/game.h"
#include "core/notation.h"
#include "datasets/commands.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

typedef struct ShowSettings {
    const char *moves;
    int from;    // NotationSystem of the moves
    int pieces;  // 0 characters, 1 letters
    int dialect; // FenDialect
    int colour;  // ColourChoice
    bool black_below;
} ShowSettings;

static const OptionRow show_rows[] = {
    {"moves", OPTION_TEXT, offsetof(ShowSettings, moves), 0, 0, NULL, "MOVES", "moves to play first, separated by blanks; the last is marked"},
    {"from", OPTION_CHOICE, offsetof(ShowSettings, from), 0, 0, "uci", NOTATION_CHOICES, "the system the moves are written in"},
    {"pieces", OPTION_CHOICE, offsetof(ShowSettings, pieces), 0, 0, "chinese", "chinese|letters", "how pieces are drawn"},
    {"dialect", OPTION_CHOICE, offsetof(ShowSettings, dialect), 0, 0, "uci", "uci|cecp|qh", "how the FEN below the board is written"},
    {"color", OPTION_CHOICE, offsetof(ShowSettings, colour), 0, 0, "auto", "auto|always|never", "terminal colours; auto: on a terminal"},
    {"black-below", OPTION_FLAG, offsetof(ShowSettings, black_below), 0, 0, NULL, NULL, "seen from Black's side"},
    OPTION_END,
};

// Plays the moves; *last is the last of them.
static Status play_moves(NotationSystem system, const char *moves, Game *game, Move *last, Err *err) {
    const char *word;
    size_t length;
    while (moves && text_next_word(&moves, &word, &length)) {
        if (notation_read(system, NULL, &game->now, word, length, last, err) != STATUS_OK) {
            return err_prefix(err, "--moves, ply %zu", game->count + 1);
        }
        game_push(game, *last);
    }
    return STATUS_OK;
}

static const char *condition(const Position *position) {
    const bool check = position_in_check(position), stuck = position_no_legal_move(position);
    return stuck ? (check ? ", checkmated" : ", stalemated") : check ? ", in check" : "";
}

static void print_board(const CommandCall *call, const Game *game, Move last) {
    const ShowSettings *settings = call->settings;
    const BoardStyle style = {
        .letters = settings->pieces == 1,
        .black_below = settings->black_below,
        .colour = settings->colour == COLOUR_ALWAYS ||
                  (settings->colour == COLOUR_AUTO && isatty(fileno(call->out))),
        .last = last,
    };
    Text board = {0};
    board_text(&game->now, &style, &board);
    fprintf(call->out, "%s\n", text_get(&board));
    text_clear(&board);
    if (last != MOVE_NONE) {
        char uci[5], wxf[NOTATION_SIZE], chinese[NOTATION_SIZE];
        const Position *before = &game->plies[game->count - 1].before;
        move_to_uci(last, uci);
        notation_write(NOTATION_WXF, NULL, before, last, wxf);
        notation_write(NOTATION_CHINESE, NULL, before, last, chinese);
        fprintf(call->out, "last move %s %s %s\n", uci, wxf, chinese);
    }
    char fen[FEN_SIZE];
    position_to_fen(&game->now, (FenDialect)settings->dialect, fen);
    fprintf(call->out, "%s to move%s\nfen %s\n", game->now.stm == RED ? "Red" : "Black",
            condition(&game->now), fen);
}

static int run_show(const CommandCall *call) {
    const ShowSettings *settings = call->settings;
    Err err = {0};
    Text fen = {0};
    Game game = {0};
    Move last = MOVE_NONE;
    for (int i = 0; i < call->arg_count; i++) text_add(&fen, "%s%s", i ? " " : "", call->args[i]);
    Position start;
    Status status = position_from_fen(&start, text_get(&fen), &err);
    if (status == STATUS_OK) {
        game_init(&game, &start);
        status = play_moves((NotationSystem)settings->from, settings->moves, &game, &last, &err);
    }
    if (status == STATUS_OK) print_board(call, &game, last);
    game_clear(&game);
    text_clear(&fen);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_show = {
    .name = "show",
    .summary = "draw a position in the terminal",
    .usage = "FEN",
    .details = "paotai show 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1' \\\n"
               "    --moves 'h2e2 h9g7'\n\n"
               "The last move is marked: (origin) [target].",
    .rows = show_rows,
    .settings_size = sizeof(ShowSettings),
    .min_args = 1,
    .max_args = -1,
    .run = run_show,
};

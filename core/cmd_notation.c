// SPDX-License-Identifier: GPL-3.0-or-later
// paotai notation: converts moves and games from one notation system to another.
#include <string.h>

#include "core/base/json.h"
#include "core/board/record_input.h"
#include "core/command/common_rows.h"
#include "core/notation/move_reader.h"
#include "core/system/in_file.h"

typedef struct NotationSettings {
    int from; // notation of the input: a NotationSystem + 1; 0: detect the notation
    int to;   // notation of the output: a NotationSystem
    bool game;
    bool glyphs;
    bool shogi;
    bool json;
} NotationSettings;

static Status convert_record(const NotationSettings *settings, LineReader *reader, Text *out,
                             Err *err) {
    if (strlen(reader->line) != reader->length) {
        return err_set(err, STATUS_BAD_INPUT, "byte %zu of the line is zero, so it is not text",
                       strlen(reader->line) + 1);
    }
    char *cursor = reader->line, *moves = NULL;
    const char *fen = NULL;
    if (fen_split_moves(reader->line, &fen, &moves)) {
        cursor = NULL;
    } else {
        fen = text_next_field(&cursor, '\t');
        moves = text_next_field(&cursor, '\t');
    }
    if (!moves || cursor) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "a line must have two fields separated by a tab, FEN and %s; this one has %s",
            settings->game ? "moves" : "move", moves ? "more" : "only one");
    }
    Position position;
    TRY(position_from_fen(&position, fen, err));
    const NotationStyle style = {.glyphs = settings->glyphs, .shogi = settings->shogi};
    const NotationSystem from = (NotationSystem)(settings->from - 1);
    const NotationSystem to = (NotationSystem)settings->to;
    const bool detected = settings->from == 0;
    if (settings->game && detected) {
        return move_reader_convert_game(to, &style, &position, moves, out, err);
    }
    if (settings->game) return notation_convert_game(from, to, &style, &position, moves, out, err);
    moves += strspn(moves, " ");
    Move move;
    char text[NOTATION_SIZE];
    MoveReader any;
    move_reader_init(&any, MOVES_DETECTED);
    any.tried = TRIED_SYSTEMS;
    TRY(detected ? move_reader_read(&any, &position, moves, strlen(moves), &move, err)
                 : notation_read(from, &style, &position, moves, strlen(moves), &move, err));
    notation_write(to, &style, &position, move, text);
    text_add(out, "%s", text);
    return STATUS_OK;
}

static Status run_notation(const CommandCall *call, Err *err) {
    const NotationSettings *settings = call->settings;
    LineReader reader;
    if (settings->from != NOTATION_GLOBALSTAR + 1 && settings->to != NOTATION_GLOBALSTAR) {
        TRY(command_refuse_change(
            call, "shogi", "has an effect only with --from globalstar or --to globalstar", err));
    }
    TRY(record_input_begin(call, "FEN<tab>MOVE", err));
    TRY(line_reader_open(&reader, call->arg_count ? call->args[0] : NULL, err));
    AUTO(Text) text = {0};
    bool failed = false;
    for (bool first = true; line_reader_next_record(&reader); first = false) {
        if (first) {
            TRY(line_reader_refuse_games(
                &reader,
                "to convert the games of a file, use 'paotai data import FILE --out DIR', then "
                "'paotai data export --format pgn --moves NOTATION DIR'",
                err));
        }
        text_reset(&text);
        if (convert_record(settings, &reader, &text, err) == STATUS_OK) {
            const char *key = settings->game ? "moves" : "move";
            if (settings->json) {
                record_print(call->out, true, "line %zu %s %s", reader.number, key,
                             text_get(&text));
            } else {
                fprintf(call->out, "%s\n", text_get(&text));
            }
        } else {
            record_bad_line(call->out, settings->json, reader.number, err->text);
            failed = true;
        }
    }
    TRY(line_reader_close(&reader, err));
    return failed ? STATUS_REPORTED : STATUS_OK;
}

static const OptionRow notation_rows[] = {
    OPT_CHOICE("from", NotationSettings, from, "uci", MOVES_CHOICES,
               "notation of the input; auto: find a notation in which the moves are legal"),
    OPT_CHOICE("to", NotationSettings, to, "uci", NOTATION_CHOICES, "notation of the output"),
    OPT_FLAG("game", NotationSettings, game,
             "each line has a FEN and all moves of a game, instead of one move"),
    OPT_FLAG("glyphs", NotationSettings, glyphs,
             "in the notation system1, write pieces as Chinese characters instead of letters"),
    OPT_FLAG("shogi", NotationSettings, shogi,
             "in the notation globalstar, count files from Red's right, ranks from Black's side"),
    ROW_JSON(NotationSettings),
    OPTION_END,
};

const Command command_notation = {
    .name = "notation",
    .summary = "convert moves and games from one notation to another",
    .usage = "[FILE]",
    .details =
        "Each line of FILE (or standard input) is FEN<TAB>move or, with --game, FEN<TAB>moves. For "
        "each line the command prints the move or the moves. The list below shows the same five "
        "moves in each notation:\n\n"
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    "  " name "\n      " example "\n      " grammar "\n"
#include "core/notation/notation.def"
        "\n"
        "Names of two to five soldiers on file 3, from front to rear. The last row names three "
        "soldiers on file 7 if another file also has several. In the names of lau, f means front, "
        "m middle and r rear:\n"
        "             wxf             chinese         lau\n"
        "  two        P+ P-           前兵 後兵       fP rP\n"
        "  three      P+ P3 P-        前 中 後        fP mP rP\n"
        "  four       ++ P+ P- --     前 二 三 後     fP 2P 3P rP\n"
        "  five       ++ P+ P3 P- --  前 二 三 四 後  fP 2P 3P 4P rP\n"
        "  two files  7+ 77 7-        前七 中七 後七  f7 m7 r7\n"
        "The descriptions of the notations leave three cases open, so the choice is ours: xqdb and "
        "system2 name soldiers like wxf. Advisors and elephants are named by their file alone, "
        "because the direction of the move tells two on one file apart. If a piece can "
        "capture either of two pieces of the same kind, pritchard adds the point of the captured "
        "piece: R(a1)xN(a8).\n\n"
        "The program also reads full-width digits, traditional and simplified characters of both "
        "sides, + and - before or after the letter, = for the dot, and 一兵 or Pa to Pe for "
        "soldiers. +7 and -7 are the front and the rear soldier on file 7, whatever their number; "
        "7 alone is read if only one of several soldiers on the file can move so. A move that "
        "fits no legal move, or more than one, is an error. The message "
        "lists up to ten moves that may be meant.\n\n"
        "printf '3k5/9/9/9/9/9/9/9/4C4/4K4 w\\te1c1\\n' | paotai notation --to wxf",
    .rows = notation_rows,
    .settings_size = sizeof(NotationSettings),
    .max_args = -1, // record_input_begin() checks them
    .run = run_notation,
};

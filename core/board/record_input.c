// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/record_input.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "core/board/position.h"
#include "core/system/ranks.h"

// Appends the command line without its argument `path`.
static void add_command(const CommandCall *call, const char *path, bool wxf, bool any, Text *text) {
    text_add(text, "paotai %s", call->command->name);
    for (int i = 0; i < call->word_count; i++) {
        if (strcmp(call->words[i], path) == 0) continue;
        text_add(text, " ");
        text_add_word(text, call->words[i]);
    }
    if (wxf && !command_given(call, "from") && any) text_add(text, " --from auto");
    if (wxf && !command_given(call, "to")) text_add(text, any ? " --to uci" : " --to wxf");
}

// Returns true if the word looks like a move in any notation: at most 16 bytes, with a digit or a
// Chinese character.
static bool may_be_move(const char *word) {
    const size_t length = strlen(word);
    bool digit = false;
    for (const char *at = word; *at; at++) {
        digit = digit || isdigit((unsigned char)*at) || (unsigned char)*at >= 0xe3;
    }
    return digit && length >= 3 && length <= 16 && !strpbrk(word, "/\t");
}

// Writes the first legal move of a position, or "" if there is none.
static void first_move(const Position *position, char text[5]) {
    MoveList list;
    position_legal_moves(position, &list);
    text[0] = '\0';
    if (list.count > 0) move_to_uci(list.moves[0], text);
}

// Refuses an argument that is no file but a position or a move: the message has the line to type.
static Status refuse_record(const CommandCall *call, const char *path, const char *record,
                            Err *err) {
    Position position;
    const bool moves = strstr(record, "MOVE") != NULL, wxf = strcmp(record, "FEN<tab>MOVE") == 0;
    const bool fen = position_from_fen(&position, path, NULL) == STATUS_OK;
    if (!fen && !may_be_move(path)) return STATUS_OK;
    const bool coordinates = strlen(path) == 4 && islower((unsigned char)path[0]) &&
                             isdigit((unsigned char)path[1]) && islower((unsigned char)path[2]);
    char move[5] = "";
    if (fen && wxf) first_move(&position, move);
    AUTO(Text) line = {0};
    if (moves) {
        text_add(&line, "printf '%%s\\t%%s\\n' '%s' ", fen ? path : START_FEN);
        text_add_word(&line, fen ? move : path);
    } else {
        text_add(&line, "echo '%s%s'", fen ? "" : "position startpos moves ", path);
    }
    text_add(&line, " | ");
    if (fen || coordinates || wxf) {
        add_command(call, path, wxf, !fen && !coordinates, &line);
    } else { // this command reads coordinates only
        text_reset(&line);
        text_add(&line, "printf '%%s\\t%%s\\n' '" START_FEN "' ");
        text_add_word(&line, path);
        text_add(&line, " | paotai notation --from auto");
    }
    return err_set(err, STATUS_USAGE, "'%.100s' is a %s, not a file; pass it by standard input: %s",
                   path, fen ? "position" : "move", line.data);
}

Status record_input_begin(const CommandCall *call, const char *record, Err *err) {
    const char *path = call->arg_count ? call->args[0] : "-";
    if (strcmp(path, "-") != 0) {
        return access(path, F_OK) == 0 ? STATUS_OK : refuse_record(call, path, record, err);
    }
    if (!ranks_launched() && isatty(STDIN_FILENO)) {
        fprintf(call->err, "paotai %s reads lines %s from the keyboard; Ctrl-D ends the input\n",
                call->command->name, record);
    }
    return STATUS_OK;
}

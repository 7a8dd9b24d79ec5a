// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/record_input.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/board/position.h"
#include "core/system/ranks.h"

// A record that stands in the place of the name of a file.
typedef struct Record {
    Text fen, moves;
    bool has_fen;     // else `fen` is the start position
    bool coordinates; // the moves are coordinates such as h2e2
} Record;

static void record_clear(Record *record) {
    text_clear(&record->fen);
    text_clear(&record->moves);
}
AUTO_VALUE(Record, record_clear)

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

static bool is_coordinates(const char *word) {
    return strlen(word) == 4 && islower((unsigned char)word[0]) &&
           isdigit((unsigned char)word[1]) && islower((unsigned char)word[2]);
}

// Returns true if the word can be the field number `at` of a FEN.
static bool is_fen_field(const char *word, int at) {
    if (at == 0) return strchr(word, '/') != NULL;
    if (at == 1) return option_choice_index("w|b|r", word) >= 0;
    return strcmp(word, "-") == 0 || (at >= 4 && strspn(word, "0123456789") == strlen(word));
}

// Reads a position, moves, or both from the words of a text, with or without the words of UCI
// (position, startpos, fen, moves). Returns false if the text is something else.
static bool read_record(char *text, Record *record) {
    Position position;
    int fields = 0;
    bool start = false, fen_ended = false;
    record->coordinates = true;
    for (char *rest, *word = strtok_r(text, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        if (option_choice_index("position|startpos|fen|moves", word) >= 0) {
            start |= strcmp(word, "startpos") == 0;
            fen_ended |= strcmp(word, "moves") == 0;
        } else if (!fen_ended && !record->moves.length && fields < 6 &&
                   is_fen_field(word, fields)) {
            text_add(&record->fen, "%s%s", fields++ ? " " : "", word);
        } else if (may_be_move(word)) {
            text_add(&record->moves, "%s%s", record->moves.length ? " " : "", word);
            record->coordinates &= is_coordinates(word);
        } else {
            return false;
        }
    }
    record->has_fen = fields > 0;
    if (!record->has_fen) text_add(&record->fen, "%s", START_FEN);
    return position_from_fen(&position, record->fen.data, NULL) == STATUS_OK &&
           (record->has_fen || start || record->moves.length);
}

// Appends the command line without its arguments.
static void add_command(const CommandCall *call, const Record *record, bool wxf, Text *text) {
    const bool any = record->moves.length && !record->coordinates;
    text_add(text, "paotai %s", call->command->name);
    for (int i = 0; i < call->word_count; i++) {
        bool argument = false;
        for (int j = 0; j < call->arg_count; j++) argument |= call->words[i] == call->args[j];
        if (argument) continue;
        text_add(text, " ");
        text_add_word(text, call->words[i]);
    }
    if (!wxf) return;
    if (strchr(text_get(&record->moves), ' ') && !command_given(call, "game")) {
        text_add(text, " --game");
    }
    if (!command_given(call, "from") && any) text_add(text, " --from auto");
    if (!command_given(call, "to")) text_add(text, any ? " --to uci" : " --to wxf");
}

// Appends the first legal move of a position. Appends nothing if there is none.
static void add_first_move(const char *fen, Text *text) {
    Position position;
    MoveList list;
    char move[5];
    if (position_from_fen(&position, fen, NULL) != STATUS_OK) return;
    position_legal_moves(&position, &list);
    if (list.count == 0) return;
    move_to_uci(list.moves[0], move);
    text_add(text, "%s", move);
}

// Refuses arguments that are no file but a position or moves: the message has the line to type.
static Status refuse_record(const CommandCall *call, const char *format, Err *err) {
    const bool tab = strstr(format, "MOVE") != NULL, wxf = strcmp(format, "FEN<tab>MOVE") == 0;
    AUTO(Text) text = {0}, line = {0};
    AUTO(Record) record = {0};
    for (int i = 0; i < call->arg_count; i++) text_add(&text, "%s%s", i ? " " : "", call->args[i]);
    AUTO_FREE char *copy = memory_copy_text(text.data);
    if (!read_record(copy, &record)) return STATUS_OK;
    if (!record.moves.length && wxf) add_first_move(record.fen.data, &record.moves);
    const bool convert = !wxf && record.moves.length && !record.coordinates;
    if (tab || convert) {
        text_add(&line, "printf '%%s\\t%%s\\n' '%s' ", record.fen.data);
        text_add_word(&line, text_get(&record.moves));
    } else {
        const char *moves = text_get(&record.moves);
        text_add(&line, "echo '%s%s%s%s'",
                 !record.moves.length ? ""
                 : record.has_fen     ? "position fen "
                                      : "position ",
                 record.moves.length && !record.has_fen ? "startpos" : record.fen.data,
                 *moves ? " moves " : "", moves);
    }
    text_add(&line, " | ");
    if (convert) {
        text_add(&line, "paotai notation%s --from auto",
                 strchr(record.moves.data, ' ') ? " --game" : "");
    } else {
        add_command(call, &record, wxf, &line);
    }
    return err_set(err, STATUS_USAGE, "'%.100s' is a %s, not a file; pass it by standard input: %s",
                   text.data, record.has_fen || !record.moves.length ? "position" : "move",
                   line.data);
}

Status record_input_begin(const CommandCall *call, const char *record, Err *err) {
    const char *path = call->arg_count ? call->args[0] : "-";
    if (call->arg_count > 1 || (strcmp(path, "-") != 0 && access(path, F_OK) != 0)) {
        TRY(refuse_record(call, record, err));
    }
    if (call->arg_count > 1) {
        return err_set(err, STATUS_USAGE,
                       "too many arguments, from '%s' on; usage: paotai %s [options] %s",
                       call->args[1], call->command->name, call->command->usage);
    }
    if (strcmp(path, "-") == 0 && !ranks_launched() && isatty(STDIN_FILENO)) {
        fprintf(call->err, "paotai %s reads lines %s from the keyboard; Ctrl-D ends the input\n",
                call->command->name, record);
    }
    return STATUS_OK;
}

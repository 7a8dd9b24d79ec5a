// SPDX-License-Identifier: GPL-3.0-or-later
// The format moves: one game per line. Tabs separate the fields: result, FEN (optional) and moves.
// A line can also be a position followed by moves, such as the command `position` of UCI.
#include <ctype.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"

typedef struct Fields {
    const char *result, *start, *moves;
    bool twice; // a second field looks like a FEN
} Fields;

// Returns true if a field looks like a FEN, valid or not: it begins with letters, digits and at
// least five slashes, after which the field ends or a blank, '_' or '[' follows.
static bool begins_with_board(const char *field) {
    enum { FEWEST_SLASHES = 5 };
    int slashes = 0;
    for (; isalnum((unsigned char)*field) || *field == '/'; field++) slashes += *field == '/';
    return slashes >= FEWEST_SLASHES && strchr(" _[", *field);
}

static void split(char *line, Fields *fields) {
    *fields = (Fields){.result = text_next_field(&line, '\t')};
    for (const char *field; (field = text_next_field(&line, '\t'));) {
        const char *last = fields->moves;
        const bool start = last && begins_with_board(last);
        fields->twice = fields->twice || (start && fields->start);
        if (start && !fields->start) fields->start = last;
        fields->moves = field;
    }
}

bool line_has_game(const char *line, int system) {
    AUTO_FREE char *copy = memory_copy_text(line);
    const char *fen = copy, *word;
    char *moves = NULL;
    if (fen_split_moves(copy, &fen, &moves)) return *moves;
    const char *at = line + strspn(line, " \t");
    at += fen_length(at, strlen(at));
    // An operation of EPD ends with a semicolon. Its opcode can be read as a move: c9 as that of a
    // soldier in san.
    if (strpbrk(at, ";\"")) return false;
    copy[at - line] = '\0';
    Position start;
    MoveReader reader;
    Move move;
    size_t length;
    move_reader_init(&reader, system);
    return text_next_word(&at, &word, &length) &&
           position_from_fen(&start, copy, NULL) == STATUS_OK &&
           move_reader_read(&reader, &start, word, length, &move, NULL) == STATUS_OK;
}

// Splits a line that begins with a position instead of a result, such as the command `position` of
// UCI. The result is then unknown. Returns false for other lines.
static bool split_position(char *line, Fields *fields) {
    char *moves = NULL;
    *fields = (Fields){.result = "*"};
    if (fen_split_moves(line, &fields->start, &moves)) {
        fields->moves = moves;
        return true;
    }
    char *fen = line + strspn(line, " \t"), *end = fen + fen_length(fen, strlen(fen));
    if (!fen_board_length(fen, strlen(fen)) || !strchr(" \t", *end)) return false;
    fields->start = fen;
    fields->moves = *end ? end + 1 : end;
    *end = '\0';
    return true;
}

static ImportRefusal play_moves(const char *at, const ReadSettings *settings, SourceGame *source,
                                Err *err) {
    MoveReader moves;
    const char *word;
    size_t length;
    move_reader_init(&moves, settings->system);
    while (text_next_word(&at, &word, &length)) {
        Move move;
        if (source->game.count == PLIES_MOST) {
            return import_refuse(err, IMPORT_LENGTH, PLIES_TOO_MANY, PLIES_MOST);
        }
        if (move_reader_read(&moves, &source->game.now, word, length, &move, err) != STATUS_OK) {
            err_prefix(err, "ply %zu", source->game.count + 1);
            return IMPORT_MOVE;
        }
        source_game_push(source, move);
    }
    source_game_take_system(source, &moves);
    return IMPORT_KEPT;
}

ImportRefusal read_moves(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                         Err *err) {
    if (memchr(text->data, '\0', text->length)) {
        return import_refuse(err, IMPORT_FIELDS,
                             "the record contains a zero byte, so the file is not a text");
    }
    AUTO_FREE char *line = memory_copy_text(text->data);
    Fields fields;
    char shown[PRINTABLE_SIZE];
    if (!split_position(line, &fields)) split(line, &fields);
    notation_printable(fields.result, strcspn(fields.result, "\n"), shown);
    if (!fields.moves) {
        return import_refuse(
            err, IMPORT_FIELDS,
            "the line '%s' does not consist of a result and moves, separated by a tab", shown);
    }
    if (fields.twice) return import_refuse(err, IMPORT_FIELDS, "the line has two FENs");
    source->has_result = result_from_text(fields.result, &source->record.result);
    if (!source->has_result && !result_is_open(fields.result)) {
        return import_refuse(err, IMPORT_RESULT, "the result '%s' is not 1-0, 0-1 or 1/2-1/2",
                             shown);
    }
    Position start;
    if (fields.start) {
        if (source_read_fen(settings->side, fields.start, &start, &source->sided, err) !=
            STATUS_OK) {
            return IMPORT_START;
        }
        source_game_start(source, &start);
    }
    return play_moves(fields.moves, settings, source, err);
}

// Writes a game as a line. The extra moves of a handicap (odds) cannot be written, so the game
// begins after them. Writes nothing if no other move follows.
Status write_moves(const ExportGame *given, Text *out, Err *err) {
    GameWalk walk;
    Status status = STATUS_OK;
    TRY(export_walk_begin(given, &walk, err));
    if (walk.ply == given->game->ply_count) return STATUS_OK;
    char fen[FEN_SIZE], text[NOTATION_SIZE];
    position_to_fen(&walk.position, FEN_UCI, fen);
    text_add(out, "%s", result_to_text(given->game->result));
    if (strcmp(fen, START_FEN) != 0) text_add(out, "\t%s", fen);
    char separator = '\t';
    Position before = walk.position;
    for (Move move; (move = export_walk_next(given, &walk, &status, err)) != MOVE_NONE;) {
        notation_write((NotationSystem)given->system, NULL, &before, move, text);
        text_add(out, "%c%s", separator, text);
        separator = ' ';
        before = walk.position;
    }
    text_add(out, "\n");
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/openings/book.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "datasets/formats/formats.h"
#include "datasets/store/game_key.h"
#include "datasets/store/provenance.h"

static BookLine *next_line(Book *book) {
    if (book->count == book->capacity) {
        const size_t capacity = memory_grow(book->capacity, book->count + 1);
        BookLine *moved = memory_aligned(_Alignof(BookLine), capacity * sizeof *moved);
        if (book->count) memcpy(moved, book->lines, book->count * sizeof *moved);
        free(book->lines);
        book->lines = moved;
        book->capacity = capacity;
    }
    return &book->lines[book->count++];
}

void book_add(Book *book, const Game *game) {
    BookLine *line = next_line(book);
    line->start = *game_start(game);
    line->count = 0;
    for (size_t i = 0; i < game->count && i < BOOK_LINE_PLIES; i++) {
        line->moves[line->count++] = game->plies[i].move;
    }
}

void book_line_play(const BookLine *line, Game *game) {
    game_reset(game, &line->start);
    for (int i = 0; i < line->count; i++) game_push(game, line->moves[i]);
}

static Status read_line(Book *book, Game *game, char *text, Err *err) {
    char *cursor = text;
    char *fen = text_next_field(&cursor, '\t');
    const char *moves = cursor ? cursor : "";
    epd_cut(fen);
    Position start;
    Status status = position_from_fen(&start, fen, err);
    if (status != STATUS_OK) return status;
    game_reset(game, &start);
    status = game_push_text(game, moves, err);
    if (status == STATUS_OK && game->count > BOOK_LINE_PLIES) {
        status =
            err_set(err, STATUS_BAD_INPUT, "%zu moves, more than %d", game->count, BOOK_LINE_PLIES);
    }
    if (status == STATUS_OK && position_no_legal_move(&game->now)) {
        status = err_set(err, STATUS_BAD_INPUT, "the side to move has no legal move");
    }
    if (status == STATUS_OK) book_add(book, game);
    return status;
}

// Adds the first plies of a game. Behind the end of one nothing could be played.
static void add_game(Book *book, Game *game) {
    while (game->count > BOOK_LINE_PLIES || (game->count && position_no_legal_move(&game->now))) {
        game_pop(game);
    }
    if (!position_no_legal_move(&game->now)) book_add(book, game);
}

static Status read_games(Book *book, SourceReader *reader, Err *err) {
    SourceGame source;
    SourceText text;
    Status status = STATUS_OK;
    source_game_init(&source);
    while (status == STATUS_OK && source_reader_cut(reader, &text)) {
        if (source_text_read(&text, &reader->settings, &source, err) == IMPORT_KEPT) {
            add_game(book, &source.game);
        } else {
            status = text.line ? err_prefix(err, "%s:%zu, game %zu", text.file,
                                            text.line + source.line, text.number)
                               : err_prefix(err, "%s, game %zu", text.file, text.number);
        }
        free(text.data);
    }
    source_game_clear(&source);
    return status;
}

static Status read_lines(Book *book, LineReader *lines, Err *err) {
    Status status = STATUS_OK;
    Position start;
    position_init_start(&start);
    Game game;
    game_init(&game, &start);
    while (status == STATUS_OK && line_reader_next_record(lines)) {
        status = read_line(book, &game, lines->line, err);
        if (status != STATUS_OK) err_prefix(err, "%s:%zu", lines->name, lines->number);
    }
    game_clear(&game);
    return status;
}

static Status read_files(Book *book, SourceReader *reader, Err *err) {
    Status status;
    while ((status = source_reader_next_file(reader, err)) == STATUS_OK) {
        const GameFormat *format = reader->format;
        const bool games = !format->positions && format->id != FORMAT_MOVES;
        book->format = games ? format->name : game_format(FORMAT_EPD)->name;
        status = games ? read_games(book, reader, err) : read_lines(book, &reader->lines, err);
        if (status != STATUS_OK) return status;
        if (!reader->failed) continue;
        *err = reader->failure;
        status = err->status;
        break;
    }
    return status == STATUS_NOT_FOUND ? STATUS_OK
                                      : err_prefix(err, "%s", packed_file_name(reader->packed));
}

Status book_load(const char *path, Book *book, Err *err) {
    static const ReadSettings settings = {.system = MOVES_DETECTED};
    *book = (Book){.format = game_format(FORMAT_EPD)->name};
    SourceReader reader;
    Status status = file_sha256(path, book->hash, err);
    if (status == STATUS_OK) status = source_reader_open(&reader, path, NULL, &settings, err);
    if (status != STATUS_OK) return status;
    status = read_files(book, &reader, err);
    source_reader_close(&reader);
    if (status == STATUS_OK && book->count == 0) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: the book holds no opening", path);
    }
    if (status != STATUS_OK) book_clear(book);
    return status;
}

void book_cut(Book *book, int plies) {
    for (size_t i = 0; i < book->count; i++) {
        if (book->lines[i].count > plies) book->lines[i].count = plies;
    }
}

size_t book_distinct(const Book *book) {
    KeySet seen = {0};
    Game game;
    if (book->count == 0) return 0;
    game_init(&game, &book->lines[0].start);
    for (size_t i = 0; i < book->count; i++) {
        book_line_play(&book->lines[i], &game);
        key_set_add(&seen, position_content_key(&game.now, false));
    }
    const size_t distinct = seen.count;
    game_clear(&game);
    key_set_clear(&seen);
    return distinct;
}

void book_clear(Book *book) {
    free(book->lines);
    *book = (Book){0};
}

// ---- EPD ---------------------------------------------------------------------------------------

char *epd_cut(char *line) {
    const char *cursor = line, *word;
    size_t length;
    for (int field = 0; text_next_word(&cursor, &word, &length); field++) {
        const bool counter = strspn(word, "0123456789") >= length;
        const bool dash = length == 1 && word[0] == '-';
        if (field < 2 || (field < 6 && (counter || dash))) continue;
        const size_t at = (size_t)(word - line);
        if (at == 0) break;
        line[at - 1] = '\0'; // the blank before the first opcode
        return line + at;
    }
    return line + strlen(line);
}

// The end of the operation that begins at `text`: its semicolon, or the end of the text.
static const char *operation_end(const char *text) {
    bool quoted = false;
    while (*text && (quoted || *text != ';')) {
        quoted = quoted != (*text == '"');
        text++;
    }
    return text;
}

bool epd_find(const char *operations, const char *opcode, const char **operand, size_t *length) {
    for (const char *at = operations, *end; *at; at = *end ? end + 1 : end) {
        end = operation_end(at);
        const char *word;
        size_t word_length;
        if (!text_next_word(&at, &word, &word_length) || word >= end) continue;
        if (!text_word_is(word, word_length, opcode)) continue;
        const char *stop = end;
        while (at < stop && (*at == ' ' || *at == '\t')) at++;
        while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        *operand = at;
        *length = (size_t)(stop - at);
        return true;
    }
    return false;
}

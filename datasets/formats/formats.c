// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats, what a file's beginning says of its format, and cutting files into records.
#include "datasets/formats/formats.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/position_lines.h"

#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary)            \
    static const ExportFormat writer_##id = {write, system, header, (content) == SCORED};
enum { GAMES, BYTES, POSITIONS, SCORED };
#include "datasets/formats/formats.def"

static const GameFormat formats[FORMAT_COUNT] = {
#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary)            \
    {FORMAT_##id,        name, extension, summary,     (content) >= POSITIONS,                     \
     (content) == BYTES, cut,  read,      &writer_##id},
#define FORMAT_READ(id, name, extension, content, cut, read, summary)                              \
    {FORMAT_##id,        name, extension, summary, (content) >= POSITIONS,                         \
     (content) == BYTES, cut,  read,      NULL},
#include "datasets/formats/formats.def"
};

const char FORMAT_READ_CHOICES[] = "auto"
#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary) "|" name
#define FORMAT_READ(id, name, extension, content, cut, read, summary)                   "|" name
#include "datasets/formats/formats.def"
    ;
const char MOVES_CHOICES[] = "auto"
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar) "|" name
#include "core/notation/notation.def"
#undef NOTATION
    ;
const char FORMAT_WRITE_CHOICES[] = "auto"
#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary) "|" name
#include "datasets/formats/formats.def"
    ;

const GameFormat *game_format(FormatId id) {
    return &formats[id];
}

const GameFormat *game_format_of_name(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash)) return NULL;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcasecmp(dot, formats[i].extension) == 0) return &formats[i];
    }
    return NULL;
}

// ---- recognising -------------------------------------------------------------------------------

// The first line that is neither blank nor begins with '#': its start and length.
static const char *first_line(const char *head, size_t length, size_t *line_length) {
    const char *at = head, *const end = head + length;
    if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (at < end) {
        while (at < end && isspace((unsigned char)*at)) at++;
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r') stop++;
        *line_length = (size_t)(stop - at);
        if (at < end && *at != '#') return at;
        at = stop;
    }
    *line_length = 0;
    return end;
}

// Nine slashes between blanks, with nothing but letters and digits between them.
static size_t fen_board_length(const char *line, size_t length) {
    size_t at = 0;
    int slashes = 0;
    while (at < length && (isalnum((unsigned char)line[at]) || line[at] == '/')) {
        slashes += line[at++] == '/';
    }
    return slashes == RANK_COUNT - 1 ? at : 0;
}

static bool is_result_field(const char *line, size_t length) {
    const char *tab = memchr(line, '\t', length);
    char word[16] = "";
    int8_t result;
    if (!tab || tab - line >= (long)sizeof word) return false;
    memcpy(word, line, (size_t)(tab - line));
    return result_from_text(word, &result);
}

static bool begins(const char *line, size_t length, const char *what) {
    return length >= strlen(what) && memcmp(line, what, strlen(what)) == 0;
}

const GameFormat *game_format_of_content(const char *head, size_t length) {
    size_t size;
    const char *line = first_line(head, length, &size);
    size_t digits = 0;
    while (digits < size && isdigit((unsigned char)line[digits])) digits++;
    const size_t board = fen_board_length(line, size);
    FormatId id = FORMAT_MOVES;
    // The version behind the two letters is a control character, in version 1.0 the end of a line.
    if (begins(head, length, "XQ") && (length == 2 || (unsigned char)head[2] < ' ')) {
        id = FORMAT_XQF;
    } else if (begins(head, length, "CCBridge Record")) {
        id = FORMAT_CBR;
    } else if (begins(head, length, "CCBridgeLibrary")) {
        id = FORMAT_CBL;
    } else if (begins(line, size, "[DhtmlXQ") ||
               (begins(line, size, "<") && memmem(head, length, "[DhtmlXQ", 8))) {
        id = FORMAT_DHTMLXQ;
    } else if (is_result_field(line, size)) {
        id = FORMAT_MOVES;
    } else if (begins(line, size, "fen ")) {
        id = FORMAT_PLAIN;
    } else if (board > 0 && board < size && line[board] != '\t') {
        id = FORMAT_EPD;
    } else if (csv_is_header(line, size)) {
        id = FORMAT_CSV;
    } else if (begins(line, size, "[") || begins(line, size, "{") || begins(line, size, "%") ||
               (digits > 0 && digits < size && line[digits] == '.')) {
        id = FORMAT_PGN;
    }
    return &formats[id];
}

// ---- cutting -----------------------------------------------------------------------------------

// What is in UTF-16 is decoded as a whole.
enum { UTF16_MAX = 1 << 30 };

static Status read_rest(LineReader *lines, Text *bytes, Err *err) {
    char block[16384];
    size_t got;
    while ((got = fread(block, 1, sizeof block, lines->file)) > 0) {
        if (bytes->length + got > UTF16_MAX) {
            return err_set(err, STATUS_BAD_INPUT,
                           "%s is UTF-16 and larger than %d MB: make it UTF-8 with iconv",
                           lines->name, UTF16_MAX >> 20);
        }
        text_add_bytes(bytes, block, got);
    }
    if (!ferror(lines->file)) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot read %s: %s", lines->name, strerror(errno));
}

// Lets the reader go on in memory, which is its own.
static Status read_from_memory(SourceReader *reader, Err *err) {
    LineReader *lines = &reader->lines;
    if (reader->decoded.length == 0) text_add(&reader->decoded, "\n");
    FILE *file = fmemopen(reader->decoded.data, reader->decoded.length, "rb");
    if (!file) return err_set(err, STATUS_IO, "cannot open memory: %s", strerror(errno));
    if (lines->owned) fclose(lines->file);
    lines->file = file;
    lines->owned = true;
    return STATUS_OK;
}

// Decodes a file that begins with a byte order mark of UTF-16. One byte is all that can surely be
// given back to a pipe; but no UTF-8 begins with either byte of the mark.
static Status decode_utf16(SourceReader *reader, Err *err) {
    LineReader *lines = &reader->lines;
    const int first = getc(lines->file), wanted = first == 0xff ? 0xfe : 0xff;
    if (first != 0xff && first != 0xfe) {
        ungetc(first, lines->file);
        return STATUS_OK;
    }
    const int second = getc(lines->file);
    if (second != wanted) {
        const char seen[] = {(char)first, (char)second};
        text_add_bytes(&reader->decoded, seen, second == EOF ? 1 : 2);
        const Status status = read_rest(lines, &reader->decoded, err);
        return status == STATUS_OK ? read_from_memory(reader, err) : status;
    }
    Text bytes = {0};
    Status status = read_rest(lines, &bytes, err);
    if (status == STATUS_OK) {
        status = text_decode(first == 0xff ? ENCODING_UTF16LE : ENCODING_UTF16BE, text_get(&bytes),
                             bytes.length, &reader->decoded, err);
    }
    text_clear(&bytes);
    return status == STATUS_OK ? read_from_memory(reader, err) : status;
}

// Enough for the first line that tells the format, and for most of a page that holds a game.
enum { HEAD_SIZE = 16384 };

// Standard input and named pipes are read once.
static bool can_rewind(const LineReader *lines) {
    return lines->owned && fseek(lines->file, 0, SEEK_SET) == 0;
}

// Reads the head of a file to recognise its format. What a pipe begins with is seen line by line,
// and the first is given once more afterwards.
static const GameFormat *recognise(SourceReader *reader) {
    LineReader *lines = &reader->lines;
    if (can_rewind(lines)) {
        char head[HEAD_SIZE];
        const size_t got = fread(head, 1, sizeof head, lines->file);
        rewind(lines->file);
        return game_format_of_content(head, got);
    }
    if (!line_reader_next_record(lines)) return &formats[FORMAT_MOVES];
    line_reader_unread(lines);
    return game_format_of_content(lines->line, lines->length);
}

Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err) {
    *reader = (SourceReader){.format = format, .settings = *settings};
    Status status = line_reader_open(&reader->lines, path, err);
    if (status != STATUS_OK) return status;
    if (!format || !format->bytes) status = decode_utf16(reader, err);
    if (status != STATUS_OK) source_reader_close(reader, NULL);
    if (status != STATUS_OK || format) return status;
    const bool whole = can_rewind(&reader->lines);
    reader->format = recognise(reader);
    if (whole || !reader->format->bytes) return STATUS_OK;
    err_set(err, STATUS_BAD_INPUT, "%s seems to be %s: say --format %s, or name a file",
            reader->lines.name, reader->format->name, reader->format->name);
    source_reader_close(reader, NULL);
    return STATUS_BAD_INPUT;
}

Status source_reader_open_bytes(SourceReader *reader, const char *bytes, size_t length,
                                const GameFormat *format, const ReadSettings *settings, Err *err) {
    *reader = (SourceReader){.format = format, .settings = *settings};
    // An empty file cannot be opened in this way; a blank line is as good.
    FILE *file = length ? fmemopen((void *)(uintptr_t)bytes, length, "rb")
                        : fmemopen((void *)(uintptr_t) "\n", 1, "rb");
    if (!file) return err_set(err, STATUS_IO, "cannot open memory: %s", strerror(errno));
    reader->lines = (LineReader){.file = file, .name = "memory", .owned = true};
    const Status status = format && format->bytes ? STATUS_OK : decode_utf16(reader, err);
    if (status != STATUS_OK) {
        source_reader_close(reader, NULL);
        return status;
    }
    if (!format) reader->format = recognise(reader);
    return STATUS_OK;
}

bool source_reader_next(SourceReader *reader, SourceText *text) {
    text_reset(&reader->text);
    reader->line = 0;
    reader->cut_off = false;
    if (!reader->format->cut(reader)) return false;
    text_add_bytes(&reader->text, "", 0);
    *text = (SourceText){
        .data = memory_alloc(reader->text.length + 1, 1),
        .length = reader->text.length,
        .line = reader->line,
        .offset = reader->record_offset,
        .number = ++reader->games,
        .cut_off = reader->cut_off,
    };
    memcpy(text->data, reader->text.data, reader->text.length);
    return true;
}

Status source_reader_close(SourceReader *reader, Err *err) {
    const Status status = line_reader_close(&reader->lines, err);
    text_clear(&reader->text);
    text_clear(&reader->head);
    text_clear(&reader->pending);
    text_clear(&reader->decoded);
    return status;
}

void source_reader_take_line(SourceReader *reader) {
    const LineReader *lines = &reader->lines;
    if (reader->line == 0) reader->line = lines->number;
    if (reader->text.length + lines->length + 1 > SOURCE_TEXT_MAX) {
        reader->cut_off = true;
        return;
    }
    text_add_bytes(&reader->text, lines->line, lines->length);
    text_add_bytes(&reader->text, "\n", 1);
}

bool cut_line(SourceReader *reader) {
    if (!line_reader_next_record(&reader->lines)) return false;
    source_reader_take_line(reader);
    return true;
}

// ---- reading -----------------------------------------------------------------------------------

ImportRefusal source_text_read(const GameFormat *format, const SourceText *text,
                               const ReadSettings *settings, SourceGame *source, Err *err) {
    source_game_reset(source);
    if (text->cut_off) {
        err_set(err, STATUS_BAD_INPUT, "it is longer than %d MB", SOURCE_TEXT_MAX >> 20);
        return IMPORT_LENGTH;
    }
    const ImportRefusal refusal = format->read(text, settings, source, err);
    const size_t plies = source->record.extra_plies + source->game.count;
    if (refusal != IMPORT_KEPT || (plies > 0 && plies <= UINT16_MAX)) return refusal;
    err_set(err, STATUS_BAD_INPUT, "%zu plies, want 1 to %d", plies, UINT16_MAX);
    return IMPORT_LENGTH;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files and archives, detects format and encoding, and divides the files into records.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "datasets/formats/formats.h"

enum {
    HEAD_SIZE = 16384, // game_format_of_content() gets at most this number of bytes from the
                       // beginning of the file
};

// ---- the stream of a file ----------------------------------------------------------------------

// Reads bytes of the current file, unpacked but not converted. Returns 0 at its end, and also if it
// cannot be read; reader->failure is then set.
static size_t read_bytes(SourceReader *reader, char *bytes, size_t size) {
    if (reader->failure.status != STATUS_OK) return 0;
    const ssize_t got = packed_read(reader->packed, bytes, size, &reader->failure);
    return got > 0 ? (size_t)got : 0;
}

// Reads more bytes of a file that is not in UTF-8, converts them and appends them to reader->ahead.
// Returns false if no bytes remain or if they cannot be read.
static bool decode_more(SourceReader *reader) {
    char block[4096];
    Text *raw = &reader->raw;
    const size_t got = read_bytes(reader, block, sizeof block);
    if (got == 0 && raw->length == 0) return false;
    text_add_bytes(raw, block, got);
    if (got == 0) {
        text_decode(reader->encoding, raw->data, raw->length, &reader->ahead, &reader->failure);
        text_reset(raw);
    } else {
        text_decode_begin(reader->encoding, raw, &reader->ahead, &reader->failure);
    }
    return true;
}

// Copies at most `size` bytes of a text, beginning at *at, and advances *at. Returns their number.
// When no bytes remain, empties the text and returns 0.
static size_t give_text_from(Text *text, size_t *at, char *to, size_t size) {
    const size_t left = text->length - *at, taken = left < size ? left : size;
    if (taken == 0) {
        text_reset(text);
        *at = 0;
        return 0;
    }
    memcpy(to, text->data + *at, taken);
    *at += taken;
    return taken;
}

static size_t give_ahead(SourceReader *reader, char *to, size_t size) {
    return give_text_from(&reader->ahead, &reader->ahead_at, to, size);
}

static size_t read_decoded(SourceReader *reader, char *to, size_t size) {
    size_t got = give_ahead(reader, to, size);
    while (got == 0 && reader->encoding && decode_more(reader)) got = give_ahead(reader, to, size);
    if (got == 0 && !reader->encoding) got = read_bytes(reader, to, size);
    return got;
}

static size_t read_page(SourceReader *reader, char *to, size_t size) {
    char block[4096];
    size_t got;
    while ((got = give_text_from(&reader->page_text, &reader->page_text_at, to, size)) == 0) {
        const size_t more = read_decoded(reader, block, sizeof block);
        if (more == 0) return 0;
        html_read(&reader->html, block, more, &reader->page_text);
    }
    return got;
}

static ssize_t read_stream(void *context, char *to, size_t size) {
    SourceReader *reader = context;
    size_t got = reader->is_html ? read_page(reader, to, size) : read_decoded(reader, to, size);
    const char *end = got ? memrchr(to, '\n', got) : NULL;
    reader->line_bytes = end ? (size_t)(to + got - end) : reader->line_bytes + got;
    if (!reader->format->bytes && reader->line_bytes >= source_record_max(&reader->settings)) {
        err_set(&reader->failure, STATUS_BAD_INPUT,
                "a line is longer than %zu MB, so the file is not a text",
                source_record_max(&reader->settings) >> 20);
        got = 0;
    }
    if (got > 0 || reader->failure.status == STATUS_OK) return (ssize_t)got;
    reader->failed = true;
    errno = EIO;
    return -1;
}

// Finds the format by the ending of a file name. The ending of a compressed file, such as .gz, is
// removed first. Returns NULL if no format that can be read has the ending.
static const GameFormat *format_of_name(const char *name) {
    size_t inner;
    AUTO_FREE char *bare = memory_copy_text(name);
    if (packed_name(name, &inner)) bare[inner] = '\0';
    const GameFormat *format = game_format_of_name(bare);
    return format && format->cut ? format : NULL;
}

// Returns how many first bytes of the file are used to detect the format: at most HEAD_SIZE, up to
// a line end if possible.
static size_t head_length(const Text *text) {
    if (text->length <= HEAD_SIZE) return text->length;
    const char *end = memrchr(text->data, '\n', HEAD_SIZE);
    return end ? (size_t)(end - text->data) : HEAD_SIZE;
}

// Returns true if the file is an HTML page that is read as PGN, and prepares the reader for it. If
// the user gave the format pgn, this holds for every HTML page. If the user gave no format, the
// page must have no DhtmlXQ tag, and its text must have a PGN tag or begin with "1.".
static bool read_page_head(SourceReader *reader) {
    const Text *ahead = &reader->ahead;
    const GameFormat *pgn = game_format(FORMAT_PGN);
    if ((reader->given && reader->given != pgn) || !html_begins(text_get(ahead), ahead->length) ||
        (!reader->given && memmem(ahead->data, ahead->length, "[DhtmlXQ", 8))) {
        return false;
    }
    HtmlReader html = {0};
    AUTO(Text) text = {0};
    html_read(&html, ahead->data, ahead->length, &text);
    reader->tags_only = text_has_pgn_tag(text_get(&text), text.length);
    const char *first = text_get(&text) + strspn(text_get(&text), " \t\r\n\v");
    reader->is_html = reader->given || reader->tags_only || strncmp(first, "1.", 2) == 0;
    if (reader->is_html) reader->format = pgn;
    return reader->is_html;
}

// Reads the beginning of a file; a small file is read as a whole. Detects the encoding and, unless
// the user gave it, the format. reader->format becomes NULL if the format is unknown.
static void read_head(SourceReader *reader) {
    Text *ahead = &reader->ahead;
    char block[1 << 16];
    size_t got = 1;
    const size_t held = reader->brief ? sizeof block : (size_t)HELD_MAX_MB << 20;
    while (got > 0 && ahead->length < held) {
        got = read_bytes(reader, block, sizeof block);
        text_add_bytes(ahead, block, got);
    }
    const GameFormat *marked = reader->given;
    if (!marked) marked = game_format_of_mark(text_get(ahead), ahead->length);
    if (!marked) marked = format_of_name(packed_file_name(reader->packed));
    if (!(marked && marked->bytes)) {
        reader->encoding = text_encoding_of(text_get(ahead), ahead->length);
        if (reader->passed) reader->passed->encodings[reader->encoding]++;
    }
    if (reader->encoding != ENCODING_UTF8) {
        const size_t mark = text_encoding_mark(ahead->data, ahead->length) == ENCODING_UTF8 ? 0 : 2;
        text_add_bytes(&reader->raw, ahead->data + mark, ahead->length - mark);
        text_reset(ahead);
        decode_more(reader);
    }
    const size_t length = head_length(ahead);
    reader->format = reader->given;
    if (!(marked && marked->bytes) && read_page_head(reader)) return;
    if (!reader->given) reader->format = game_format_of_content(text_get(ahead), length);
    if (!reader->format) reader->format = format_of_name(packed_file_name(reader->packed));
    if (!reader->format && content_is_blank(text_get(ahead), length)) {
        reader->format = game_format(FORMAT_MOVES);
    }
}

static Status refuse_unknown(const SourceReader *reader, Err *err) {
    char begin[PRINTABLE_SIZE];
    const char *text = text_get(&reader->ahead);
    text += strspn(text, " \t\r\n");
    notation_printable(text, strcspn(text, "\r\n"), begin);
    return err_set(err, STATUS_BAD_INPUT,
                   "the file has no known format; it begins with '%s'. If it has games, state "
                   "their format by the ending of the file name%s",
                   begin, reader->settings.format_option ? " or with --format" : "");
}

// ---- finding the next file ---------------------------------------------------------------------

static void count_passed(PassedOver *passed, const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    char ending[sizeof passed->by->ending] = "";
    if (dot && strlen(dot) < sizeof ending) strcpy(ending, dot);
    size_t i = 0;
    while (i < passed->endings && strcasecmp(passed->by[i].ending, ending) != 0) i++;
    passed->count++;
    if (i == sizeof passed->by / sizeof *passed->by) return;
    if (i == passed->endings) {
        passed->endings++;
        memcpy(passed->by[i].ending, ending, sizeof ending);
        snprintf(passed->by[i].name, sizeof passed->by->name, "%s", name);
    }
    passed->by[i].count++;
}

bool source_name_is_wanted(const char *name, const GameFormat *format, PassedOver *passed) {
    size_t inner;
    if (packed_name(name, &inner) && inner == 0) return true;
    const GameFormat *own = format_of_name(name);
    if (own && (!format || own == format)) return true;
    if (passed) count_passed(passed, name);
    return false;
}

static bool is_wanted(const void *context, const char *name) {
    const SourceReader *reader = context;
    return source_name_is_wanted(name, reader->given, reader->passed);
}

Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err) {
    return source_reader_open_copy(reader, path, NULL, format, settings, err);
}

Status source_reader_open_copy(SourceReader *reader, const char *path, FILE *copy,
                               const GameFormat *format, const ReadSettings *settings, Err *err) {
    *reader = (SourceReader){.given = format, .settings = *settings};
    const PackedChoice choice = {is_wanted, reader, copy};
    return packed_open(path, &choice, &reader->packed, err);
}

// Closes the current file and resets the reader for the next one.
static void leave_file(SourceReader *reader) {
    if (reader->open) line_reader_close(&reader->lines, NULL);
    Text *const texts[] = {&reader->ahead, &reader->raw,     &reader->text,
                           &reader->head,  &reader->pending, &reader->page_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_clear(texts[i]);
    row_groups_clear(&reader->groups);
    *reader = (SourceReader){.given = reader->given,
                             .settings = reader->settings,
                             .passed = reader->passed,
                             .brief = reader->brief,
                             .packed = reader->packed};
}

Status source_reader_next_file(SourceReader *reader, Err *err) {
    static const cookie_io_functions_t functions = {.read = read_stream};
    leave_file(reader);
    TRY(packed_next(reader->packed, err));
    read_head(reader);
    // If a file of less than HELD_MAX_MB is damaged, nothing of it is used, because the bytes
    // before the damage may be wrong too.
    if (reader->failure.status != STATUS_OK) {
        *err = reader->failure;
        return err->status;
    }
    if (!reader->format) return refuse_unknown(reader, err);
    const FormatId id = reader->format->id;
    if (reader->settings.pov && id != FORMAT_CSV && id != FORMAT_EPD && id != FORMAT_TEXEL &&
        id != FORMAT_BULLET) {
        return err_set(err, STATUS_BAD_INPUT,
                       "--pov applies to the formats csv, texel and bullet, but this file has the "
                       "format %s, which defines the point of view",
                       reader->format->name);
    }
    FILE *stream = fopencookie(reader, "rb", functions);
    if (!stream) return err_set(err, STATUS_IO, "the file cannot be opened: %s", strerror(errno));
    reader->lines =
        (LineReader){.file = stream, .name = packed_file_name(reader->packed), .owned = true};
    reader->open = true;
    return STATUS_OK;
}

void source_reader_close(SourceReader *reader) {
    leave_file(reader);
    packed_close(reader->packed);
    *reader = (SourceReader){0};
}

// ---- from record to record ---------------------------------------------------------------------

// Passes the current record, with the name of its file, to the caller. If `broken` is set, *text
// becomes an empty record that only names the file.
static void give_text(SourceReader *reader, bool broken, SourceText *text) {
    const char *file = packed_file_name(reader->packed);
    const size_t length = broken ? 0 : reader->text.length, name_size = strlen(file) + 1;
    *text = (SourceText){
        .data = memory_alloc(length + 1 + name_size, 1),
        .length = length,
        .line = reader->line,
        .offset = reader->record_offset,
        .number = broken ? 0 : ++reader->games,
        .group = broken ? 0 : reader->group,
        .cut_off = reader->cut_off,
        .broken = broken,
        .format = reader->record_format ? reader->record_format : reader->format,
    };
    if (length) memcpy(text->data, reader->text.data, length);
    text->file = memcpy(text->data + length + 1, file, name_size);
}

bool source_reader_failed(SourceReader *reader) {
    const int why = reader->lines.error_number;
    if (why && !reader->failed) {
        err_set(&reader->failure, STATUS_IO, "the file cannot be read: %s", strerror(why));
        reader->failed = true;
    }
    return reader->failed;
}

bool source_reader_cut(SourceReader *reader, SourceText *text) {
    text_reset(&reader->text);
    reader->line = 0;
    reader->cut_off = false;
    reader->record_format = NULL;
    reader->group = 0;
    if (!reader->open) return false;
    // If a read error follows the record, the record is dropped, because it may be incomplete.
    if (!reader->format->cut(reader) || source_reader_failed(reader)) return false;
    give_text(reader, false, text);
    return true;
}

bool source_reader_next(SourceReader *reader, SourceText *text, Err *err) {
    Status status = STATUS_OK;
    while (status == STATUS_OK) {
        if (source_reader_cut(reader, text)) return true;
        if (source_reader_failed(reader)) {
            *err = reader->failure;
            status = err->status;
            leave_file(reader);
        } else if (reader->open && reader->games == 0) {
            status = err_set(err, STATUS_BAD_INPUT, "the file contains no game");
            leave_file(reader);
        } else {
            status = source_reader_next_file(reader, err);
        }
    }
    if (status == STATUS_NOT_FOUND || status == STATUS_INTERRUPTED) return false;
    give_text(reader, true, text);
    return true;
}

// ---- for the functions that extract records -----------------------------------------------------

void source_reader_take_part(SourceReader *reader, const char *part, size_t length) {
    const LineReader *lines = &reader->lines;
    if (reader->line == 0) reader->line = lines->number;
    if (reader->text.length + length + 1 > source_record_max(&reader->settings)) {
        reader->cut_off = true;
        return;
    }
    text_add_bytes(&reader->text, part, length);
    if (part + length == lines->line + lines->length) text_add_bytes(&reader->text, "\n", 1);
}

void source_reader_take_line(SourceReader *reader) {
    source_reader_take_part(reader, reader->lines.line, reader->lines.length);
}

bool cut_line(SourceReader *reader) {
    const LineReader *lines = &reader->lines;
    if (!line_reader_next_record(&reader->lines)) return false;
    source_reader_take_line(reader);
    // A FEN without moves is read as a position (format epd), even in a file of games.
    if (fen_board_length(lines->line, lines->length) &&
        !line_has_game(lines->line, reader->settings.system)) {
        reader->record_format = game_format(FORMAT_EPD);
    }
    return true;
}

bool source_reader_take_bytes(SourceReader *reader, Text *bytes) {
    char block[16384];
    const size_t got = fread(block, 1, sizeof block, reader->lines.file);
    if (got) text_add_bytes(bytes, block, got);
    if (ferror(reader->lines.file)) reader->lines.error_number = errno ? errno : EIO;
    return got > 0;
}

// Reads the whole file as a single record.
bool cut_file(SourceReader *reader) {
    if (reader->games > 0) return false;
    while (reader->text.length <= source_record_max(&reader->settings) &&
           source_reader_take_bytes(reader, &reader->text)) {
    }
    reader->cut_off = reader->text.length > source_record_max(&reader->settings);
    return true;
}

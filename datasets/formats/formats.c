// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats, and what the beginning of a file says of its format.
#include "datasets/formats/formats.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

// ---- reading -----------------------------------------------------------------------------------

ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err) {
    source_game_reset(source);
    if (text->cut_off) {
        err_set(err, STATUS_BAD_INPUT, "it is longer than %d MB", SOURCE_TEXT_MAX >> 20);
        return IMPORT_LENGTH;
    }
    const ImportRefusal refusal = text->format->read(text, settings, source, err);
    const size_t plies = source->record.extra_plies + source->game.count;
    if (refusal != IMPORT_KEPT || (plies > 0 && plies <= UINT16_MAX)) return refusal;
    err_set(err, STATUS_BAD_INPUT, "%zu plies, want 1 to %d", plies, UINT16_MAX);
    return IMPORT_LENGTH;
}

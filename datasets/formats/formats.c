// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats, the detection of a file's format by its name or its first bytes, and the
// reading of a record with each notation that its moves can have.
#include "datasets/formats/formats.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"

enum { GAMES, TREES, BYTES, POSITIONS, SCORED, PACKED };

static const GameFormat formats[FORMAT_COUNT] = {
#define FORMAT(id, name, extension, content, cut, read, write, entry, system, header, lacks,       \
               summary)                                                                            \
    {FORMAT_##id,                                                                                  \
     name,                                                                                         \
     extension,                                                                                    \
     summary,                                                                                      \
     (content) >= POSITIONS,                                                                       \
     (content) >= SCORED,                                                                          \
     (content) == BYTES || (content) == PACKED,                                                    \
     (content) == BYTES,                                                                           \
     (content) == BYTES || (content) == TREES,                                                     \
     cut,                                                                                          \
     read,                                                                                         \
     write,                                                                                        \
     entry,                                                                                        \
     system,                                                                                       \
     header,                                                                                       \
     0u lacks},
#define LACKS(loss) | 1u << LOST_##loss
#include "datasets/formats/formats.def"
};

#undef LACKS

#define FORMAT(id, name, ...) "|" name
const char FORMAT_READ_CHOICES[] = "auto"
#include "datasets/formats/formats.def"
    ;
#define FORMAT(id, name, ...) "|" name
#define FORMAT_READ(...)
const char FORMAT_WRITE_CHOICES[] = "auto"
#include "datasets/formats/formats.def"
    ;

const GameFormat *game_format(FormatId id) {
    return &formats[id];
}

const GameFormat *game_format_of_name(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash)) return NULL;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcasecmp(dot, formats[i].extension) == 0 ||
            strcasecmp(dot + 1, formats[i].name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

// ---- recognising -------------------------------------------------------------------------------

// Returns the first line that is neither blank nor begins with '#', and stores its length. Skips a
// byte order mark and the blanks before the line. If there is no such line, returns the end of the
// text and stores the length 0.
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

bool content_is_blank(const char *head, size_t length) {
    size_t size;
    first_line(head, length, &size);
    return size == 0;
}

static bool is_result_field(const char *line, size_t length) {
    const char *tab = memchr(line, '\t', length);
    char word[16] = "";
    int8_t result;
    if (!tab || tab - line >= (long)sizeof word) return false;
    memcpy(word, line, (size_t)(tab - line));
    return result_from_text(word, &result) || strcmp(word, "*") == 0;
}

static bool begins(const char *line, size_t length, const char *what) {
    return length >= strlen(what) && memcmp(line, what, strlen(what)) == 0;
}

bool text_has_pgn_tag(const char *text, size_t length) {
    for (const char *at = text, *const end = text + length;
         (at = memchr(at, '[', (size_t)(end - at))); at++) {
        if (text_begins_pgn_tag(at, (size_t)(end - at))) return true;
    }
    return false;
}

// Returns true if one of the first 20 lines begins with a result and a tab, as in the file format
// `moves`. Blank lines and lines that begin with '#' do not count.
static bool has_result_line(const char *head, size_t length) {
    const char *at = head, *const end = head + length;
    for (int lines = 0; at < end && lines < 20; lines++) {
        size_t size;
        const char *line = first_line(at, (size_t)(end - at), &size);
        if (is_result_field(line, size)) return true;
        at = line + size;
    }
    return false;
}

// Returns true if a text seems to be copied from a Chinese xiangqi program: it contains the label
// of the Red player (such as 红方:), or its first line begins with the full-width digit 1. HTML
// pages do not count.
static bool is_pasted(const char *head, size_t length) {
    static const char *const words[] = {"红方:", "红方：", "紅方:", "紅方："};
    AUTO(Text) utf8 = {0};
    bool found = false;
    if (length && text_decode_any(head, length, &utf8, NULL) == STATUS_OK) {
        size_t size;
        const char *line = first_line(text_get(&utf8), utf8.length, &size);
        found = begins(line, size, "１");
        for (size_t i = 0; !begins(line, size, "<") && i < sizeof words / sizeof *words; i++) {
            found = found || strstr(text_get(&utf8), words[i]);
        }
    }
    return found;
}

const GameFormat *game_format_of_mark(const char *head, size_t length) {
    size_t size;
    const char *line = first_line(head, length, &size), *name = text_game_format(line, size);
    for (int i = 0; name && i < FORMAT_COUNT; i++) {
        // Magic bytes must be the first bytes.
        if (strcmp(formats[i].name, name) == 0 && (line == head || !formats[i].bytes))
            return &formats[i];
    }
    return NULL;
}

const GameFormat *game_format_of_content(const char *head, size_t length) {
    size_t size, digits = 0;
    const char *line = first_line(head, length, &size);
    const GameFormat *marked = game_format_of_mark(head, length);
    if (marked) return marked;
    while (digits < size && isdigit((unsigned char)line[digits])) digits++;
    const size_t board = fen_board_length(line, size);
    const char *fen;
    char *moves;
    AUTO_FREE char *copy = memory_alloc(size + 1, 1);
    memcpy(copy, line, size);
    if (length && memmem(head, length, "[DhtmlXQ", 8)) return &formats[FORMAT_DHTMLXQ];
    if (is_result_field(line, size) || begins(line, size, "position ") ||
        (fen_split_moves(copy, &fen, &moves) && *moves)) {
        return &formats[FORMAT_MOVES];
    }
    if (begins(line, size, "fen ") && !csv_is_header(line, size)) return &formats[FORMAT_PLAIN];
    if (csv_name_columns(line, size, NULL)) return &formats[FORMAT_CSV];
    if (board > 0 && (board == size || line[board] != '\t')) return &formats[FORMAT_EPD];
    if (csv_is_header(line, size)) return &formats[FORMAT_CSV];
    if (board > 0) return &formats[FORMAT_EPD]; // a board and moves, separated by a tab
    if (begins(line, size, "[") || begins(line, size, "{") || begins(line, size, "%") ||
        (digits > 0 && digits < size && line[digits] == '.')) {
        return &formats[FORMAT_PGN];
    }
    if (begins(line, size, "FORMAT") && memmem(head, length, "START{", 6))
        return &formats[FORMAT_WXF];
    if (has_result_line(head, length)) return &formats[FORMAT_MOVES];
    return is_pasted(head, length) ? &formats[FORMAT_PGN] : NULL;
}

// ---- reading -----------------------------------------------------------------------------------

void source_game_take_system(SourceGame *source, const MoveReader *moves) {
    source->exact = moves->exact;
    source->system = moves->system;
}

static ImportRefusal read_checked(const SourceText *text, const ReadSettings *settings,
                                  SourceGame *source, Err *err) {
    source_game_reset(source);
    const ImportRefusal refusal = text->format->read(text, settings, source, err);
    source_game_end(source);
    const size_t plies = source->record.extra_plies + source->game.count;
    if (source->illegal && refusal == IMPORT_KEPT) {
        return import_refuse(err, IMPORT_MOVE,
                             "the move after ply %zu or in a variation is illegal", plies);
    }
    if (refusal != IMPORT_KEPT || (plies > 0 && plies <= UINT16_MAX)) return refusal;
    if (plies == 0 && settings->positions) return IMPORT_KEPT;
    if (plies == 0) {
        return import_refuse(err, IMPORT_LENGTH,
                             "the record has no moves, so it is not a game. If it has a position, "
                             "'selfplay --openings FILE' plays games from that position, and "
                             "'data import --fill-moves' stores it with a legal move");
    }
    return import_refuse(err, IMPORT_LENGTH,
                         "the game has %zu plies, but a stored game has 1 to %d", plies,
                         UINT16_MAX);
}

// Tries the notations in the order of tried_systems. Accepts the first one in which the whole game
// can be read. If `exact` is set, the moves of the file must also be spelled exactly as that
// notation writes them. If `digits` is set, tries only the notation whose moves are digits. Returns
// false if no notation fits.
static bool try_other_notations(const SourceText *text, const ReadSettings *settings, bool exact,
                                bool digits, SourceGame *source) {
    ReadSettings other = *settings;
    other.positions = false;
    const int found = source->system;
    for (int i = 0; i < TRIED_SYSTEMS; i++) {
        if (exact && tried_systems[i] == found) continue;
        if (digits && tried_systems[i] != NOTATION_DPXQ) continue;
        other.system = tried_systems[i];
        if (read_checked(text, &other, source, NULL) == IMPORT_KEPT && (source->exact || !exact)) {
            return true;
        }
    }
    return false;
}

// Stores the first legal move in a position without moves, as --fill-moves requests.
static ImportRefusal fill_move(SourceGame *source, Err *err) {
    MoveList list;
    position_legal_moves(&source->game.now, &list);
    if (list.count == 0) {
        return import_refuse(err, IMPORT_MOVE, "the side to move has no legal move");
    }
    source_game_push(source, list.moves[0]);
    source->filled = source->exact = true;
    return IMPORT_KEPT;
}

// Reads a record and, if the notation of its moves is doubtful, tries other notations.
static ImportRefusal read_detected(const SourceText *text, const ReadSettings *settings,
                                   SourceGame *source, Err *err) {
    if (text->cut_off) {
        source_game_reset(source);
        return import_refuse(err, IMPORT_LENGTH,
                             "the record is longer than %zu MB, which is the limit",
                             source_record_max(settings) >> 20);
    }
    const ImportRefusal refusal = read_checked(text, settings, source, err);
    const FormatId id = text->format->id;
    const bool detected = settings->system == MOVES_DETECTED;
    // In the notation of dpxq.com moves consist of digits only. If another notation is assumed,
    // such moves are taken for move numbers, and the game seems to have no moves.
    const bool digits =
        (refusal == IMPORT_LENGTH || refusal == IMPORT_KEPT) && source->game.count == 0;
    const bool doubtful =
        refusal == IMPORT_MOVE || (refusal == IMPORT_KEPT && !source->exact) || digits;
    if (!detected || !doubtful || (id != FORMAT_PGN && id != FORMAT_MOVES)) return refusal;
    if (try_other_notations(text, settings, refusal == IMPORT_KEPT, digits, source))
        return IMPORT_KEPT;
    return read_checked(text, settings, source, err);
}

ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err) {
    const ImportRefusal refusal = read_detected(text, settings, source, err);
    const bool empty = source->game.count == 0 && source->placed && source->record.extra_plies == 0;
    if (refusal != IMPORT_LENGTH || !empty || !settings->fill_moves) return refusal;
    return fill_move(source, err);
}

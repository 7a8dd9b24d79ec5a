// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a file of PGN, or of texts like it, into games.
#include <stdio.h>
#include <strings.h>

#include "datasets/formats/pgn_text.h"

// [Name "value", the name in any language.
static bool is_tag_line(const char *line) {
    if (*line++ != '[' || strspn(line, " \t%\"")) return false;
    line += strcspn(line, " \t\"");
    return line[strspn(line, " \t")] == '"';
}

static bool same_tag(const char *a, const char *b) {
    const size_t length = strcspn(a, " \t\"");
    return strncasecmp(a, b, length) == 0 && strcspn(b, " \t\"") == length;
}

// The line as UTF-8, with narrow blanks alone.
static void decode_line(const char *line, Text *text) {
    if (text_decode_any(line, strlen(line), text, NULL) != STATUS_OK) text_reset(text);
    text_add(text, "%s", "");
    for (char *at = text->data; (at = strstr(at, PGN_WIDE_SPACE));) {
        memset(at, ' ', strlen(PGN_WIDE_SPACE));
    }
}

// Is there a number at its beginning, or a move as a game may begin with it?
static bool has_moves(const char *line) {
    const char *word;
    size_t length;
    Position start;
    Move move;
    position_init_start(&start);
    if (isdigit((unsigned char)line[strspn(line, " \t")])) return true;
    while (text_next_word(&line, &word, &length)) {
        MoveReader moves;
        move_reader_init(&moves, MOVES_DETECTED);
        if (move_reader_read(&moves, &start, word, length, &move, NULL) == STATUS_OK) return true;
    }
    return false;
}

// Does a line of moves end with the result of the game? Words say it only where moves have begun.
static bool ends_game(const char *line, bool moves) {
    size_t end = strlen(line);
    while (end > 0 && isspace((unsigned char)line[end - 1])) end--;
    size_t begin = end;
    while (begin > 0 && !isspace((unsigned char)line[begin - 1])) begin--;
    char word[32] = "";
    int8_t result;
    if (end - begin >= sizeof word) return false;
    memcpy(word, line + begin, end - begin);
    return strcmp(word, "*") == 0 ||
           ((moves || isdigit((unsigned char)*word)) && result_from_text(word, &result));
}

// "RESULT 1-0" or "结果: 1-0", ahead of the moves; no comment.
static bool is_label(const char *line) {
    const char *digit = line + strcspn(line, "0123456789"), *colon = strchr(line, ':'),
               *wide = strstr(line, "：");
    if (strpbrk(line, "{}()")) return false;
    return strncmp(line, "RESULT", 6) == 0 || (colon && colon < digit) || (wide && wide < digit);
}

// ---- pieces of a line --------------------------------------------------------------------------

// Several games may share a line. A piece of it is a run of tags, or what stands between them, up
// to the result of a game that another one follows.
typedef struct LinePiece {
    const char *text; // in the reader's line
    size_t length;
    bool begins_line; // of the file, or of a page's text
    bool tags;        // a run of tags
    bool restarts;    // a result and, behind it, the first move of another game stand before it
    bool ends;        // it ends with a result
} LinePiece;

typedef struct Scan {
    const char *at, *end;
    bool utf8;  // else the second byte of a character can be a brace or a bracket
    int braces; // open ones
} Scan;

static void step(Scan *scan) {
    const bool wide = (unsigned char)*scan->at >= 0x80 && !scan->utf8;
    scan->at += wide && scan->at + 1 < scan->end ? 2 : 1;
}

static void skip_blanks(Scan *scan) {
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t')) scan->at++;
}

// Goes behind a comment in braces, or to the end of the line.
static void skip_comment(Scan *scan) {
    do {
        if (*scan->at == '{') scan->braces++;
        if (*scan->at == '}') scan->braces--;
        step(scan);
    } while (scan->at < scan->end && scan->braces > 0);
}

// Goes behind a run of tags and the comments among them. A tag that comes again begins a game.
static void skip_tags(Scan *scan) {
    const char *const first = scan->at;
    while (scan->at < scan->end) {
        if (is_tag_line(scan->at)) {
            if (scan->at > first && same_tag(first + 1, scan->at + 1)) return;
            scan->at = pgn_tag_end(scan->at, scan->end);
        } else if (*scan->at == '{') {
            skip_comment(scan);
        } else {
            break;
        }
        skip_blanks(scan);
    }
    if (scan->at < scan->end && *scan->at == HTML_BREAK) scan->at++;
}

// Returns the length of the result of a game that stands at `at`, as a word of its own; 0: none.
static size_t result_length(const Scan *scan) {
    static const char *const words[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, words[i], length) != 0) {
            continue;
        }
        const char *behind = scan->at + length;
        if (behind == scan->end || pgn_is_space(*behind) || *behind == '[') return length;
    }
    return 0;
}

// Returns true if the number of a first move stands there: "1." or "1 ".
static bool is_first_number(const Scan *scan) {
    return scan->end - scan->at >= 2 && *scan->at == '1' && strchr(". \t", scan->at[1]);
}

// Goes behind moves and comments to the next tag, to the end of the line, or behind a result that
// ends a game of a page (`pages`) or has another game behind it.
static void skip_moves(Scan *scan, bool pages, LinePiece *piece) {
    bool word = true; // one begins
    int brackets = 0;
    while (scan->at < scan->end && *scan->at != HTML_BREAK) {
        const char c = *scan->at;
        const bool open = scan->braces > 0;
        if (c == '{') scan->braces++;
        if (c == '}' && open) scan->braces--;
        if (!open && c == '(') brackets++;
        if (!open && c == ')' && brackets > 0) brackets--;
        if (!open && c == '[' && scan->at > piece->text && is_tag_line(scan->at)) return;
        if (!open && c == ';') {
            while (scan->at < scan->end && *scan->at != HTML_BREAK) scan->at++;
            break;
        }
        const size_t result = !open && brackets == 0 && word ? result_length(scan) : 0;
        word = pgn_is_space(c) || c == '}' || c == ')';
        if (!result) {
            step(scan);
            continue;
        }
        scan->at += result;
        piece->ends = pages;
        if (pages) return;
        skip_blanks(scan);
        if (is_first_number(scan)) return;
        word = true;
    }
    if (scan->at < scan->end) scan->at++;
}

// Takes the next piece, of this line or the next one; false at the end of the file.
static bool next_piece(SourceReader *reader, int *braces, LinePiece *piece) {
    LineReader *lines = &reader->lines;
    if (!reader->piece_open) {
        if (!line_reader_next(lines)) return false;
        reader->piece_at = 0;
        reader->piece_utf8 = text_is_utf8(lines->line, lines->length);
    }
    Scan scan = {.at = lines->line + reader->piece_at,
                 .end = lines->line + lines->length,
                 .utf8 = reader->piece_utf8,
                 .braces = *braces};
    const bool behind_break = reader->piece_at > 0 && scan.at[-1] == HTML_BREAK;
    *piece = (LinePiece){.text = scan.at, .begins_line = reader->piece_at == 0 || behind_break};
    if (!piece->begins_line || reader->is_html) skip_blanks(&scan);
    piece->restarts = reader->piece_at > 0 && !behind_break && is_first_number(&scan);
    piece->tags = is_tag_line(scan.at) && (piece->begins_line || scan.braces == 0);
    if (piece->tags) {
        scan.braces = 0;
        skip_tags(&scan);
    } else {
        skip_moves(&scan, reader->tags_only, piece);
    }
    piece->length = (size_t)(scan.at - piece->text);
    reader->piece_at += piece->length;
    reader->piece_open = scan.at < scan.end;
    *braces = scan.braces;
    return true;
}

// The piece comes once more.
static void unread_piece(SourceReader *reader, const LinePiece *piece) {
    reader->piece_at = (size_t)(piece->text - reader->lines.line);
    reader->piece_open = true;
}

// A game begins with a tag behind moves, or with its first tag or a FEN for the second time;
// without tags, behind a result. In a page with tags (reader->tags_only) a game ends with its
// result, and what stands before the next tag is left out.
bool cut_pgn(SourceReader *reader) {
    char first_tag[64] = "";
    bool moves = false, ended = false, begun = false, placed = false;
    int depth = 0;
    LinePiece piece = {0};
    AUTO(Text) text = {0}, copy = {0};
    for (int before = 0; !piece.ends && next_piece(reader, &depth, &piece); before = depth) {
        text_reset(&copy);
        text_add_bytes(&copy, piece.text, piece.length);
        text_add(&copy, "%s", "");
        const char *line = copy.data;
        if (piece.tags) line += strspn(line, " \t");
        // XQStudio frames what is copied out of it with lines of dashes, the last behind the moves.
        const bool frame = before == 0 && strncmp(line, "-----", 5) == 0;
        const bool blank = frame || line[strspn(line, " \t\r\v")] == '\0', named = piece.tags,
                   tag = named || (*line == '[' && !moves);
        if (reader->line == 0 && (blank || (reader->tags_only && !named))) {
            piece.ends = false;
            continue;
        }
        if (frame && begun) break;
        const bool fen = named && same_tag(line + 1, "FEN ");
        const bool again = *first_tag && same_tag(first_tag, line + 1);
        const bool tag_begins = tag && (moves || again || (fen && placed));
        if (tag_begins || (moves && piece.restarts && before == 0) ||
            (!tag && !blank && ended && before == 0 && !*first_tag)) {
            unread_piece(reader, &piece);
            break;
        }
        if (named && !*first_tag) snprintf(first_tag, sizeof first_tag, "%.63s", line + 1);
        placed = placed || fen;
        moves = moves || (!tag && !blank && *line != '%' && *line != ';');
        if (!blank) ended = false;
        if (!blank && !*first_tag && !is_label(line)) {
            text_reset(&text);
            decode_line(line, &text);
            begun = begun || has_moves(text.data);
            ended = ends_game(text.data, begun);
        }
        if (frame) {
            text_add_bytes(&reader->text, "\n", 1);
        } else {
            source_reader_take_part(reader, piece.text, piece.length);
        }
        if (!*first_tag && strstr(line, "}END")) break; // of a .wxf file, which has no tags
    }
    return reader->line > 0;
}

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

// Braces that a line leaves open, more or less. In GBK and Big5 the second byte of a character can
// be a brace.
static int brace_depth(const char *line, size_t length, int depth) {
    const bool utf8 = text_is_utf8(line, length);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)line[i];
        if (c == '{') depth++;
        if (c == '}' && depth > 0) depth--;
        if (c >= 0x80 && !utf8) i++;
    }
    return depth;
}

// A game begins with a tag behind moves, or with a tag that the game has already; without tags,
// behind a result.
bool cut_pgn(SourceReader *reader) {
    LineReader *lines = &reader->lines;
    char first_tag[64] = "";
    bool moves = false, ended = false, begun = false;
    int depth = 0;
    AUTO(Text) text = {0};
    while (line_reader_next(lines)) {
        const char *line = lines->line;
        // XQStudio frames what is copied out of it with lines of dashes, the last behind the moves.
        const bool frame = depth == 0 && strncmp(line, "-----", 5) == 0;
        const bool blank = frame || line[strspn(line, " \t\r")] == '\0', named = is_tag_line(line),
                   tag = named || (*line == '[' && !moves);
        if (blank && reader->line == 0) continue;
        if (frame && begun) break;
        const bool tag_begins = tag && (moves || (*first_tag && same_tag(first_tag, line + 1)));
        if (tag_begins || (!tag && !blank && ended && depth == 0 && !*first_tag)) {
            line_reader_unread(lines);
            break;
        }
        if (named && !*first_tag) snprintf(first_tag, sizeof first_tag, "%.63s", line + 1);
        moves = moves || (!tag && !blank && *line != '%' && *line != ';');
        depth = brace_depth(line, lines->length, depth);
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
            source_reader_take_line(reader);
        }
        if (!*first_tag && strstr(line, "}END")) break; // of a .wxf file, which has no tags
    }
    return reader->line > 0;
}

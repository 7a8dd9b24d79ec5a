// SPDX-License-Identifier: GPL-3.0-or-later
// Divides a file into the texts of single games. The file contains PGN, or texts that look like
// PGN, such as .wxf files.
#include <stdio.h>
#include <strings.h>

#include "core/system/in_file.h"
#include "datasets/formats/pgn_text.h"

// Returns true if a line begins with a PGN tag, [Name "value". The name may be in any language.
static bool is_tag_line(const char *line) {
    if (*line++ != '[' || strspn(line, " \t%\"")) return false;
    line += strcspn(line, " \t\"");
    return line[strspn(line, " \t")] == '"';
}

// Returns true if two texts begin with equal tag names, ignoring case.
static bool same_tag(const char *a, const char *b) {
    const size_t length = strcspn(a, " \t\"");
    return strncasecmp(a, b, length) == 0 && strcspn(b, " \t\"") == length;
}

// Converts a line to UTF-8 and replaces its full-width blanks by ASCII blanks.
static void decode_line(const char *line, Text *text) {
    if (text_decode_any(line, strlen(line), text, NULL) != STATUS_OK) text_reset(text);
    text_add(text, "%s", "");
    for (char *at = text->data; (at = strstr(at, PGN_WIDE_SPACE));) {
        memset(at, ' ', strlen(PGN_WIDE_SPACE));
    }
}

// Returns true if a line begins with a digit, or contains a move that is legal in the initial
// position.
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

// Returns true if a line ends with a result or "*". A result in words counts only if `moves` is set
// (the moves have begun), because names can contain such words.
static bool ends_game(const char *line, bool moves) {
    size_t end = strlen(line);
    while (end > 0 && isspace((unsigned char)line[end - 1])) end--;
    size_t begin = end;
    while (begin > 0 && !isspace((unsigned char)line[begin - 1])) begin--;
    char word[32] = "";
    int8_t result;
    if (end - begin >= sizeof word) return false;
    memcpy(word, line + begin, end - begin);
    return strcmp(word, "*") == 0 || pgn_both_lost(word) ||
           ((moves || isdigit((unsigned char)*word)) && pgn_result(word, &result));
}

// Returns true if a line is a label that stands before the moves, such as "结果: 1-0". A label
// begins with RESULT, or has a colon before its first digit. A line with braces or round brackets
// is not a label but a comment or a variation.
static bool is_label(const char *line) {
    const char *digit = line + strcspn(line, "0123456789"), *colon = strchr(line, ':'),
               *wide = strstr(line, "：");
    if (strpbrk(line, "{}()")) return false;
    return strncmp(line, "RESULT", 6) == 0 || (colon && colon < digit) || (wide && wide < digit);
}

// ---- pieces of a line --------------------------------------------------------------------------

// A piece of text: a line, or a part of it, because several games may share a line. The text is
// either a sequence of tags, or begins after tags and ends before the next tag. A result can end
// the text earlier.
typedef struct LinePiece {
    const char *text; // beginning of the piece, in the current line of the reader (lines.line)
    size_t length;
    bool begins_line; // the text is at the beginning of a line, or follows an HTML_BREAK
    bool tags;        // the text is a sequence of tags
    bool restarts;    // the text begins with move number 1, after other text on the same line
    bool ends;        // the file is an HTML page with PGN tags, and the text ends with a result, so
                      // that the game is complete
} LinePiece;

typedef struct Scan {
    const char *at, *end;
    bool utf8;  // true: UTF-8; false: an encoding in which the second byte of a character can look
                // like a brace or bracket
    int braces; // number of open braces; if it is not 0, the text is inside a comment
} Scan;

static void step(Scan *scan) {
    const bool wide = (unsigned char)*scan->at >= 0x80 && !scan->utf8;
    scan->at += wide && scan->at + 1 < scan->end ? 2 : 1;
}

static void skip_blanks(Scan *scan) {
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t')) scan->at++;
}

// Skips a comment in braces. If it does not end on this line, skips the rest of the line.
static void skip_comment(Scan *scan) {
    do {
        if (*scan->at == '{') scan->braces++;
        if (*scan->at == '}') scan->braces--;
        step(scan);
    } while (scan->at < scan->end && scan->braces > 0);
}

// Skips a sequence of tags and the comments between them. Stops before a tag with the name of the
// first one, because the next game begins there.
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

// Returns the length of the result, such as "1-0" or "*", at the current place. Returns 0 if there
// is none, or if neither a blank, the line end, '[' nor '<' follows it.
static size_t result_length(const Scan *scan) {
    static const char *const words[] = {"1-0", "0-1", "1/2-1/2", "*",  "1:0",
                                        "0:1", "½-½", "0-0",     "0:0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (*scan->at != *words[i]) continue; // most words are moves
        const size_t length = strlen(words[i]);
        if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, words[i], length) != 0) {
            continue;
        }
        const char *behind = scan->at + length;
        if (behind == scan->end || pgn_is_space(*behind) || strchr("[<", *behind)) return length;
    }
    return 0;
}

// Returns true if the text at the current place is move number 1: "1." or "1 ".
static bool is_first_number(const Scan *scan) {
    return scan->end - scan->at >= 2 && *scan->at == '1' && strchr(". \t", scan->at[1]);
}

// Skips one character in the text of the moves. Counts open braces and round brackets. Sets *word
// to whether a word may begin after the character.
static void skip_character(Scan *scan, int *brackets, bool *word) {
    const char c = *scan->at;
    const bool open = scan->braces > 0;
    if (c == '{') scan->braces++;
    if (c == '}' && open) scan->braces--;
    if (!open && c == '(') ++*brackets;
    if (!open && c == ')' && *brackets > 0) --*brackets;
    *word = pgn_is_space(c) || c == '}' || c == ')';
    step(scan);
}

// Skips the moves and comments of a piece of text. The piece ends before the next tag, after the
// end of the line, or after a result. A result ends the piece only if `pages` is set (the file is
// an HTML page with PGN tags), or if move number 1 follows on the same line.
static void skip_moves(Scan *scan, bool pages, LinePiece *piece) {
    bool word = true; // true if a word may begin at the current place
    int brackets = 0;
    while (scan->at < scan->end && *scan->at != HTML_BREAK) {
        const bool open = scan->braces > 0;
        if (!open && *scan->at == '[' && scan->at > piece->text && is_tag_line(scan->at)) return;
        if (!open && *scan->at == ';') { // a comment that extends to the line end
            while (scan->at < scan->end && *scan->at != HTML_BREAK) scan->at++;
            break;
        }
        const bool outside = !open && brackets == 0 && word;
        const size_t result = outside ? result_length(scan) : 0;
        if (!result) {
            skip_character(scan, &brackets, &word);
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

// A CR inside a quoted tag counts as a blank, not as a line end. If the last tag of a line is not
// closed, and its closing quote follows behind a CR, appends the text behind the CR to the line.
static void join_open_tag(LineReader *lines) {
    for (;;) {
        const char *at = lines->line, *const end = at + lines->length, *tag = NULL;
        for (; is_tag_line(at); at += strspn(at, " \t")) {
            tag = at;
            at = pgn_tag_end(at, end);
        }
        const char *behind = lines->block + lines->next;
        if (!tag || !pgn_tag_is_open(tag, end) || is_tag_line(behind) ||
            !memchr(behind, '"', lines->rest) || !line_reader_join(lines)) {
            return;
        }
    }
}

// Reads the next piece of text of the current line, or the first one of the next line. *braces is
// the number of open braces before this text, and becomes the number after it. Returns false at the
// end of the file.
static bool next_piece(SourceReader *reader, int *braces, LinePiece *piece) {
    LineReader *lines = &reader->lines;
    if (!reader->piece_open) {
        if (!line_reader_next(lines)) return false;
        join_open_tag(lines);
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

// Moves the reader back, so that next_piece() returns the same piece of text again.
static void unread_piece(SourceReader *reader, const LinePiece *piece) {
    reader->piece_at = (size_t)(piece->text - reader->lines.line);
    reader->piece_open = true;
}

// State of cut_pgn() while it extracts a game.
typedef struct GameCut {
    char first_tag[64]; // first tag of the game, without its opening bracket; "" if no tag was read
    bool moves;         // the moves have begun
    bool begun; // only for a game without tags: has_moves() was true for a line that was read
    bool ended; // only for a game without tags: the last line that is not blank ended with a result
    bool placed;  // a tag FEN was read
    Text decoded; // buffer for a line that was converted to UTF-8
} GameCut;

// Properties of a piece of text that decide whether it belongs to the current game.
typedef struct PieceView {
    const char *line; // the text, zero-terminated
    bool outside;     // the text does not begin inside a comment
    bool frame; // the text is a line of dashes, which XQStudio prints around a game and its moves
    bool blank; // the text has only blanks, or is a line of dashes
    bool tag;   // the text begins with a tag, or with a bracket before the moves
    bool fen;   // the text begins with a tag FEN
} PieceView;

static PieceView view_piece(const LinePiece *piece, const char *line, bool outside, bool moves) {
    if (piece->tags) line += strspn(line, " \t");
    const bool frame = outside && strncmp(line, "-----", 5) == 0;
    return (PieceView){.line = line,
                       .outside = outside,
                       .frame = frame,
                       .blank = frame || line[strspn(line, " \t\r\v")] == '\0',
                       .tag = piece->tags || (*line == '[' && !moves),
                       .fen = piece->tags && same_tag(line + 1, "FEN ")};
}

// Returns true if a piece of text belongs to the next game. A new game begins with a tag after
// moves, with a tag of the same name as the first tag, with a second tag FEN, or with move number 1
// on the line of the previous moves. If the game has no tags, the next game also begins after a
// result.
static bool begins_game(const GameCut *cut, const PieceView *view, const LinePiece *piece) {
    const bool again = *cut->first_tag && same_tag(cut->first_tag, view->line + 1);
    const bool tag_begins = view->tag && (cut->moves || again || (view->fen && cut->placed));
    const bool restarts = cut->moves && piece->restarts && view->outside;
    return tag_begins || restarts ||
           (!view->tag && !view->blank && cut->ended && view->outside && !*cut->first_tag);
}

// Updates the state after a piece of text was added to the game. `named` is set if the text begins
// with a tag.
static void note_piece(GameCut *cut, const PieceView *view, bool named) {
    const char *line = view->line;
    if (named && !*cut->first_tag) {
        snprintf(cut->first_tag, sizeof cut->first_tag, "%.63s", line + 1);
    }
    cut->placed = cut->placed || view->fen;
    cut->moves = cut->moves || (!view->tag && !view->blank && *line != '%' && *line != ';');
    if (view->blank) return;
    cut->ended = false;
    if (*cut->first_tag || is_label(line)) return;
    text_reset(&cut->decoded);
    decode_line(line, &cut->decoded);
    cut->begun = cut->begun || has_moves(cut->decoded.data);
    cut->ended = ends_game(cut->decoded.data, cut->begun);
}

// Extracts the next game from the file. If reader->tags_only is set (an HTML page with PGN tags), a
// game ends with its result, and text before the next tag is ignored.
bool cut_pgn(SourceReader *reader) {
    GameCut cut = {.moves = false};
    int braces = 0;
    LinePiece piece = {0};
    AUTO(Text) copy = {0};
    for (int before = 0; !piece.ends && next_piece(reader, &braces, &piece); before = braces) {
        text_reset(&copy);
        text_add_bytes(&copy, piece.text, piece.length);
        text_add(&copy, "%s", "");
        const PieceView view = view_piece(&piece, copy.data, before == 0, cut.moves);
        if (reader->line == 0 && (view.blank || (reader->tags_only && !piece.tags))) {
            piece.ends = false;
            continue;
        }
        if (view.frame && cut.begun) break;
        if (begins_game(&cut, &view, &piece)) {
            unread_piece(reader, &piece);
            break;
        }
        note_piece(&cut, &view, piece.tags);
        if (view.frame) {
            text_add_bytes(&reader->text, "\n", 1);
        } else {
            source_reader_take_part(reader, piece.text, piece.length);
        }
        // In a .wxf file, which has no tags, a line that contains "}END" ends a game.
        if (!*cut.first_tag && strstr(view.line, "}END")) break;
    }
    text_clear(&cut.decoded);
    return reader->line > 0;
}

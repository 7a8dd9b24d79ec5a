// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a file of PGN, or of texts like PGN, into games.
#include <stdio.h>
#include <strings.h>

#include "datasets/formats/pgn_text.h"

// Returns true if a line begins with [Name "value", where the name may be in any language.
static bool is_tag_line(const char *line) {
    if (*line++ != '[' || strspn(line, " \t%\"")) return false;
    line += strcspn(line, " \t\"");
    return line[strspn(line, " \t")] == '"';
}

static bool same_tag(const char *a, const char *b) {
    const size_t length = strcspn(a, " \t\"");
    return strncasecmp(a, b, length) == 0 && strcspn(b, " \t\"") == length;
}

// Converts a line to UTF-8 and its full-width blanks to ASCII blanks.
static void decode_line(const char *line, Text *text) {
    if (text_decode_any(line, strlen(line), text, NULL) != STATUS_OK) text_reset(text);
    text_add(text, "%s", "");
    for (char *at = text->data; (at = strstr(at, PGN_WIDE_SPACE));) {
        memset(at, ' ', strlen(PGN_WIDE_SPACE));
    }
}

// Returns true if a line begins with a digit, or has a move that is legal in the start position.
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

// Returns true if a line of moves ends with a result. Results in words count only after `moves`
// have begun, because names can contain such words.
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

// Returns true if a line is a label before the moves, such as "RESULT 1-0" or "结果: 1-0". A line
// with brackets is a comment instead.
static bool is_label(const char *line) {
    const char *digit = line + strcspn(line, "0123456789"), *colon = strchr(line, ':'),
               *wide = strstr(line, "：");
    if (strpbrk(line, "{}()")) return false;
    return strncmp(line, "RESULT", 6) == 0 || (colon && colon < digit) || (wide && wide < digit);
}

// ---- pieces of a line --------------------------------------------------------------------------

// Several games may share a line. A piece is a part of a line: a sequence of tags, or the text
// between tags, up to a result after which another game begins.
typedef struct LinePiece {
    const char *text; // begin of the piece in the reader's line
    size_t length;
    bool begins_line; // it begins a line of the file, or of an HTML page's text
    bool tags;        // it is a sequence of tags
    bool restarts;    // it begins with move number 1, on the same line as the previous piece
    bool ends;        // it ends with a result that ends the game
} LinePiece;

typedef struct Scan {
    const char *at, *end;
    bool utf8;  // if false, the second byte of a character can be a brace or a bracket
    int braces; // number of open braces
} Scan;

static void step(Scan *scan) {
    const bool wide = (unsigned char)*scan->at >= 0x80 && !scan->utf8;
    scan->at += wide && scan->at + 1 < scan->end ? 2 : 1;
}

static void skip_blanks(Scan *scan) {
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t')) scan->at++;
}

// Skips a comment in braces, which may end on a later line.
static void skip_comment(Scan *scan) {
    do {
        if (*scan->at == '{') scan->braces++;
        if (*scan->at == '}') scan->braces--;
        step(scan);
    } while (scan->at < scan->end && scan->braces > 0);
}

// Skips a sequence of tags and the comments between them. Stops where the first tag occurs again:
// there the next game begins.
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

// Returns the length of the result of a game ("1-0") that stands at the current place as a separate
// word, or 0 if there is none.
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

// Returns true if move number 1 is at the current place: "1." or "1 ".
static bool is_first_number(const Scan *scan) {
    return scan->end - scan->at >= 2 && *scan->at == '1' && strchr(". \t", scan->at[1]);
}

// Skips a character of the moves. Counts braces and round brackets, and sets *word to true if a
// word may begin after it.
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

// Skips moves and comments up to the next tag, to the end of the line, or past the result that ends
// the piece. A result ends it if another game follows, and always in an HTML page (`pages`).
static void skip_moves(Scan *scan, bool pages, LinePiece *piece) {
    bool word = true; // a word may begin here
    int brackets = 0;
    while (scan->at < scan->end && *scan->at != HTML_BREAK) {
        const bool open = scan->braces > 0;
        if (!open && *scan->at == '[' && scan->at > piece->text && is_tag_line(scan->at)) return;
        if (!open && *scan->at == ';') { // a comment up to the line end
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

// Reads the next piece, from this line or the next one. Returns false at the end of the file.
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

// Makes next_piece() return this piece again.
static void unread_piece(SourceReader *reader, const LinePiece *piece) {
    reader->piece_at = (size_t)(piece->text - reader->lines.line);
    reader->piece_open = true;
}

// The state while one game is cut.
typedef struct GameCut {
    char first_tag[64]; // first tag of the game, without its bracket, or ""
    bool moves;         // the moves have begun
    bool begun;         // no tags: a line with a move was read
    bool ended;         // no tags: the last line ended with a result
    bool placed;        // a tag FEN was read
    Text decoded;       // a line as UTF-8
} GameCut;

// A piece as cut_pgn() sees it.
typedef struct PieceView {
    const char *line; // zero-terminated text of the piece
    bool outside;     // it begins outside of comments
    bool frame;       // it is a line of dashes, as XQStudio puts around a game and its moves
    bool blank;       // it is empty or a frame
    bool tag;         // it begins with a tag, or with a bracket before the moves
    bool fen;         // it begins with a tag FEN
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

// Returns true if the piece belongs to the next game. A game begins with a tag after moves, or
// where its first tag or a FEN occurs again; without tags, after a result.
static bool begins_game(const GameCut *cut, const PieceView *view, const LinePiece *piece) {
    const bool again = *cut->first_tag && same_tag(cut->first_tag, view->line + 1);
    const bool tag_begins = view->tag && (cut->moves || again || (view->fen && cut->placed));
    const bool restarts = cut->moves && piece->restarts && view->outside;
    return tag_begins || restarts ||
           (!view->tag && !view->blank && cut->ended && view->outside && !*cut->first_tag);
}

// Updates the state by a piece of the game.
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

// Cuts a game. In an HTML page with tags (reader->tags_only) a game ends with its result, and the
// text up to the next tag is ignored.
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
        if (!*cut.first_tag && strstr(view.line, "}END")) break; // the end of a .wxf game
    }
    text_clear(&cut.decoded);
    return reader->line > 0;
}

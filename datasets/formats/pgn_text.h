// SPDX-License-Identifier: GPL-3.0-or-later
// State and functions for reading one game from PGN, or from a text like PGN. pgn_head.c reads tags
// and labels, pgn_read.c reads the moves.
#pragma once

#include <ctype.h>
#include <string.h>

#include "datasets/formats/formats.h"

// The full-width blank, which Chinese texts use.
#define PGN_WIDE_SPACE "\u3000"

enum { DEEPEST = 64 }; // largest nesting depth of variations; deeper ones are skipped

// A variation whose moves are being read.
typedef struct PgnLine {
    size_t line;     // number of the variation in its SourceGame
    const char *end; // place of the variation's closing bracket
} PgnLine;

typedef struct Pgn {
    const char *begin, *at, *end; // the UTF-8 text, the current place in it, and its NUL terminator
    SourceGame *source;
    MoveReader moves;
    bool system_tag; // a tag states the notation of the moves
    bool tagged;     // the game has a PGN tag, so no line is taken for a label
    int tags;        // number of stored tags, without those that the reader itself interprets
    bool wxf;   // .wxf file: the moves are between START{ and }END, and all lines before are labels
    bool begun; // the start position is set, so the next words are moves
    bool ended; // a result was read after the moves
    int8_t end_result;     // result after the moves, if it is known
    bool flat;             // comments in this game are read without nesting
    bool end_open;         // the result after the moves is * (unknown)
    bool variations;       // variations are read, not skipped
    PgnLine open[DEEPEST]; // the variations around the current place, outermost first
    int depth;             // number of elements in `open`
    uint32_t book;         // number of moves at the beginning that comments mark as book moves
    Text value;            // buffer for the result of pgn_tag()
    Err *err;
} Pgn;

ALWAYS_INLINE bool pgn_is_space(char c) {
    return isspace((unsigned char)c) || c == '\0';
}

// Returns true if the text at `at` begins with `what`.
ALWAYS_INLINE bool pgn_begins(const Pgn *pgn, const char *at, const char *what) {
    const size_t length = strlen(what);
    return (size_t)(pgn->end - at) >= length && memcmp(at, what, length) == 0;
}

ALWAYS_INLINE bool pgn_is_line_end(char c) {
    return c == '\n' || c == HTML_BREAK;
}

ALWAYS_INLINE const char *pgn_line_end(const char *at, const char *end) {
    while (at < end && !pgn_is_line_end(*at)) at++;
    return at;
}

// ---- before the moves: pgn_head.c ---------------------------------------------------------------

// Reads the tag whose opening bracket is at pgn->at. A tag without quotes ends at its closing
// bracket, or at the line end if that bracket is missing.
void pgn_read_tag(Pgn *pgn);
// Returns the end of the tag whose opening bracket is at `at`.
const char *pgn_tag_end(const char *at, const char *end);
// Returns the value of a tag, or "" if the game has no such tag. The text is valid until the next
// call.
const char *pgn_tag(Pgn *pgn, const char *name);
// Reads a label such as "红方: name", and its value. Skips an unknown label: only the part up to
// the colon if moves follow, otherwise the whole line. Returns false if there is no label.
bool pgn_take_label(Pgn *pgn);
// Removes tags that the record implies, such as Opening, and standard PGN tags whose value is
// unknown ("?").
void pgn_keep_tags(SourceGame *source);

// ---- words of the moves: pgn_read.c -------------------------------------------------------------

// Returns the length of the move number at the beginning of a word: "12.", "12..." or "12". Returns
// 0 for a word like "66.5", which is a move in WXF notation. If `digits_are_moves` is set, "12" is
// not a number, because moves of the notation consist of digits only.
size_t pgn_number_length(const char *word, size_t length, bool digits_are_moves);
// Reads the first move of a word in which several moves follow each other without blanks, such as
// 兵七进一炮2平32. Sets *behind to the end of that move.
bool pgn_read_glued(MoveReader *moves, const Position *position, const char *word, size_t length,
                    Move *move, const char **behind);

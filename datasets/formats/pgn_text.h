// SPDX-License-Identifier: GPL-3.0-or-later
// A game of PGN, or of a text like it, while it is read: what stands ahead of its moves
// (pgn_head.c) and the moves (pgn_read.c).
#pragma once

#include <ctype.h>
#include <string.h>

#include "datasets/formats/formats.h"

// The blank of the full-width forms.
#define PGN_WIDE_SPACE "\u3000"

enum { DEEPEST = 64 }; // variations in variations; deeper ones are skipped

// A variation that is being read.
typedef struct PgnLine {
    size_t line;     // it
    const char *end; // its bracket
} PgnLine;

typedef struct Pgn {
    const char *begin, *at, *end; // UTF-8; *end is 0
    SourceGame *source;
    MoveReader moves;
    bool system_tag;   // a tag says the notation of the moves
    bool tagged;       // there is a tag: then no line is a label
    int tags;          // taken, besides those that tell how to read the game
    bool wxf;          // the moves stand in START{ }END, ahead of them all lines are labels
    bool begun;        // the start is known, moves may come
    bool ended;        // the result has been read among the moves
    int8_t end_result; // it
    bool flat;         // braces do not nest in this game
    bool end_open;     // it is *
    bool variations;   // are wanted
    PgnLine open[DEEPEST];
    int depth;     // of these
    uint32_t book; // moves that comments say are of a book, without a gap from the first on
    Text value;    // of a tag
    Err *err;
} Pgn;

ALWAYS_INLINE bool pgn_is_space(char c) {
    return isspace((unsigned char)c) || c == '\0';
}

// Is this what stands at `at`?
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

// ---- ahead of the moves ------------------------------------------------------------------------

// Reads the tag whose bracket is at pgn->at; what lacks its quotes or its bracket ends at the
// bracket or with the line.
void pgn_read_tag(Pgn *pgn);
// Returns the end of the tag whose bracket is at `at`.
const char *pgn_tag_end(const char *at, const char *end);
// The value of a tag, "" where there is none; until the next call.
const char *pgn_tag(Pgn *pgn, const char *name);
// Takes a label of the lines ahead of the moves. One that is not known is skipped with its line;
// where moves follow it, up to its colon. False when there is none.
bool pgn_take_label(Pgn *pgn);
// Takes those tags away that follow from the record, or say nothing.
void pgn_keep_tags(SourceGame *source);

// ---- words among the moves ---------------------------------------------------------------------

// How much of a word is a move number: "12." "12..." or "12" alone. "66.5" is a move of wxf.
size_t pgn_number_length(const char *word, size_t length, bool digits_are_moves);
// Reads the move that a word of several, without blanks between, begins with: 兵七进一炮2平32. ...
// *behind is where it ends.
bool pgn_read_glued(MoveReader *moves, const Position *position, const char *word, size_t length,
                    Move *move, const char **behind);

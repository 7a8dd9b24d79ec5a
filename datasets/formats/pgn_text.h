// SPDX-License-Identifier: GPL-3.0-or-later
// The state while a game is read from PGN, or from a text like PGN. pgn_head.c reads the tags and
// labels before the moves, pgn_read.c the moves.
#pragma once

#include <ctype.h>
#include <string.h>

#include "datasets/formats/formats.h"

// The full-width blank.
#define PGN_WIDE_SPACE "\u3000"

enum { DEEPEST = 64 }; // largest depth of nested variations; deeper ones are skipped

// A variation that is being read.
typedef struct PgnLine {
    size_t line;     // number of its SourceLine
    const char *end; // its closing bracket
} PgnLine;

typedef struct Pgn {
    const char *begin, *at, *end; // UTF-8; *end is 0
    SourceGame *source;
    MoveReader moves;
    bool system_tag;       // a tag names the notation of the moves
    bool tagged;           // the game has a tag, so that no line is a label
    int tags;              // number of tags, except those that tell how to read the game
    bool wxf;              // the moves are inside START{ }END, and all lines before are labels
    bool begun;            // the start position is set; the next words are moves
    bool ended;            // the moves have ended with a result
    int8_t end_result;     // result at the end of the moves
    bool flat;             // comments do not nest in this game
    bool end_open;         // ended with the result *
    bool variations;       // read the variations
    PgnLine open[DEEPEST]; // variations around the current place
    int depth;             // number of open variations
    uint32_t book;         // number of moves from the first one on that comments mark as book moves
    Text value;            // value that pgn_tag() returned
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
// bracket, a tag without that bracket at the line end.
void pgn_read_tag(Pgn *pgn);
// Returns the end of the tag whose opening bracket is at `at`.
const char *pgn_tag_end(const char *at, const char *end);
// Returns the value of a tag, or "" if the game has no such tag. It is valid until the next call.
const char *pgn_tag(Pgn *pgn, const char *name);
// Reads a label such as "红方: name" and its line. Skips unknown labels: the whole line, or only up
// to the colon if moves follow. Returns false if the line has no label.
bool pgn_take_label(Pgn *pgn);
// Removes tags that follow from the record, and tags of the roster with unknown values.
void pgn_keep_tags(SourceGame *source);

// ---- words of the moves: pgn_read.c -------------------------------------------------------------

// Returns the length of the move number that a word begins with: "12.", "12..." or "12". Returns 0
// for "66.5", which is a move in wxf.
size_t pgn_number_length(const char *word, size_t length, bool digits_are_moves);
// Reads the first move of a word that consists of several moves without blanks, such as
// 兵七进一炮2平32. Sets *behind to the end of that move.
bool pgn_read_glued(MoveReader *moves, const Position *position, const char *word, size_t length,
                    Move *move, const char **behind);

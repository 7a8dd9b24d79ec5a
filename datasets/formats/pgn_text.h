// SPDX-License-Identifier: GPL-3.0-or-later
// State and functions for reading one game from PGN, or from a text like PGN. pgn_head.c reads tags
// and labels, pgn_read.c reads the moves.
#pragma once

#include <ctype.h>
#include <string.h>

#include "datasets/formats/formats.h"

// The full-width blank, which Chinese texts use.
#define PGN_WIDE_SPACE "\u3000"

// A variation whose moves are being read.
typedef struct PgnLine {
    size_t line;     // number of the variation in its SourceGame, as in source_game_now()
    const char *end; // place of the closing bracket of the variation
} PgnLine;

// The clocks of both sides, from comments such as [%clk 0:04:58].
typedef struct PgnClocks {
    bool known;          // the tag TimeControl states the increment
    double increment_ms; // time that a player gets for each move
    double left_ms[2];   // time that each side had left after its move number ply[side] of the game
    uint32_t ply[2];     // counted from 1; 0: the clock is not known
} PgnClocks;

// A comment after a move. The caller sets `ply`, `side`, `number` and `clocks`, and calls
// pgn_comment_clear() at the end.
typedef struct PgnComment {
    PlyRecord ply;     // ply of the move; receives score, depth, nodes, time and preferred move
    Side side;         // side that made the move
    uint32_t number;   // number of the move's ply in the game, from 1
    PgnClocks *clocks; // clocks of the main line; NULL: [%clk ...] is not read
    bool book;         // the comment says that the move comes from an opening book
    bool read;         // the comment has search data
    Text rest;         // text of the comment without its search data
} PgnComment;
void pgn_comment_clear(PgnComment *comment);
AUTO_VALUE(PgnComment, pgn_comment_clear)
// Reads the search data of a comment, given without its braces. Returns comment->read.
bool pgn_comment_read(const char *text, size_t length, PgnComment *comment);

typedef struct Pgn {
    const char *begin; // the UTF-8 text
    const char *at;    // current place in the text
    const char *end;   // zero byte after the text
    SourceGame *source;
    MoveReader moves;
    bool system_tag;   // true if the tag Format states the notation of the moves
    bool tagged;       // a PGN tag with quotes was read; from then on, lines "Name: value" are not
                       // read as labels
    const char *twice; // name of a tag such as FEN that came twice with different values, or NULL
    int tags;          // number of stored tags, without those in own_tags of pgn_head.c
    bool wxf;   // the moves are between START{ and }END as in .wxf files, and all lines before are
                // labels
    bool begun; // the start position is set, so the next words are moves
    bool ended; // the end of the game was read: a result, or }END in a .wxf file
    int8_t end_result; // result after the moves; valid if `ended` is set and `end_open` is not
    bool flat;         // a closing brace is missing, so comments are read without nesting
    bool both_lost;    // the tag Result or the moves say 0-0
    bool end_open;     // the result after the moves is "*" (unknown), or missing before }END
    bool variations;   // variations are read, not skipped
    FenSide side;      // treatment of a FEN without a side to move
    PgnLine open[LINES_DEEPEST]; // the variations that contain the current place, outermost first
    int depth;                   // number of elements in `open`
    const char *note;            // last comment of the main line, if no move follows it; else NULL
    size_t note_length;
    PgnClocks clocks;
    uint32_t book; // number of moves at the beginning that comments mark as book moves
    Text value;    // buffer for the result of pgn_tag()
    Err *err;
} Pgn;

// Returns true for white space and for a zero byte.
ALWAYS_INLINE bool pgn_is_space(char c) {
    return isspace((unsigned char)c) || c == '\0';
}

// Returns true if the text at `at` begins with `what`.
ALWAYS_INLINE bool pgn_begins(const Pgn *pgn, const char *at, const char *what) {
    const size_t length = strlen(what);
    return (size_t)(pgn->end - at) >= length && memcmp(at, what, length) == 0;
}

// Returns true for the end of a line, in the file or in the text of an HTML page.
ALWAYS_INLINE bool pgn_is_line_end(char c) {
    return c == '\n' || c == HTML_BREAK;
}

ALWAYS_INLINE const char *pgn_line_end(const char *at, const char *end) {
    while (at < end && !pgn_is_line_end(*at)) at++;
    return at;
}

// ---- before the moves: pgn_head.c ---------------------------------------------------------------

// Reads the tag whose opening bracket is at pgn->at, stores it and moves pgn->at behind it. A tag
// without quotes ends at its closing bracket, or at the line end if that bracket is missing.
void pgn_read_tag(Pgn *pgn);
// Returns true if the value of the tag whose opening bracket is at `at` has an opening quote, but
// no closing quote before `end`.
bool pgn_tag_is_open(const char *at, const char *end);
// Returns the end of the tag whose opening bracket is at `at`.
const char *pgn_tag_end(const char *at, const char *end);
// Returns the value of a tag that was read, or "" if the game has no such tag. The text is valid
// until the next call.
const char *pgn_tag(Pgn *pgn, const char *name);
// Reads a label such as "红方: name", and stores its value as a tag. If the label is unknown, skips
// the label and its colon if moves follow, otherwise the whole line. Returns false if there is no
// label.
bool pgn_take_label(Pgn *pgn);
// Removes the tags that need not be stored: own_tags of pgn_head.c, an Opening that our own writer
// would add, and standard PGN tags whose value is unknown ("?").
void pgn_keep_tags(SourceGame *source);

// ---- words of the moves: pgn_read.c -------------------------------------------------------------

// Returns true if a result, 0-0, says that both sides lost.
bool pgn_both_lost(const char *text);
// Reads a result that names the winner or a draw, as files of positions do: 1-0, 1:0, red, Black.
bool pgn_result(const char *text, int8_t *result);
// Returns the length of the move number at the beginning of a word: "12.", "12..." or "12". Returns
// 0 if there is none, and for a word like "66.5" (two digits, a dot, a digit), which is a move in
// WXF notation. If `digits_are_moves` is set, "12" is not a number, because moves of the notation
// consist of digits only.
size_t pgn_number_length(const char *word, size_t length, bool digits_are_moves);
// Reads the first move of a word in which several moves of 4 or 5 characters follow each other
// without blanks, such as 兵七进一炮2平32. Sets *behind to the end of that move. Returns false if
// the word does not begin with such a move; *behind is then undefined.
bool pgn_read_glued(MoveReader *moves, const Position *position, const char *word, size_t length,
                    Move *move, const char **behind);

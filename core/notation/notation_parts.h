// SPDX-License-Identifier: GPL-3.0-or-later
// The families of notations share this: symbols, patterns, and descriptions of moves. Private to
// core/notation.
#pragma once

#include <string.h>

#include "core/notation/notation.h"

// ---- how a text is seen ------------------------------------------------------------------------

typedef enum SymbolType {
    SYMBOL_ASCII,   // value is the character; full-width forms and other dashes and dots are mapped
    SYMBOL_PIECE,   // value is a PieceType: 帥 傌 包 ...
    SYMBOL_NUMERAL, // value 1..10: 一 .. 十
    SYMBOL_DIRECTION, // value '+' 進, '-' 退, '.' 平
    SYMBOL_PLACE,     // value is a Place: 前 中 後
} SymbolType;

typedef struct Symbol {
    SymbolType type;
    int value;
} Symbol;

enum { MAX_SYMBOLS = 24 };

// Splits UTF-8 into symbols, blanks and final ! and ? dropped. STATUS_BAD_INPUT when it is not
// UTF-8, has a character that no notation uses, or is too long; *err then says what, but not the
// whole text.
Status notation_symbols(const char *text, size_t length, Symbol symbols[MAX_SYMBOLS], int *count,
                        Err *err);

// The character of a piece as the Chinese notation writes it (the same for both sides where the
// game's books have it so): 帥仕相馬車炮兵, 將士象馬車炮卒.
const char *piece_character(Piece piece, bool simplified);

// ---- points by name ----------------------------------------------------------------------------

typedef enum SquareForm {
    SQUARES_NONE,
    SQUARES_FROM_0,        // h2
    SQUARES_FROM_1,        // h3
    SQUARES_UPPER,         // H2
    SQUARES_NUMBER_LETTER, // 8c
    SQUARES_XY,            // 77: column, row from the top
} SquareForm;

// ---- systems -----------------------------------------------------------------------------------

struct NotationInput;
struct NotationOutput;
struct PatternList;

typedef struct NotationRow {
    NotationSystem system;
    const char *name;
    void (*write)(struct NotationOutput *out);
    bool (*read)(struct NotationInput *in, struct PatternList *list);
    const char *letters; // letters[type - 1]
    SquareForm squares;
    const char *separator;
    const char *example, *grammar;
} NotationRow;

extern const NotationRow notation_rows[NOTATION_SYSTEM_COUNT];

// The argument of a writer, which appends with out_*().
typedef struct NotationOutput {
    const NotationRow *row;
    const NotationStyle *style;
    const Position *position;
    Move move;
    char *text; // NOTATION_SIZE bytes
    int length;
} NotationOutput;

void out_text(NotationOutput *out, const char *text);
void out_char(NotationOutput *out, char c);
void out_number(NotationOutput *out, int number);
void out_square(NotationOutput *out, int square);
// The row's letter of a kind of piece.
void out_letter(NotationOutput *out, PieceType type);

// The argument of a reader: symbols, and an index of them.
typedef struct NotationInput {
    const NotationRow *row;
    const NotationStyle *style;
    const Position *position;
    const Symbol *symbols;
    int count, at;
} NotationInput;

// Are we behind the last symbol?
ALWAYS_INLINE bool in_end(const NotationInput *in) {
    return in->at >= in->count;
}
// The ASCII character `ahead` symbols on, 0 where there is none.
int in_peek(const NotationInput *in, int ahead);
// Skips the next symbol if it is one of these ASCII characters.
bool in_skip(NotationInput *in, const char *characters);
// One of `count` coordinates of which the first is a digit or a letter (either case), from 0; -1:
// none there. A tenth that is counted from 1 is 10.
int in_coordinate(NotationInput *in, char first, int count);
// Drops the marks of check and mate at the end, + and #, where more than `least` symbols are left.
ALWAYS_INLINE void in_drop_check(NotationInput *in, int least) {
    while (in->count > least && in_peek(in, in->count - 1) &&
           strchr("+#", in_peek(in, in->count - 1)))
        in->count--;
}
// Reads a point as the row writes it (letters in either case); false, nothing read, if there is
// none.
bool in_square(NotationInput *in, int *square);
// The set of kinds that a letter may mean in this system: its own letter, else what other systems
// mean by it. Case does not matter. 0: none.
unsigned kinds_of_letter(const NotationRow *row, int letter);

// ---- patterns ----------------------------------------------------------------------------------

// Which of several soldiers (or other pieces of a kind) on one file.
typedef enum Place {
    PLACE_ANY,
    PLACE_FRONT,       // the first of the file: 前, ++
    PLACE_MIDDLE,      // the middle one of three or five: 中
    PLACE_REAR,        // the last: 後, --
    PLACE_INNER_FRONT, // + of wxf: the first of two or three, the second of four or five
    PLACE_INNER_REAR,  // - of wxf: the last of two or three, the last but one of four or five
    PLACE_INDEX, // Pattern.index, counted through all files that are shared, from the player's
                 // right to his left and from front to rear; within from_file if that is given
} Place;

#define KIND(type) (1u << (type))

// The part of a move that a text gives. A member at its default gives nothing.
typedef struct Pattern {
    unsigned kinds;           // KIND() of the pieces that may move; 0: any
    int from_file, from_rank; // of the origin, seen from Red (0-8, 0-9); -1: any
    int to_file, to_rank;     // of the target
    bool captures;            // the move must capture
    unsigned captured_kinds;  // KIND() of what may be captured; 0: any
    Place place;
    int index;     // 1.. with PLACE_INDEX
    int direction; // '+', '-', '.' from the player's side; 0: any
    int number;    // with a direction: ranks or target file 1-9, as the kind wants it
} Pattern;

Pattern pattern_any(void);
// The origin, or the target, is this point.
void pattern_from(Pattern *pattern, int square);
void pattern_to(Pattern *pattern, int square);
// The pseudo-legal moves that fit: the legal ones and, unless NULL, those that expose the own
// general.
void pattern_moves(const Pattern *pattern, const Position *position, MoveList *legal,
                   MoveList *exposing);

// Readings of a text in order of preference: the first that any legal move fits decides.
enum { MAX_PATTERNS = 3 };
typedef struct PatternList {
    int count;
    Pattern patterns[MAX_PATTERNS];
} PatternList;

void pattern_add(PatternList *list, const Pattern *pattern);

// ---- moves seen from the player's side ----------------------------------------------------------

// Files 1-9 from the player's right.
ALWAYS_INLINE int home_file(Side side, int file) {
    return side == RED ? FILE_COUNT - file : file + 1;
}
ALWAYS_INLINE int file_from_home(Side side, int number) {
    return side == RED ? FILE_COUNT - number : number - 1;
}
// Ranks 1-10 from the player's side.
ALWAYS_INLINE int home_rank(Side side, int rank) {
    return side == RED ? rank + 1 : RANK_COUNT - rank;
}
ALWAYS_INLINE int rank_from_home(Side side, int number) {
    return side == RED ? number - 1 : RANK_COUNT - number;
}

// A move as the relative notations say it.
typedef struct RelativeMove {
    PieceType type;
    Side side;
    int file;      // home_file() of the origin
    int direction; // '+', '-', '.'
    int number;    // target file, or ranks of a straight move along the file
} RelativeMove;

RelativeMove relative_describe(const Position *position, Move move);

// The company of a piece on its file.
typedef struct FileMates {
    int count;        // pieces of this kind and side on the file, itself included
    int place;        // 0 for the front one
    int shared_files; // files with two or more of this kind and side
    int index;        // 1..: its number in the order of PLACE_INDEX; 0 when it is alone on its file
} FileMates;

FileMates file_mates(const Position *position, int square);

// ---- families ----------------------------------------------------------------------------------

typedef void NotationWriter(NotationOutput *out);
typedef bool NotationReader(NotationInput *in, PatternList *list);

// Several systems may share a family.
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    NotationWriter write;                                                                          \
    NotationReader read;
#include "core/notation/notation.def"

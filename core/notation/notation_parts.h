// SPDX-License-Identifier: GPL-3.0-or-later
// Symbols, patterns and descriptions of moves, shared by all notations. Private to core/notation
// and its test.
#pragma once

#include <string.h>

#include "core/notation/notation.h"

// ---- symbols of a text -------------------------------------------------------------------------

typedef enum SymbolType {
    SYMBOL_ASCII,     // ASCII character; full-width forms, typographic dashes and dots, and the
                      // multiplication sign are mapped to ASCII
    SYMBOL_PIECE,     // character of a piece, such as 帥 or 包; the value is a PieceType
    SYMBOL_NUMERAL,   // Chinese numeral, 一 to 十; the value is 1..10
    SYMBOL_DIRECTION, // direction; the value is '+' for 進, '-' for 退, '.' for 平
    SYMBOL_PLACE,     // 前, 中 or 後: the front, middle or rear piece on a file; the value is a
                      // Place
} SymbolType;

typedef struct Symbol {
    SymbolType type;
    int value;
} Symbol;

enum { MAX_SYMBOLS = 24 };

// Splits UTF-8 into symbols. Omits blanks, and ! and ? at the end. Returns STATUS_BAD_INPUT if the
// text is not UTF-8, is too long, or has a control character or a character outside ASCII that no
// notation uses. The message in *err lacks its subject: the caller puts the text before it. Defined
// in notation_text.c.
Status notation_symbols(const char *text, size_t length, Symbol symbols[MAX_SYMBOLS], int *count,
                        Err *err);

// Returns the character of a piece in Chinese notation, from general to soldier: 帥仕相馬車炮兵 for
// Red, 將士象馬車炮卒 for Black, or their simplified forms.
const char *piece_character(Piece piece, bool simplified);

// ---- points by name ----------------------------------------------------------------------------

typedef enum SquareForm {
    SQUARES_NONE,
    SQUARES_FROM_0,        // letter of the file, number of the rank from 0: h2
    SQUARES_FROM_1,        // letter of the file, number of the rank from 1: h3
    SQUARES_UPPER,         // capital letter of the file, number of the rank from 0: H2
    SQUARES_NUMBER_LETTER, // number of the file, letter of the rank: 8c
    SQUARES_XY,            // number of the column, then of the row counted from the top: 77
} SquareForm;

// ---- notation systems --------------------------------------------------------------------------

struct NotationInput;
struct NotationOutput;
struct PatternList;

typedef struct NotationRow {
    NotationSystem system;
    const char *name;
    void (*write)(struct NotationOutput *out);
    bool (*read)(struct NotationInput *in, struct PatternList *list);
    const char *letters; // letters of the piece types: letters[type - 1]; "" if the system has none
    SquareForm squares;
    const char *separator;
    const char *example;
} NotationRow;

extern const NotationRow notation_rows[NOTATION_SYSTEM_COUNT];

// The argument of a function that writes a move. The function appends to `text` by calling
// out_text() and the similar functions below.
typedef struct NotationOutput {
    const NotationRow *row;
    const NotationStyle *style;
    const Position *position;
    Move move;
    char *text; // receives the written move; a buffer of NOTATION_SIZE bytes
    int length;
} NotationOutput;

void out_text(NotationOutput *out, const char *text);
void out_char(NotationOutput *out, char c);
void out_number(NotationOutput *out, int number);
void out_square(NotationOutput *out, int square);
// Appends the system's letter for a type of piece.
void out_letter(NotationOutput *out, PieceType type);

// The argument of a function that reads a move: the `count` symbols of the text, and the index `at`
// of the next symbol to read.
typedef struct NotationInput {
    const NotationRow *row;
    const NotationStyle *style;
    const Position *position;
    const Symbol *symbols;
    int count, at;
} NotationInput;

// Returns true if all symbols have been read.
ALWAYS_INLINE bool in_end(const NotationInput *in) {
    return in->at >= in->count;
}
// Returns the ASCII character with index in->at + ahead, or 0 if that symbol is not ASCII or does
// not exist.
int in_peek(const NotationInput *in, int ahead);
// Skips the next symbol if it is one of these ASCII characters, and returns true if so.
bool in_skip(NotationInput *in, const char *characters);
// Reads a coordinate and returns its index in 0..count - 1, or -1 if the next symbol is not a
// coordinate. `first` is the digit or letter of coordinate 0; case is ignored. If coordinates are
// counted from 1, the tenth is written "10".
int in_coordinate(NotationInput *in, char first, int count);
// Removes the marks + (check) and # (mate) from the end of the symbols, but keeps at least
// `min_count` symbols.
ALWAYS_INLINE void in_drop_check(NotationInput *in, int min_count) {
    while (in->count > min_count && in_peek(in, in->count - 1) &&
           strchr("+#", in_peek(in, in->count - 1)))
        in->count--;
}
// Reads a point as the system writes points, ignoring case. Returns false and reads nothing if
// there is no point.
bool in_square(NotationInput *in, int *square);
// Returns KIND() of the piece type that a letter means in this system or, if it means none, in a
// FEN. Ignores case. Returns 0 for an unknown letter.
unsigned kinds_of_letter(const NotationRow *row, int letter);

// ---- patterns ----------------------------------------------------------------------------------

// Selects one of several pieces of one type and side that stand on a file or, for PLACE_INDEX, on
// any files.
typedef enum Place {
    PLACE_ANY,
    PLACE_FRONT,  // the front piece on the file: 前, ++
    PLACE_MIDDLE, // the middle one of three pieces on the file (中), or of five
    PLACE_REAR,   // the rear piece on the file: 後, --
    // The sign '+' of wxf: the front piece of two or three on the file, the second from the front
    // of four or five.
    PLACE_INNER_FRONT,
    // The sign '-' of wxf: the rear piece of two or three on the file, the second from the rear of
    // four or five.
    PLACE_INNER_REAR,
    // The piece with number Pattern.index among the pieces of its type and side. Files with only
    // one such piece are not counted. The count runs from the player's right to left, and on each
    // file from front to rear. If Pattern.from_file is set, the count includes only that file.
    PLACE_INDEX,
} Place;

#define KIND(type) (1u << (type))

// Describes the moves that a text such as "C2.5" can mean. A member with the value that
// pattern_any() gives it allows every move.
typedef struct Pattern {
    unsigned kinds;           // piece types that may move, a set of KIND(); 0: any
    int from_file, from_rank; // square that the move leaves: file 0-8 from Red's left and rank 0-9
                              // from Red's back rank; each can be -1: any
    int to_file, to_rank;     // square to which the move goes, numbered like the origin; -1: any
    bool captures;            // true if the move must be a capture
    unsigned captured_kinds;  // piece types that may be captured, a set of KIND(); 0: any
    Place place;
    int index;     // number of the piece for PLACE_INDEX, from 1
    int direction; // direction seen by the player: '+' forward, '-' backward, '.' sideways; 0: any
    int number;    // number after the direction: the number of ranks if the move stays on its file,
                   // else the target file, 1-9 from the player's right; unused if `direction` is 0
} Pattern;

// Returns a pattern that fits every move.
Pattern pattern_any(void);
// Restrict the origin or the target of the move to this point.
void pattern_from(Pattern *pattern, int square);
void pattern_to(Pattern *pattern, int square);
// Lists the pseudo-legal moves that fit a pattern. `legal` receives the legal moves. `exposing`,
// which may be NULL, receives the moves that leave the own general attacked.
void pattern_moves(const Pattern *pattern, const Position *position, MoveList *legal,
                   MoveList *exposing);

// Patterns for the possible meanings of a text, in order of preference. The first pattern that fits
// at least one legal move decides.
enum { MAX_PATTERNS = 3 };
typedef struct PatternList {
    int count;
    Pattern patterns[MAX_PATTERNS];
} PatternList;

void pattern_add(PatternList *list, const Pattern *pattern);

// ---- moves seen from the player's side ----------------------------------------------------------

// Convert between files of the board and file numbers 1-9, which are counted from the player's
// right.
ALWAYS_INLINE int home_file(Side side, int file) {
    return side == RED ? FILE_COUNT - file : file + 1;
}
ALWAYS_INLINE int file_from_home(Side side, int number) {
    return side == RED ? FILE_COUNT - number : number - 1;
}
// Convert between ranks of the board and rank numbers 1-10, which are counted from the player's
// side.
ALWAYS_INLINE int home_rank(Side side, int rank) {
    return side == RED ? rank + 1 : RANK_COUNT - rank;
}
ALWAYS_INLINE int rank_from_home(Side side, int number) {
    return side == RED ? number - 1 : RANK_COUNT - number;
}

// A move as notations like wxf and Chinese describe it, seen from the player's side.
typedef struct RelativeMove {
    PieceType type;
    Side side;
    int file;      // board file from which the piece moves, 1-9 from the player's right
    int direction; // '+' forwards, '-' backwards, '.' sideways
    int number; // number of ranks if the piece stays on its file, else the file to which it moves,
                // 1-9 from the player's right
} RelativeMove;

RelativeMove relative_describe(const Position *position, Move move);

// The pieces of one type and side that share a file.
typedef struct FileMates {
    int count;        // number of pieces of this type and side on the file, including this one
    int place;        // number of pieces of this type and side in front of this one on the file
    int shared_files; // number of files with at least two pieces of this type and side
    int index; // number of this piece, from 1, as PLACE_INDEX counts over all files; 0 if `count`
               // is 1
} FileMates;

FileMates file_mates(const Position *position, int square);

// ---- writers and readers -----------------------------------------------------------------------

typedef void NotationWriter(NotationOutput *out);
typedef bool NotationReader(NotationInput *in, PatternList *list);

// Declares the write and read functions of each notation system. Systems that share functions
// repeat the declarations, which C allows.
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    NotationWriter write;                                                                          \
    NotationReader read;
#include "core/notation/notation.def"

// SPDX-License-Identifier: GPL-3.0-or-later
// Notations of moves. Each system is one row of core/notation/notation.def, with a writer and a
// tolerant reader.
//
// A reader turns a text into a pattern, such as the type of piece, the file of origin and the
// target. Then it looks for legal moves that fit the pattern. If exactly one fits, that is the
// move. If none or several fit, the error lists the candidates. So one mechanism gives both
// tolerance and the detection of ambiguous texts.
// Every system reads back each text that it writes, for all legal moves of all positions. All texts
// are UTF-8. Readers accept any bytes.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

typedef enum NotationSystem {
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    NOTATION_##id,
#include "core/notation/notation.def"
    NOTATION_SYSTEM_COUNT
} NotationSystem;

// All system names, as the `unit` of an OPTION_CHOICE: "auto|uci|uci1|...", and the same list
// without "auto".
extern const char MOVES_CHOICES[];
#define NOTATION_CHOICES (&MOVES_CHOICES[sizeof "auto"])

// Variants of writing that some systems have. All zero is the default.
typedef struct NotationStyle {
    bool glyphs; // true: system1 writes the character of a piece, not its letter
    bool shogi; // true: globalstar counts files from Red's right and ranks from Black's side, as in
                // shogi
} NotationStyle;

enum { NOTATION_SIZE = 32 }; // size of a buffer for any written move, with the terminating zero

// Returns the name of a system, from notation.def.
const char *notation_name(NotationSystem system);

// Writes a legal move in a notation system. Here and in the following functions `style` can be
// NULL.
void notation_write(NotationSystem system, const NotationStyle *style, const Position *position,
                    Move move, char text[NOTATION_SIZE]);

// Reads a legal move from `length` bytes of text. Returns STATUS_BAD_INPUT, with the nearest legal
// moves in *err, if none fits, and STATUS_AMBIGUOUS, with the candidates, if several fit.
Status notation_read(NotationSystem system, const NotationStyle *style, const Position *position,
                     const char *text, size_t length, Move *move, Err *err);

// Reads the blank-separated moves of a game that starts in *position, and appends them to *out in
// another system, separated by one blank. *position becomes the final position. An error names the
// ply; moves converted before it stay in *out.
Status notation_convert_game(NotationSystem from, NotationSystem to, const NotationStyle *style,
                             Position *position, const char *moves, Text *out, Err *err);

// Copies a text for messages: at most about 40 bytes, cut between characters. Control characters
// and invalid bytes become '?'.
enum { PRINTABLE_SIZE = 48 };
void notation_printable(const char *text, size_t length, char printable[PRINTABLE_SIZE]);

// Returns the character on a piece, which differs between the sides: 帥仕相傌俥炮兵,
// 將士象馬車砲卒.
const char *piece_face(Piece piece);

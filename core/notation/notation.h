// SPDX-License-Identifier: GPL-3.0-or-later
// Notations of moves. Each system is one line of core/notation/notation.def, with a writer and a
// tolerant reader.
//
// A reader turns a text into a pattern, such as the type of piece, the file of origin and the
// target. notation_read() then looks for legal moves that fit the pattern. If exactly one fits,
// that is the move. If none or several fit, the error lists candidates. Every system must read back
// each text that it writes (tests/core/notation_test.c). Texts are UTF-8; other bytes are refused.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

typedef enum NotationSystem {
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    NOTATION_##id,
#include "core/notation/notation.def"
    NOTATION_SYSTEM_COUNT
} NotationSystem;

// The names of all systems, as the choices of an OPTION_CHOICE (its `unit`). MOVES_CHOICES is
// "auto|uci|uci1|...", NOTATION_CHOICES the list without "auto".
extern const char MOVES_CHOICES[];
#define NOTATION_CHOICES (&MOVES_CHOICES[sizeof "auto"])

// Chooses variants of some notation systems. If all members are false, moves have their usual form.
typedef struct NotationStyle {
    bool glyphs; // true: system1 writes the character of a piece, not its letter
    bool shogi;  // true: globalstar reads and writes files counted from Red's right and ranks
                 // counted from Black's side, as in shogi
} NotationStyle;

enum { NOTATION_SIZE = 32 }; // size of a buffer for any written move, with the terminating zero

// Returns the name of a system, from notation.def.
const char *notation_name(NotationSystem system);

// Writes a legal move in a notation system. Here and in the following functions `style` can be
// NULL.
void notation_write(NotationSystem system, const NotationStyle *style, const Position *position,
                    Move move, char text[NOTATION_SIZE]);

// Returns true if the text has the form of a move in this system, whether or not the move is legal.
bool notation_has_form(NotationSystem system, const Position *position, const char *text,
                       size_t length);

// Reads a legal move from `length` bytes of text. If the text can be read in several ways, the
// first way that fits a legal move counts. If this reading fits several legal moves, returns
// STATUS_AMBIGUOUS and lists the moves in *err. Returns STATUS_BAD_INPUT if the text is not a move
// of this system or no legal move fits. In the latter case *err lists similar moves, or the moves
// that fit but leave their own general in check.
Status notation_read(NotationSystem system, const NotationStyle *style, const Position *position,
                     const char *text, size_t length, Move *move, Err *err);

// Reads the blank-separated moves of a game that starts in *position, and appends them to *out in
// another system, separated by one blank. *position becomes the final position. After an error,
// *err names the ply, and the moves before this ply stay in *out.
Status notation_convert_game(NotationSystem from, NotationSystem to, const NotationStyle *style,
                             Position *position, const char *moves, Text *out, Err *err);

// Copies a text for messages. Control characters and invalid bytes become '?'. A text of more than
// 40 bytes is cut between characters, and "..." is added.
enum { PRINTABLE_SIZE = 48 };
void notation_printable(const char *text, size_t length, char printable[PRINTABLE_SIZE]);

// Returns the Chinese character on a piece of the board, from general to soldier: 帥仕相傌俥炮兵
// for Red, 將士象馬車砲卒 for Black.
const char *piece_face(Piece piece);

// SPDX-License-Identifier: GPL-3.0-or-later
// Writing moves down: one row of core/notation/notation.def for each system people use, each with a
// writer and a tolerant reader.
//
// A reader turns a text into a pattern (which kind of piece, from which file, to which point ...)
// and looks which legal moves fit it: exactly one is the answer; none, or several, is an error that
// lists the candidates. So one mechanism gives both tolerance and the detection of ambiguous texts.
//
// Each system reads what it writes as the same move, for every legal move of every position. All
// texts are UTF-8. Readers take any bytes whatever.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

typedef enum NotationSystem {
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    NOTATION_##id,
#include "core/notation/notation.def"
    NOTATION_SYSTEM_COUNT
} NotationSystem;

// The names of all systems as OPTION_CHOICE wants them in `unit`: "auto|uci|uci1|...", and without
// the first.
extern const char MOVES_CHOICES[];
#define NOTATION_CHOICES (&MOVES_CHOICES[sizeof "auto"])

// Choices that a system leaves; all zero is the default.
typedef struct NotationStyle {
    bool glyphs; // system1: the character of the piece instead of its letter
    bool shogi;  // globalstar: files from Red's right and ranks from Black's side, as in shogi
} NotationStyle;

enum { NOTATION_SIZE = 32 }; // bytes that hold any written move, terminator included

const char *notation_name(NotationSystem system);

// Writes a legal move; style may be NULL here and below.
void notation_write(NotationSystem system, const NotationStyle *style, const Position *position,
                    Move move, char text[NOTATION_SIZE]);

// Reads a legal move of the position from length bytes of text. STATUS_BAD_INPUT with the text and
// the legal moves that come nearest in *err when none fits; STATUS_AMBIGUOUS with the candidates
// when several do.
Status notation_read(NotationSystem system, const NotationStyle *style, const Position *position,
                     const char *text, size_t length, Move *move, Err *err);

// Reads the blank-separated moves of a game that begins in *position, appends them to *out in
// another system, separated by one blank, and leaves *position where the game ends. An error names
// the ply; what was appended until then stays.
Status notation_convert_game(NotationSystem from, NotationSystem to, const NotationStyle *style,
                             Position *position, const char *moves, Text *out, Err *err);

// A copy for messages: at most about 40 bytes, cut between characters, control and broken bytes as
// '?'.
enum { PRINTABLE_SIZE = 48 };
void notation_printable(const char *text, size_t length, char printable[PRINTABLE_SIZE]);

// The character that is on the piece itself and tells the sides apart: 帥仕相傌俥炮兵,
// 將士象馬車砲卒.
const char *piece_face(Piece piece);

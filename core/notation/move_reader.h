// SPDX-License-Identifier: GPL-3.0-or-later
// Reads moves of a system that is not given: each by its form.
#pragma once

#include "core/notation/notation.h"

// Instead of a NotationSystem: it is found for each move.
enum { MOVES_DETECTED = -1 };

typedef struct MoveReader {
    int system; // a NotationSystem; MOVES_DETECTED until a move has been read
    bool fixed; // it is given: no other is tried
    bool exact; // all moves so far stand as their system writes them, so that none is in doubt
    int tried;  // so many of tried_systems
} MoveReader;

// system: a NotationSystem or MOVES_DETECTED. The first six are then tried for each move,
// unless the caller sets `tried` to all: for moves that stand alone.
void move_reader_init(MoveReader *reader, int system);

// The systems that are tried where none is given, the likeliest first.
enum { TRIED_SYSTEMS = 13 };
extern const uint8_t tried_systems[TRIED_SYSTEMS];

// Reads a legal move. Where the system is not given: first by the one that read the last move, then
// by those that are tried. The error is that of the known system.
Status move_reader_read(MoveReader *reader, const Position *position, const char *text,
                        size_t length, Move *move, Err *err);

// As notation_convert_game(), from the first system that reads the whole game. The error is that of
// the one that comes furthest.
Status move_reader_convert_game(NotationSystem to, const NotationStyle *style, Position *position,
                                const char *moves, Text *out, Err *err);

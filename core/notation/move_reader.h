// SPDX-License-Identifier: GPL-3.0-or-later
// Reads moves in a notation system. If the system is unknown, the reader tries several systems in
// turn until it finds one in which the text is a legal move.
#pragma once

#include "core/notation/notation.h"

// A value of MoveReader.system that means: detect the system.
enum { MOVES_DETECTED = -1 };

typedef struct MoveReader {
    int system; // a NotationSystem, or MOVES_DETECTED while the system is not known yet
    bool fixed; // true if the caller chose the notation system, so that no other one is tried
    bool exact; // true if every move read so far was spelled exactly as its notation system writes
                // it (in wxf and Chinese notation every spelling counts as exact; in uci also
                // the spelling of iccs)
    int tried;  // number of notation systems to try, from the start of tried_systems
} MoveReader;

// Initialises a reader for a NotationSystem or MOVES_DETECTED. With MOVES_DETECTED the reader tries
// the six most common systems. To try all systems, as for single moves, the caller then sets
// `tried` to TRIED_SYSTEMS.
void move_reader_init(MoveReader *reader, int system);

// The systems that are tried to detect the notation, the most common first.
enum { TRIED_SYSTEMS = 13 };
extern const uint8_t tried_systems[TRIED_SYSTEMS];

// Reads a legal move. If the system is not fixed, tries the system of the previous move first, then
// the other systems. If all fail, *err is the error of the system of the previous move if the text
// has the form of a move in this system. Otherwise *err says that the move is legal in no system.
Status move_reader_read(MoveReader *reader, const Position *position, const char *text,
                        size_t length, Move *move, Err *err);

// Like notation_convert_game(), but uses the first of tried_systems that reads the whole game. If
// there is none, *err is the error of the system that read the largest part of the game, *out is
// unchanged, and *position is undefined.
Status move_reader_convert_game(NotationSystem to, const NotationStyle *style, Position *position,
                                const char *moves, Text *out, Err *err);
